#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/sweep/join.hpp>
#include <spillway/tb/sweep/statistics.hpp>

namespace spillway {

namespace {

using nlohmann::ordered_json;

void collect(const ordered_json& at, const std::string& name,
             std::vector<std::pair<std::string, double>>& numbers) {
  if (at.is_object())
    for (const auto& [key, child] : at.items())
      collect(child, name.empty() ? key : name + '.' + key, numbers);
  else if (at.is_boolean())
    numbers.emplace_back(name, at.get<bool>() ? 1 : 0);
  else if (at.is_number())
    numbers.emplace_back(name, at.get<double>());
  else if (at.is_null())
    numbers.emplace_back(name, std::nan(""));
}

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string cell(const ordered_json& value) {
  return csv_cell(value.is_string() ? value.get<std::string>() : value.dump());
}

/// What distinguishes the configurations of a plan, as columns.
class setting_columns {
public:
  explicit setting_columns(const plan_folder& plan) {
    for (const planned_run& r : plan.runs()) {
      groups_ |= !r.group.empty();
      cases_ |= !r.name.empty();
      for (const auto& [path, ignored] : r.settings.items())
        if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) paths_.push_back(path);
    }
  }

  std::string heads() const {
    std::string text = groups_ ? "group," : "";
    if (cases_) text += "case,";
    for (const std::string& path : paths_) text += csv_cell(path) + ',';
    return text;
  }

  std::string cells(const std::string& group, const std::string& name, const ordered_json& settings) const {
    std::string text = groups_ ? csv_cell(group) + ',' : "";
    if (cases_) text += csv_cell(name) + ',';
    for (const std::string& path : paths_)
      text += (settings.contains(path) ? cell(settings[path]) : "") + ',';
    return text;
  }

private:
  bool groups_ = false, cases_ = false;
  std::vector<std::string> paths_;
};

}  // namespace

std::vector<std::pair<std::string, double>> numbers_of(const ordered_json& result) {
  static const std::set<std::string> left_out{"schema_version", "seed"};
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [key, value] : result.items())
    if (left_out.count(key) == 0) collect(value, key, numbers);
  return numbers;
}

std::vector<configuration> configurations(const std::vector<planned_run>& runs) {
  std::vector<configuration> list;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const planned_run& r = runs[i];
    // Seeds change fastest.
    if (list.empty() || list.back().group != r.group || list.back().name != r.name ||
        list.back().settings != r.settings)
      list.push_back({r.group, r.name, r.settings, {}});
    list.back().runs.push_back(i);
  }
  return list;
}

result_table::result_table(const plan_folder& plan)
    : plan_(plan),
      configurations_(configurations(plan.runs())),
      numbers_(plan.runs().size()),
      status_(plan.runs().size()) {
  std::set<std::string> known;
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const auto result = plan.result(plan.runs()[i].id);
    if (!result) continue;
    status_[i] = result->value("status", "");
    for (auto& [key, value] : numbers_of(*result)) {
      if (known.insert(key).second) keys_.push_back(key);
      numbers_[i].emplace(key, value);
    }
  }
}

std::vector<double> result_table::values(const configuration& of, const std::string& key) const {
  std::vector<double> list;
  for (const std::size_t run : of.runs) {
    const auto found = numbers_[run].find(key);
    list.push_back(found == numbers_[run].end() ? std::nan("") : found->second);
  }
  return list;
}

/// For each run what `number` makes of the ends of its intervals and the column.
template <class F>
std::vector<double> result_table::of_series(const configuration& of, const std::string& column,
                                            F&& number) const {
  std::vector<double> list;
  for (const std::size_t run : of.runs) {
    list.push_back(std::nan(""));
    if (status_[run].empty()) continue;
    const auto columns = read_csv((plan_.run_path(plan_.runs()[run].id) / "series.csv").string());
    const auto wanted =
        std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == column; });
    if (wanted == columns.end()) {
      std::string names;
      for (const auto& c : columns) names += (names.empty() ? "" : ", ") + c.name;
      throw io_error(fmt::format("series.csv has no column '{}', expected one of {}", column, names));
    }
    list.back() = number(columns.front().values, wanted->values);
  }
  return list;
}

std::vector<double> result_table::series_means(const configuration& of, const std::string& column,
                                               double from, double to) const {
  return of_series(of, column, [&](const std::vector<double>& cycles, const std::vector<double>& values) {
    double sum = 0, n = 0;
    for (std::size_t i = 0; i < cycles.size(); ++i)
      if (cycles[i] > from && cycles[i] <= to) {
        sum += values[i];
        ++n;
      }
    return sum / n;
  });
}

std::vector<double> result_table::series_until(const configuration& of, const std::string& column,
                                               double from, double to, double level) const {
  return of_series(of, column, [&](const std::vector<double>& cycles, const std::vector<double>& values) {
    double cycles_until = std::nan("");
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      if (cycles[i] <= from || cycles[i] > to) continue;
      if (values[i] >= level) return cycles[i] - from;
      cycles_until = to - from;
    }
    return cycles_until;
  });
}

std::string results_csv(const plan_folder& plan, const result_table& table) {
  const setting_columns columns(plan);
  std::string text = columns.heads() + "seed,id,status";
  for (const std::string& key : table.keys()) text += ',' + csv_cell(key);
  text += '\n';
  for (const configuration& c : table.rows()) {
    std::vector<std::vector<double>> numbers;
    numbers.reserve(table.keys().size());
    for (const std::string& key : table.keys()) numbers.push_back(table.values(c, key));
    for (std::size_t i = 0; i < c.runs.size(); ++i) {
      if (table.status(c.runs[i]).empty()) continue;
      const planned_run& r = plan.runs()[c.runs[i]];
      text += columns.cells(c.group, c.name, c.settings);
      text += fmt::format("{},{},{}", r.seed, r.id, csv_cell(table.status(c.runs[i])));
      for (const auto& values : numbers) text += ',' + cell(values[i]);
      text += '\n';
    }
  }
  return text;
}

std::string summary_csv(const plan_folder& plan, const result_table& table) {
  const setting_columns columns(plan);
  std::string text = columns.heads() + "number,mean,ci95,min,max,runs\n";
  for (const configuration& c : table.rows())
    for (const std::string& key : table.keys()) {
      std::vector<double> values = table.values(c, key);
      values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }),
                   values.end());
      if (values.empty()) continue;
      const estimate e = t_interval(values);
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      text += columns.cells(c.group, c.name, c.settings) + fmt::format("{},{},{},{},{},{}\n", csv_cell(key),
                                                                       cell(e.mean), cell(e.half_width),
                                                                       cell(*least), cell(*most), e.count);
    }
  return text;
}

void join_results(const plan_folder& plan) {
  const result_table table(plan);
  write_file((plan.path() / "results.csv").string(), results_csv(plan, table));
  write_file((plan.path() / "summary.csv").string(), summary_csv(plan, table));
}

}  // namespace spillway
