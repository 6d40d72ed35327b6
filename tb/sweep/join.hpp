#pragma once
#include <map>
#include <optional>
#include <spillway/tb/sweep/plan_folder.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The numbers of a result.json by dotted name (`latency.mean`, `counters.pool.full`), in its order; true
/// and false are 1 and 0, a number that was not measured is NaN. Without the
/// seed and the version of the file.
std::vector<std::pair<std::string, double>> numbers_of(const nlohmann::ordered_json& result);

/// The runs of a plan that differ only in their seed.
struct configuration {
  std::string group, name;
  nlohmann::ordered_json settings;
  std::vector<std::size_t> runs;  ///< indices, in the order of the seeds
};
std::vector<configuration> configurations(const std::vector<planned_run>& runs);

/// Results of a plan's runs, read once. The plan must outlive it.
class result_table {
public:
  explicit result_table(const plan_folder& plan);
  const std::vector<configuration>& rows() const { return configurations_; }
  /// Names of all numbers, in the order in which the results have them.
  const std::vector<std::string>& keys() const { return keys_; }
  /// The number for each run of the configuration; NaN where there is none.
  std::vector<double> values(const configuration& of, const std::string& key) const;
  /// Mean of a column of series.csv over the intervals that end in (from, to], for each run; NaN where there
  /// are none. Throws io_error for a column that is not there.
  std::vector<double> series_means(const configuration& of, const std::string& column, double from,
                                   double to) const;
  /// Cycles after `from` until the end of the first interval, of those that end in (from, to], in which the
  /// column is at least `level`, for each run; to - from if it never is, NaN where there are no intervals.
  std::vector<double> series_until(const configuration& of, const std::string& column, double from, double to,
                                   double level) const;
  /// Of the run's result; empty without one.
  std::string status(std::size_t run) const { return status_[run]; }

private:
  template <class F>
  std::vector<double> of_series(const configuration& of, const std::string& column, F&& number) const;

  const plan_folder& plan_;
  std::vector<configuration> configurations_;
  std::vector<std::string> keys_;
  std::vector<std::map<std::string, double>> numbers_;  // by run
  std::vector<std::string> status_;
};

/// One line a run that is done: case, settings, seed, id, status, all numbers.
std::string results_csv(const plan_folder& plan, const result_table& table);

/// One line a configuration and number: mean over the seeds, half width of the 95 % confidence interval,
/// least, most, how many runs. Runs in which the number was not measured do not count.
std::string summary_csv(const plan_folder& plan, const result_table& table);

/// Writes results.csv and summary.csv into the folder of the plan. Throws io_error.
void join_results(const plan_folder& plan);

}  // namespace spillway
