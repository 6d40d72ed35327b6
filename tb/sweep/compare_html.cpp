#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/html_page.hpp>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/sweep/compare_html.hpp>
#include <spillway/tb/sweep/statistics.hpp>

namespace spillway {

namespace {

const column* find(const series_record& s, const std::string& name) {
  const auto found =
      std::find_if(s.columns.begin(), s.columns.end(), [&](auto& c) { return c.name == name; });
  return found == s.columns.end() ? nullptr : &*found;
}

/// `plus` - `minus`, each interval; empty if one of them is not there.
std::vector<double> difference(const run_record& r, const char* plus, const char* minus) {
  const column *const more = find(r.series, plus), *const less = find(r.series, minus);
  if (!more || !less) return {};
  std::vector<double> values = more->values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= less->values[i];
  return values;
}

/// Packets that have been created and neither delivered nor lost in a reset, at the end of each interval.
std::vector<double> backlog_of(const run_record& r) {
  std::vector<double> backlog = difference(r, "created", "delivered");
  const column* const dropped = find(r.series, "reset_dropped");
  for (std::size_t i = 0; i < backlog.size(); ++i) {
    if (i) backlog[i] += backlog[i - 1];
    if (dropped) backlog[i] -= dropped->values[i];
  }
  return backlog;
}

chart curves(const char* y_label) {
  chart c;
  c.x_label = "cycle";
  c.y_label = y_label;
  c.x_min = 0;
  return c;
}

void add_curve(chart& c, const run_record& r, std::vector<double> y) {
  const column* const cycle = find(r.series, "cycle");
  if (!cycle || y.empty()) return;
  // A single point is no line that can be seen.
  const draw_style style = y.size() == 1 ? draw_style::lines_points : draw_style::lines;
  c.series.push_back({r.name, cycle->values, std::move(y), {}, style, false});
}

struct line {
  std::string name;
  std::function<double(const run_record&)> value;
};

double of_class(const run_record& r, const char* name, double latency_summary::*what) {
  const auto found = r.classes.find(name);
  return found == r.classes.end() ? not_measured : found->second.latency.*what;
}

double rate(const run_record& r, const char* name) {
  const auto found = r.classes.find(name);
  if (found == r.classes.end() || r.measured_cycles == 0) return not_measured;
  return static_cast<double>(found->second.delivered) / static_cast<double>(r.measured_cycles);
}

const std::vector<line>& lines_of_all() {
  static const std::vector<line> lines{
      {"cool packets delivered a cycle", [](const run_record& r) { return rate(r, "cool"); }},
      {"hot packets delivered a cycle", [](const run_record& r) { return rate(r, "hot"); }},
      {"latency of cool packets, mean",
       [](const run_record& r) { return of_class(r, "cool", &latency_summary::mean); }},
      {"latency of cool packets, p99",
       [](const run_record& r) { return of_class(r, "cool", &latency_summary::p99); }},
      {"latency of hot packets, mean",
       [](const run_record& r) { return of_class(r, "hot", &latency_summary::mean); }},
      {"cycles until all had arrived or the run ended",
       [](const run_record& r) { return static_cast<double>(r.cycles); }},
  };
  return lines;
}

double counter(const run_record& r, const std::string& name) {
  const auto found = r.counters.find(name);
  return found == r.counters.end() ? not_measured : found->second;
}

/// Those of every run, and what the measurements of the first run add.
std::vector<line> lines_of(const std::vector<seeded_runs>& compared) {
  std::vector<line> lines = lines_of_all();
  for (const compared_number& n : compared.front().front().compared)
    lines.push_back({n.label, [name = n.counter](const run_record& r) { return counter(r, name); }});
  return lines;
}

/// Two digits, or all before the point.
std::string half_width_text(const estimate& e) {
  return e.half_width < 10 ? fmt::format(" ± {:.2g}", e.half_width) : fmt::format(" ± {:.0f}", e.half_width);
}

/// With its interval, if there is one.
std::string number_text(const estimate& e) {
  if (!std::isfinite(e.mean)) return "–";
  return fmt::format("{:.4g}", e.mean) + (e.count > 1 ? half_width_text(e) : "");
}

/// With the difference from the first of those compared, seed by seed.
std::string value_text(const line& l, const seeded_runs& runs, const seeded_runs& first) {
  std::vector<double> values, differences;
  for (std::size_t s = 0; s < runs.size(); ++s) {
    values.push_back(l.value(runs[s]));
    const double base = l.value(first[s]);
    differences.push_back(base != 0 ? 100 * (values.back() / base - 1) : not_measured);
  }
  std::string text = number_text(t_interval(values));
  const estimate difference = t_interval(differences);
  if (&runs == &first || !std::isfinite(difference.mean)) return text;
  text += fmt::format(" ({:+.0f}", difference.mean);
  if (difference.count > 1) text += half_width_text(difference);
  return text + " %)";
}

/// Of several seeds the first that is not well.
std::string status_of(const seeded_runs& runs) {
  const auto spoilt = std::find_if(runs.begin(), runs.end(), [](auto& r) { return r.status != "ok"; });
  return (spoilt == runs.end() ? runs.front() : *spoilt).status;
}

std::vector<run_record> first_seeds(const std::vector<seeded_runs>& compared) {
  std::vector<run_record> runs;
  runs.reserve(compared.size());
  for (const seeded_runs& one : compared) runs.push_back(one.front());
  return runs;
}

/// A number and what follows it stay on one line.
std::string tagged(const std::string& tag, const std::string& text) {
  return "<" + tag + " style=\"white-space: nowrap\">" + html_escape(text) + "</" + tag + ">";
}

std::string table_html(const std::vector<seeded_runs>& compared) {
  const std::size_t seeds = compared.front().size();
  const std::string caption =
      seeds == 1 ? "Measured part of each run; in brackets the difference from the first"
                 : fmt::format(
                       "Measured part of each run: mean and 95 % interval over {} seeds; in brackets "
                       "the difference from the first, seed by seed. Pictures are of seed {}",
                       seeds, compared.front().front().seed);
  std::string text =
      "<div style=\"overflow-x: auto\">\n<table>\n<caption>" + caption + "</caption>\n<tr><th></th>";
  for (const seeded_runs& one : compared) text += tagged("th", one_line(one.front().name));
  text += "</tr>\n<tr><td>status</td>";
  for (const seeded_runs& one : compared) text += tagged("td", status_of(one));
  for (const line& l : lines_of(compared)) {
    text += fmt::format("</tr>\n<tr><td>{}</td>", html_escape(one_line(l.name)));
    for (const seeded_runs& one : compared) text += tagged("td", value_text(l, one, compared.front()));
  }
  return text + "</tr>\n</table>\n</div>\n";
}

std::string figures_html(const std::vector<run_record>& runs) {
  std::string text;
  unsigned number = 0;
  try {
    for (const picture& p : compare_pictures(runs))
      text += html_figure(to_svg(p.drawing), fmt::format("p{}_", ++number), p.caption);
  } catch (const gnuplot_error& e) {
    text += "<p>There are no curves: " + html_escape(e.what()) + ".</p>\n";
  }
  if (const std::string networks = network_svg(runs); !networks.empty())
    text += html_figure(networks, "networks_", network_caption(runs));
  return text;
}

/// What the measurements of the first run add, as bars.
std::optional<picture> compared_bars(const std::vector<run_record>& runs) {
  if (runs.empty() || runs.front().compared.empty()) return std::nullopt;
  chart c;
  c.y_label = "cycles";
  for (const run_record& r : runs) c.categories.push_back(r.name);
  std::string caption;
  for (const compared_number& n : runs.front().compared) {
    chart_series bars{n.label, {}, {}, {}, draw_style::boxes, false};
    for (const run_record& r : runs) bars.y.push_back(counter(r, n.counter));
    c.series.push_back(std::move(bars));
    caption += (caption.empty() ? "" : "; ") + n.label;
  }
  figure f;
  f.panel_height = 300;
  f.panels.push_back(std::move(c));
  return picture{"compared", "Side by side: " + caption + ".", std::move(f)};
}

}  // namespace

std::vector<picture> compare_pictures(const std::vector<run_record>& runs) {
  const auto is_hot = [](const run_record& r) {
    const auto found = r.classes.find("hot");
    return found != r.classes.end() && found->second.delivered != 0;
  };
  const bool hot = std::any_of(runs.begin(), runs.end(), is_hot);
  chart cool = curves(hot ? "cool packets delivered a cycle" : "packets delivered a cycle"),
        waiting = curves("packets created and not delivered");
  for (const run_record& r : runs) {
    std::vector<double> rates = difference(r, "delivered", "delivered_hot");
    const std::vector<double> lengths = lengths_of(r.series);
    for (std::size_t i = 0; i < std::min(rates.size(), lengths.size()); ++i) rates[i] /= lengths[i];
    add_curve(cool, r, std::move(rates));
    add_curve(waiting, r, backlog_of(r));
  }
  std::vector<picture> drawn;
  if (std::optional<picture> bars = compared_bars(runs)) drawn.push_back(std::move(*bars));
  if (cool.series.empty()) return drawn;
  figure f;
  f.panel_height = 300;
  f.panels = {std::move(cool), std::move(waiting)};
  drawn.push_back(
      {"packets",
       fmt::format(
           "Packets{} that are delivered a cycle, and packets that have been created and not delivered, in "
           "the sources and in the network.",
           hot ? " for other terminals than hot ones" : ""),
       std::move(f)});
  return drawn;
}

std::string compare_html(const std::vector<seeded_runs>& compared) {
  const std::vector<run_record> runs = first_seeds(compared);
  std::string names;
  for (const run_record& r : runs) names += (names.empty() ? "" : ", ") + html_escape(one_line(r.name));
  return html_page("Comparison – Spillway",
                   "<h1>" + names + "</h1>\n" + figures_html(runs) + table_html(compared));
}

std::string compare_text(const std::vector<seeded_runs>& compared) {
  std::vector<std::vector<std::string>> rows{{""}, {"status"}};
  for (const seeded_runs& one : compared) {
    rows[0].push_back(one.front().name);
    rows[1].push_back(status_of(one));
  }
  for (const line& l : lines_of(compared)) {
    rows.push_back({l.name});
    for (const seeded_runs& one : compared) rows.back().push_back(value_text(l, one, compared.front()));
  }
  // In bytes, of which a sign has several: columns are a little wide then, and never run together.
  std::size_t names = 0, cells = 0;
  for (const auto& row : rows) {
    names = std::max(names, row.front().size());
    for (std::size_t i = 1; i < row.size(); ++i) cells = std::max(cells, row[i].size() + 2);
  }
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("{:<{}}", row.front(), names);
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("{:>{}}", row[i], cells);
    text += '\n';
  }
  return text;
}

}  // namespace spillway
