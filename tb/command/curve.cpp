#include <fmt/format.h>

#include <cmath>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/command/study.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/written_files.hpp>
#include <spillway/tb/sweep/statistics.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr unsigned most_points = 1000;

/// What goes along the curve.
struct load_axis {
  std::string key;
  std::vector<double> loads;
};

/// KEY=FROM:TO:STEP. Loads are round numbers.
load_axis read_axis(const std::string& text) {
  const auto fail = [&] {
    throw config_error(fmt::format(
        "--over: found '{}', expected KEY=FROM:TO:STEP, such as traffic.0.rate=0.05:0.6:0.05", text));
  };
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) fail();
  std::vector<double> numbers;
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    std::size_t used = 0;
    try {
      numbers.push_back(std::stod(word, &used));
    } catch (const std::exception&) {
      fail();
    }
    if (used != word.size() || !std::isfinite(numbers.back())) fail();
    begin = end + 1;
  }
  if (numbers.size() != 3 || numbers[2] <= 0 || numbers[1] < numbers[0]) fail();
  const double steps = std::floor((numbers[1] - numbers[0]) / numbers[2] + 1e-9);
  if (steps >= most_points)
    throw config_error(
        fmt::format("--over: found {:.0f} loads, expected at most {}", steps + 1, most_points));
  load_axis axis{text.substr(0, equals), {}};
  for (double i = 0; i <= steps; ++i)
    axis.loads.push_back(std::stod(fmt::format("{:.12g}", numbers[0] + i * numbers[2])));
  return axis;
}

