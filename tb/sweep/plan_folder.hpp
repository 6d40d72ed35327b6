#pragma once
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <spillway/tb/sweep/plan.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What is known of a run.
enum class run_state {
  open,    ///< not yet run, or interrupted
  done,    ///< has a result, be it a fault that the run found
  failed,  ///< ended without a result: see plan_folder::failure
};

/// The result.json of a folder; none if there is none, or only that of a run that was interrupted.
std::optional<nlohmann::ordered_json> read_result(const std::filesystem::path& folder);

/// The last line of a log that says something.
std::string last_line(const std::filesystem::path& log);

/// The folder of a sweep: `plan.jsonl` (a line about the plan, then one a run, in order) and, for each
/// configuration, `runs/ID` with `config.yaml`, `result.json`, `log`; `inputs` holds copies of the files that
/// the configurations name. Every file appears whole or not at all and every run has a folder of its own, so
/// that any number of processes may work on one plan.
class plan_folder {
public:
  /// Opens the folder of a plan that was written before. Throws config_error when there is none.
  explicit plan_folder(std::filesystem::path folder);

  /// What the plan in the folder says beside its runs, of which it may have none; nothing without a plan.
  /// Throws config_error.
  static std::optional<nlohmann::ordered_json> about(const std::filesystem::path& folder);

  /// Writes the plan and all configurations; if the same plan is there, or one with other pictures or with
  /// some of these runs, only what is missing.
  /// @param about what the first line of the plan says beside the number of runs, such as its name
  /// @param replace whether another plan that is there gives way (results of runs that both have stay)
  /// Throws config_error when another plan is there, io_error.
  static plan_folder create(std::filesystem::path folder, nlohmann::ordered_json about,
                            std::vector<planned_run> runs, bool replace = false);

  const std::filesystem::path& path() const { return folder_; }
  const nlohmann::ordered_json& about() const { return about_; }
  const std::vector<planned_run>& runs() const { return runs_; }

  std::filesystem::path run_path(const std::string& id) const { return folder_ / "runs" / id; }
  run_state state(const std::string& id) const;
  /// The run's result.json; none if it is not done.
  std::optional<nlohmann::ordered_json> result(const std::string& id) const {
    return read_result(run_path(id));
  }
  /// Why the run failed: exit status and the last line of its log; empty if it did not.
  std::string failure(const std::string& id) const;
  /// Notes that the run ended without a result, so that it is not tried again unasked.
  void mark_failed(const std::string& id, const std::string& why) const;
  /// Forgets that the run failed.
  void clear_failed(const std::string& id) const;
  /// Index of the first run of each configuration that is not done, in order.
  /// @param retry whether failed runs count as not done
  /// @param first, last only runs first <= i < last; last may be past the end
  std::vector<std::size_t> unfinished(bool retry, std::size_t first = 0,
                                      std::size_t last = std::numeric_limits<std::size_t>::max()) const;

private:
  plan_folder() = default;
  std::filesystem::path folder_;
  nlohmann::ordered_json about_;
  std::vector<planned_run> runs_;
};

/// Says what kind of program made a result: a digest of the running program's file.
std::string build_digest();

}  // namespace spillway
