#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/sweep/statistics.hpp>
#include <spillway/tb/sweep/sweep_pictures.hpp>

namespace spillway {

namespace {

using nlohmann::json;

std::string plain(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// Names of the numbers that every result.json has, and its first words.
const std::vector<std::string>& numbers_of_any_run() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const auto& [name, ignored] : numbers_of(nlohmann::ordered_json::parse(result_json(run_record()))))
      found.push_back(name);
    return found;
  }();
  return names;
}

class drawer {
public:
  /// @param ahead the runs are still to come: what needs no results is checked
  drawer(const json& wanted, const plan_folder& plan, const result_table& results, const formula& theory,
         bool ahead)
      : ahead_(ahead),
        wanted_(wanted),
        plan_(plan),
        results_(results),
        theory_(theory),
        x_(wanted.at("x")),
        y_(wanted.at("y")),
        over_time_(x_ == "cycle") {}

  picture run() {
    chart_.x_label = wanted_.value("x_label", x_);
    chart_.y_label = wanted_.value("y_label", y_);
    if (over_time_ && is_relative()) fail("relative_to does not go over time");
    chart_.log_x = wanted_.at("log_x");
    chart_.log_y = wanted_.at("log_y");
    for (const configuration& c : results_.rows())
      if (!wanted_.contains("runs") ||
          std::find(wanted_["runs"].begin(), wanted_["runs"].end(), c.group) != wanted_["runs"].end())
        add(c);
    if (chart_.series.empty()) fail("no runs to draw");
    for (const json& curve : wanted_.at("theory")) add_theory(curve);
    figure f;
    // The key stands beside the chart in one column.
    f.panel_height = std::max(420u, 100 + 20 * static_cast<unsigned>(chart_.series.size()));
    f.panels.push_back(std::move(chart_));
    const std::string name = wanted_.at("name");
    return {name, wanted_.value("title", name + ".") + how_drawn(), std::move(f)};
  }

private:
  /// What the points are, for the caption.
  const char* how_drawn() const {
    if (over_time_) return several_ ? " One run, that of the first seed." : " One run.";
    if (bars_) return " Error bars are 95 % confidence intervals over the seeds.";
    return several_ ? " The seeds do not differ." : " One seed.";
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw config_error(fmt::format("picture '{}': {}", wanted_.at("name").get<std::string>(), what));
  }

  /// The path of a setting of the configuration.
  std::string named(const std::string& written, const configuration& c) const {
    try {
      return setting_named(written, c.settings);
    } catch (const config_error& error) {
      fail(error.what());
    }
  }

  /// Group, case and settings but those along the curve; and x, if it is a setting.
  std::string label(const configuration& c, json& x) const {
    std::string text = one_group() ? "" : c.group;
    if (!c.name.empty()) text += (text.empty() ? "" : ", ") + c.name;
    const std::string of_x = over_time_ ? "" : named(x_, c);
    const std::string along = over_time_ || !wanted_.contains("along") ? "" : named(wanted_["along"], c);
    for (const auto& [path, value] : c.settings.items()) {
      if (path == of_x) x = value;
      if (path == of_x || path == along) continue;
      text += (text.empty() ? "" : ", ") + path.substr(path.rfind('.') + 1) + ' ' + plain(value);
    }
    return text;
  }

  /// Then its name says nothing, where curves have others.
  bool one_group() const {
    const auto& rows = results_.rows();
    const bool named =
        std::all_of(rows.begin(), rows.end(), [](const configuration& c) { return !c.name.empty(); });
    return named && wanted_.contains("runs") && wanted_["runs"].size() == 1;
  }