/// The name that a sweep in that folder has: `.` and `DIR/` have one, too.
std::string folder_name(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

/// The sweep that a curve is. It stays in the folder: `spillway sweep` takes it, too.
ordered_json sweep_of(const std::vector<fs::path>& experiments, const fs::path& folder, const load_axis& axis,
                      const study_arguments& a) {
  const auto relative = [&](const fs::path& file) {
    return fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  };
  ordered_json sweep{{"name", folder_name(folder)},
                     {"experiment", relative(experiments.front()).string()},
                     {"cases", ordered_json::array()},
                     {"grid", {{axis.key, axis.loads}}},
                     {"seeds", a.seeds}};
  for (const std::string& one : a.overrides) {
    const override_value set = read_override(one);
    sweep["set"][set.path] = set.value;
  }
  for (const fs::path& file : experiments)
    sweep["cases"].push_back({{"name", file.stem().string()}, {"experiment", relative(file).string()}});
  return sweep;
}

/// A key that the curve sets itself would be passed over, or be told where the sweep would be.
void check_keys(const load_axis& axis, const study_arguments& a) {
  if (axis.key == "seed")
    throw config_error("--over seed: found the seeds, expected a load; --seeds N has N of them");
  for (const std::string& one : a.overrides) {
    const std::string key = read_override(one).path;
    if (key == "seed")
      throw config_error(
          fmt::format("--set {}: found a seed, expected none: --seeds N has those from 1 to N", one));
    if (key == axis.key)
      throw config_error(fmt::format("--set {}: found {}, which --over sets as well", one, key));
  }
}

/// Wrong input is told where it was written, which is not the sweep.
void check_input(const std::vector<fs::path>& experiments, const load_axis& axis, const study_arguments& a,
                 const catalogue& all) {
  check_keys(axis, a);
  std::set<std::string> names;
  for (const fs::path& file : experiments)
    if (!names.insert(file.stem().string()).second)
      throw config_error(fmt::format("{}: found '{}' twice, expected files of different names", file.string(),
                                     file.stem().string()));
  std::vector<double> loads{axis.loads.front(), axis.loads.back()};  // which tell most
  loads.insert(loads.end(), axis.loads.begin(), axis.loads.end());
  for (const fs::path& file : experiments)
    for (std::size_t i = 0; i < loads.size(); ++i) {
      std::vector<std::string> overrides = a.overrides;
      overrides.push_back(fmt::format("{}={}", axis.key, loads[i]));
      const document read = load_document(file.string(), experiment_schema(all), overrides);
      for (const written_file& one : written_files(read.root))
        read.fail(one.at, fmt::format("found {}, expected none: all runs would write that file", one.what));
      if (i < 2) read_experiment(read, all);
    }
}

/// One experiment, load by load.
struct measured_curve {
  std::string name;
  std::vector<double> loads;
  std::vector<estimate> throughput, packets, latency;  // delivered flits, as rates are; packets; of packets
  std::vector<bool> saturated;                         // takes less than is offered

  bool ignores_load() const {
    return std::all_of(throughput.begin(), throughput.end(),
                       [this](const estimate& e) { return e.mean == throughput.front().mean; });
  }
  /// Index of the least load from which on all are too much; size() without one. At a light load a few
  /// packets on their way may be a large share.
  std::size_t saturates() const {
    return static_cast<std::size_t>(saturated.rend() -
                                    std::find(saturated.rbegin(), saturated.rend(), false));
  }
};

estimate number(const result_table& results, const configuration& c, const std::string& key) {
  const auto& keys = results.keys();
  return std::find(keys.begin(), keys.end(), key) == keys.end() ? estimate{}
                                                                : t_interval(results.values(c, key));
}

std::vector<measured_curve> read_curves(const result_table& results, const load_axis& axis) {
  std::vector<measured_curve> curves;
  for (const configuration& c : results.rows()) {
    if (curves.empty() || curves.back().name != c.name) curves.push_back({c.name, {}, {}, {}, {}, {}});
    measured_curve& curve = curves.back();
    curve.loads.push_back(c.settings.at(axis.key));
    curve.throughput.push_back(number(results, c, "throughput_flits"));
    curve.packets.push_back(number(results, c, "throughput"));
    curve.latency.push_back(number(results, c, "latency.mean"));
    const double terminal_cycles =
        number(results, c, "measured_cycles").mean * number(results, c, "terminals").mean;
    curve.saturated.push_back(falls_behind(curve.packets.back().mean, number(results, c, "offered").mean,
                                           sustained_share, terminal_cycles));
  }
  return curves;
}

std::string cell(const estimate& e) { return std::isfinite(e.mean) ? fmt::format("{:.4g}", e.mean) : "-"; }

std::string curves_text(const std::vector<measured_curve>& curves, const load_axis& axis) {
  std::string text;
  for (const measured_curve& c : curves) {
    text += fmt::format("{}\n  {:>12}  {:>12}  {:>12}  {:>12}\n", c.name,
                        axis.key.substr(axis.key.rfind('.') + 1), "flits", "packets", "latency");
    for (std::size_t i = 0; i < c.loads.size(); ++i)
      text += fmt::format("  {:>12g}  {:>12}  {:>12}  {:>12}{}\n", c.loads[i], cell(c.throughput[i]),
                          cell(c.packets[i]), cell(c.latency[i]), c.saturated[i] ? "  saturated" : "");
    const std::size_t at = c.saturates();
    if (c.loads.size() > 1 && c.ignores_load())
      text += fmt::format("  nothing depends on {}\n", axis.key);
    else if (at == c.loads.size())
      text += fmt::format("  not saturated up to {:g}\n", c.loads.back());
    else if (at == 0)
      text += fmt::format("  saturated from {:g} on\n", c.loads.front());
    else
      text += fmt::format("  saturates between {:g} and {:g}\n", c.loads[at - 1], c.loads[at]);
  }
  return text + "  flits and packets delivered a cycle and terminal; latency in cycles\n";
}

chart panel(const std::vector<measured_curve>& curves, const load_axis& axis, bool latency) {
  chart drawn;
  drawn.x_label = axis.key;
  drawn.y_label = latency ? "mean latency, cycles" : "flits a cycle and terminal";
  drawn.log_y = latency;
  for (const measured_curve& c : curves) {
    chart_series s{c.name, c.loads, {}, {}, draw_style::lines_points, false};
    for (const estimate& e : latency ? c.latency : c.throughput) {
      s.y.push_back(e.mean);
      s.y_error.push_back(std::isfinite(e.half_width) ? e.half_width : 0);
    }
    drawn.series.push_back(std::move(s));
    if (const std::size_t at = c.saturates(); at < c.loads.size())
      drawn.markers.push_back({true, c.loads[at], c.name + " saturated"});
  }
  return drawn;
}

picture draw_curves(const std::vector<measured_curve>& curves, const load_axis& axis) {
  figure f;
  f.panels = {panel(curves, axis, false), panel(curves, axis, true)};
  return {"curve",
          fmt::format("Throughput and latency against load. A line marks the least load of which less than "
                      "{:.0f} % is delivered.",
                      100 * sustained_share),
          std::move(f)};
}

}  // namespace

int curve(const study_arguments& a, const catalogue& all) {
  const load_axis axis = read_axis(a.over);
  std::vector<fs::path> experiments;
  for (const std::string& name : a.names)
    experiments.push_back(shipped_files("experiments", "experiment").find(name));
  const fs::path folder =
      a.out.empty() ? fs::path("out") / ("curve-" + experiments.front().stem().string()) : fs::path(a.out);
  check_input(experiments, axis, a, all);
  make_folder(folder.string());  // the experiments are named relative to it
  const std::string text = sweep_of(experiments, folder, axis, a).dump(2) + '\n';
  const document file = load_document_text(text, (folder / "sweep.yaml").string(), sweep_schema());
  const plan_folder plan = plan_folder::create(
      folder,
      {{"sweep", folder_name(folder)}, {"build", build_digest()}, {"pictures", ordered_json::array()}},
      expand(file, {document::json_pointer(), "", {}}, experiment_schema(all), folder / "runs" / "id"));
  write_file((folder / "sweep.yaml").string(), text);
  const int status = carry_out(plan, a);
  if (status > 1) return status;
  const std::vector<measured_curve> curves = read_curves(result_table(plan), axis);
  say(curves_text(curves, axis));
  write_pictures(folder, {draw_curves(curves, axis)});
  return status;
}

}  // namespace spillway
