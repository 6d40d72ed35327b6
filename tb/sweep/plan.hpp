#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/document.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A file that a configuration reads, and the name that its copy has in a plan's folder: digest and own name.
struct input_file {
  std::filesystem::path source;
  std::string copy;
};

/// One run of a plan: what distinguishes it, and the whole configuration that it runs.
struct planned_run {
  /// 16 hex digits: hash of the configuration and of the files that it names; equal runs share it.
  std::string id;
  std::string group;  ///< of a reproduction; empty in a sweep
  std::string name;   ///< the case; empty without cases
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();  ///< values of the grid, by dotted path
  std::uint64_t seed = 0;
  nlohmann::json search;  ///< how to find its saturation rate, as in the file's `saturation`; null: one run
  std::string configuration;       ///< YAML of the whole experiment; not kept in the plan's file
  std::vector<input_file> inputs;  ///< what the configuration names, as copies in `../../inputs`; not kept
};

/// What a sweep or a group of a reproduction says in its keys `experiment`, `set`, `cases`, `grid`, `seeds`,
/// `search`, `saturation`.
struct expansion {
  nlohmann::json::json_pointer at;                    ///< where the keys are in the file
  std::string group;                                  ///< see planned_run
  std::vector<nlohmann::json::json_pointer> smaller;  ///< objects whose `set`, `grid`, `seeds` win, in order
};

/// Every run, case by case, then grid point by grid point (the first key changes slowest), then seed by seed.
/// @param experiments schema of the experiments
/// @param folder one in which a configuration will be kept, such as DIR/runs/ID: what it names is relative to
/// that. Throws config_error with the place of what is wrong.
std::vector<planned_run> expand(const document& file, const expansion& what,
                                const nlohmann::json& experiments, const std::filesystem::path& folder);

/// How many runs that would be, without looking at their experiments; equal ones are counted each. Throws
/// config_error.
std::size_t count_runs(const document& file, const expansion& what);

/// 16 hex digits that are equal for equal bytes: the start of their SHA-1.
std::string digest(const std::string& bytes);

}  // namespace spillway