  void add(const configuration& c) {
    json x;
    const std::string text = label(c, x);
    several_ = several_ || c.runs.size() > 1;
    if (over_time_) return add_over_time(c, text);
    if (!x.is_null() && !x.is_number()) fail(fmt::format("{} is {}, expected a number", x_, x.dump()));
    chart_series& s = curve(text);
    s.x.push_back(x.is_null() ? t_interval(numbers(c, x_)).mean : x.get<double>());
    const estimate y = t_interval(is_relative() ? relative(c, s.x.back()) : numbers(c, y_));
    s.y.push_back(y.mean);
    s.y_error.push_back(std::isfinite(y.half_width) ? y.half_width : 0);
    bars_ = bars_ || s.y_error.back() > 0;
  }

  chart_series& curve(const std::string& text) {
    for (chart_series& s : chart_.series)
      if (s.label == text) return s;
    chart_.series.push_back({text, {}, {}, {}, draw_style::lines_points, false});
    return chart_.series.back();
  }

  /// Counters and the like are the mechanisms' own: only a slip of the keyboard can be told.
  void check_number(const std::string& key) const {
    const auto& known = numbers_of_any_run();
    if (std::find(known.begin(), known.end(), key) != known.end()) return;
    const std::string first = key.substr(0, key.find('.'));
    for (const char* own : {"counters", "classes", "saturation", "breakdown"})
      if (first == own) return;
    std::vector<std::string> words = known;
    for (const planned_run& r : plan_.runs())
      for (const auto& [path, ignored] : r.settings.items())
        words.push_back(path.substr(path.rfind('.') + 1));
    if (const std::string near = schema_detail::nearest(key, words); !near.empty())
      fail(fmt::format("no result has a number '{}', did you mean '{}'?", key, near));
    if (std::none_of(known.begin(), known.end(),
                     [&](const std::string& one) { return one.substr(0, one.find('.')) == first; }))
      fail(fmt::format("no result has a number '{}', and no setting is called so", key));
  }

