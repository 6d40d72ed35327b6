#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <spillway/tb/report/compare_html.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/html_page.hpp>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/text.hpp>

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

chart curves(const char* y_label) {
  chart c;
  c.x_label = "cycle";
  c.y_label = y_label;
  c.x_min = 0;
  return c;
}

void add_curve(chart& c, const run_record& r, std::vector<double> y) {
  const column* const cycle = find(r.series, "cycle");
  if (cycle && !y.empty())
    c.series.push_back({r.name, cycle->values, std::move(y), {}, draw_style::lines, false});
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
std::vector<line> lines_of(const std::vector<run_record>& runs) {
  std::vector<line> lines = lines_of_all();
  for (const compared_number& n : runs.front().compared)
    lines.push_back({n.label, [name = n.counter](const run_record& r) { return counter(r, name); }});
  return lines;
}

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "–"; }

/// With the difference from the first run.
std::string value_text(const line& l, const std::vector<run_record>& runs, std::size_t i) {
  const double value = l.value(runs[i]), first = l.value(runs.front());
  std::string text = number_text(value);
  if (i != 0 && std::isfinite(value) && std::isfinite(first) && first != 0)
    text += fmt::format(" ({:+.0f} %)", 100 * (value / first - 1));
  return text;
}

/// A number and what follows it stay on one line.
std::string cell(const std::string& tag, const std::string& text) {
  return "<" + tag + " style=\"white-space: nowrap\">" + html_escape(text) + "</" + tag + ">";
}

std::string table_html(const std::vector<run_record>& runs) {
  std::string text =
      "<div style=\"overflow-x: auto\">\n<table>\n"
      "<caption>Measured part of each run; in brackets the difference from the "
      "first</caption>\n<tr><th></th>";
  for (const run_record& r : runs) text += cell("th", one_line(r.name));
  text += "</tr>\n<tr><td>status</td>";
  for (const run_record& r : runs) text += cell("td", r.status);
  for (const line& l : lines_of(runs)) {
    text += fmt::format("</tr>\n<tr><td>{}</td>", l.name);
    for (std::size_t i = 0; i < runs.size(); ++i) text += cell("td", value_text(l, runs, i));
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
    for (double& v : rates) v /= static_cast<double>(std::max<std::uint64_t>(1, r.series.interval));
    add_curve(cool, r, std::move(rates));
    std::vector<double> backlog = difference(r, "created", "delivered");
    for (std::size_t i = 1; i < backlog.size(); ++i) backlog[i] += backlog[i - 1];
    add_curve(waiting, r, std::move(backlog));
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

std::string compare_html(const std::vector<run_record>& runs) {
  std::string names;
  for (const run_record& r : runs) names += (names.empty() ? "" : ", ") + html_escape(one_line(r.name));
  return html_page("Comparison – Spillway",
                   "<h1>" + names + "</h1>\n" + figures_html(runs) + table_html(runs));
}

std::string compare_text(const std::vector<run_record>& runs) {
  std::size_t widest = 18;
  for (const run_record& r : runs) widest = std::max(widest, r.name.size() + 2);
  std::string text = fmt::format("{:<48}", "");
  for (const run_record& r : runs) text += fmt::format("{:>{}}", r.name, widest);
  text += fmt::format("\n{:<48}", "status");
  for (const run_record& r : runs) text += fmt::format("{:>{}}", r.status, widest);
  for (const line& l : lines_of(runs)) {
    text += fmt::format("\n{:<48}", l.name);
    for (std::size_t i = 0; i < runs.size(); ++i)
      text += fmt::format("{:>{}}", value_text(l, runs, i), widest);
  }
  return text + '\n';
}

}  // namespace spillway
