#pragma once
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/document.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A file that a run writes because its experiment names it; relative to where the command runs.
struct written_file {
  std::string what;                 ///< such as `a waveform`
  nlohmann::json::json_pointer at;  ///< where the experiment names it
  std::string name;

  std::string key() const;  ///< `at` in the form `trace.vcd`
};

/// Those of an experiment, defaults filled in, in the order of its keys.
std::vector<written_file> written_files(const nlohmann::json& experiment);

/// Whether two names, as seen from here, are of one file.
bool same_file(const std::string& one, const std::string& other);

/// What reads a file of that name, as seen from here: `the experiment` itself, a key of it, or nothing.
std::string reader_of(const std::string& name, const document& experiment);

}  // namespace spillway