  std::vector<double> numbers(const configuration& c, const std::string& key) const {
    if (ahead_) {
      check_number(key);
      return std::vector<double>(c.runs.size(), std::nan(""));
    }
    const auto& keys = results_.keys();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) fail("no result has a number '" + key + '\'');
    return results_.values(c, key);
  }

  bool is_relative() const { return wanted_.contains("relative_to"); }

  /// Whether `base` is what `c` is compared with: the group and case that `relative_to` names, the settings
  /// in its `where`, all other settings as in `c`.
  bool is_base(const configuration& base, const configuration& c) const {
    const json& to = wanted_.at("relative_to");
    const bool other = to.contains("runs");
    if (base.group != (other ? to.at("runs").get<std::string>() : c.group)) return false;
    if (to.contains("case") ? base.name != to.at("case") : !other && base.name != c.name) return false;
    std::map<std::string, json> fixed;
    for (const auto& [written, value] : to.at("where").items()) fixed[named(written, base)] = value;
    for (const auto& [path, value] : base.settings.items()) {
      const auto own = fixed.find(path);
      if (own != fixed.end() ? own->second != json(value)
                             : c.settings.contains(path) && c.settings.at(path) != value)
        return false;
    }
    return true;
  }

  const configuration* base_of(const configuration& c) const {
    std::vector<const configuration*> bases;
    for (const configuration& one : results_.rows())
      if (is_base(one, c)) bases.push_back(&one);
    // Another group may have the cases of the curve, or none.
    if (bases.size() > 1 && !wanted_.at("relative_to").contains("case"))
      bases.erase(std::remove_if(bases.begin(), bases.end(),
                                 [&](const configuration* one) { return one->name != c.name; }),
                  bases.end());
    if (bases.empty()) fail("relative_to leaves no configuration");
    if (bases.size() > 1) fail("relative_to leaves more than one configuration");
    return bases.front();
  }

  /// The number of each run as a multiple of that of the base with the same seed.
  std::vector<double> relative(const configuration& c, double x) {
    const configuration* const base = base_of(c);
    const std::vector<double> below = numbers(*base, y_);
    std::vector<double> values = numbers(c, y_);
    if (below.size() != values.size()) fail("relative_to has other seeds");
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= below[i];
    if (std::isnan(x)) return values;  // not known yet
    const auto [known, first] = bases_.try_emplace(x, base);
    if (!first && known->second != base) known->second = nullptr;
    return values;
  }

  /// What a formula's value at `x` is a multiple of.
  double base_at(double x) const {
    if (!is_relative()) return 1;
    const configuration* const base = bases_.at(x);
    if (!base) fail("relative_to is not the same for all curves, so that a formula has none");
    return t_interval(numbers(*base, y_)).mean;
  }

  void check_column() const {
    static const std::vector<std::string> known{"cycle", "created", "delivered", "delivered_hot",
                                                "in_flight"};
    if (std::find(known.begin(), known.end(), y_) != known.end()) return;
    if (const std::string near = schema_detail::nearest(y_, known); !near.empty())
      fail(fmt::format("series.csv has no column '{}', did you mean '{}'?", y_, near));
  }

  void add_over_time(const configuration& c, const std::string& text) {
    if (!plan_.runs()[c.runs.front()].search.is_null())
      fail("x is cycle, but a search for saturation is many runs and keeps no series.csv of its own");
    if (ahead_) {
      check_column();
      chart_.series.push_back({text, {}, {}, {}, draw_style::lines, false});
      return;
    }
    const auto file = plan_.run_path(plan_.runs()[c.runs.front()].id) / "series.csv";
    const std::vector<column> columns = read_csv(file.string());
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const column& one) { return one.name == y_; });
    if (found == columns.end()) fail(fmt::format("series.csv has no column '{}'", y_));
    // A single point is no line that can be seen.
    const draw_style style = found->values.size() == 1 ? draw_style::lines_points : draw_style::lines;
    chart_.series.push_back({text, columns.front().values, found->values, {}, style, false});
  }

  void add_theory(const json& curve) {
    std::set<double> at;
    for (const chart_series& s : chart_.series)
      if (!s.dashed)
        for (const double x : s.x)
          if (std::isfinite(x)) at.insert(x);
    const std::string model = curve.at("model"), key = curve.at("y");
    chart_series s{curve.value("label", model + ' ' + key), {}, {}, {}, draw_style::lines, true};
    for (const double x : at) {
      json arguments = curve.at("arguments");
      if (curve.contains("x")) {
        const auto whole = static_cast<std::int64_t>(x);
        arguments[curve["x"].get<std::string>()] = static_cast<double>(whole) == x ? json(whole) : json(x);
      }
      const json result = theory_(model, arguments);
      if (!result.contains(key)) fail(fmt::format("the model {} has no result '{}'", model, key));
      s.x.push_back(x);
      s.y.push_back(result[key].is_number() ? result[key].get<double>() / base_at(x) : std::nan(""));
    }
    chart_.series.push_back(std::move(s));
  }

  const bool ahead_;
  const json& wanted_;
  const plan_folder& plan_;
  const result_table& results_;
  const formula& theory_;
  const std::string x_, y_;
  const bool over_time_;
  bool several_ = false, bars_ = false;           // seeds of a point; intervals that can be seen
  std::map<double, const configuration*> bases_;  // by x; nullptr: more than one
  chart chart_;
};

}  // namespace

picture draw(const json& wanted, const plan_folder& plan, const result_table& results,
             const formula& theory) {
  return drawer(wanted, plan, results, theory, false).run();
}

void check_picture(const json& wanted, const plan_folder& plan, const formula& theory) {
  const result_table none(plan);
  drawer(wanted, plan, none, theory, true).run();
}

std::string setting_named(const std::string& written, const nlohmann::ordered_json& settings) {
  if (settings.contains(written)) return written;
  const std::string end = '.' + written;
  std::string found;
  for (const auto& [path, ignored] : settings.items()) {
    if (path.size() <= end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) continue;
    if (!found.empty())
      throw config_error(
          fmt::format("found '{}', which is {} and {}, expected more of one of them", written, found, path));
    found = path;
  }
  return found;
}

}  // namespace spillway
