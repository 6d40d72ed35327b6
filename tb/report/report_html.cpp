// The report of a run: one HTML page with its pictures in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/tb/report/chart.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/html_page.hpp>
#include <spillway/tb/report/live_page.hpp>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>

namespace spillway {

namespace {

std::string grouped(std::uint64_t value) {
  std::string digits = fmt::format("{}", value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), "\u2009");  // thin space
  return digits;
}

std::string text_of(double value, int digits = 5) {
  if (!std::isfinite(value)) return "\u2013";
  if (value == std::floor(value) && std::fabs(value) < 1e15 && value >= 0)
    return grouped(static_cast<std::uint64_t>(value));
  return fmt::format("{:.{}g}", value, digits);
}

/// With half of the confidence interval of 95 %, if there is one: two digits of it, or all that are before
/// the point.
std::string with_interval(double value, double half_width) {
  if (!std::isfinite(half_width)) return text_of(value);
  return text_of(value) + " \u00b1 " + text_of(half_width < 100 ? half_width : std::round(half_width), 2);
}

class table {
public:
  explicit table(const std::string& caption, const std::vector<std::string>& heads) {
    text_ = "<div class=\"wide\">\n<table>\n<caption>" + html_escape(caption) + "</caption>\n<thead><tr>";
    for (std::size_t i = 0; i < heads.size(); ++i)
      text_ += fmt::format("<th scope=\"col\"{}>{}</th>", is_number(i) ? " class=\"number\"" : "", heads[i]);
    text_ += "</tr></thead>\n<tbody>\n";
  }
  /// The first cell names the row.
  void row(const std::vector<std::string>& cells) {
    text_ += "<tr><th scope=\"row\">" + html_escape(cells.front()) + "</th>";
    for (std::size_t i = 1; i < cells.size(); ++i)
      text_ += fmt::format("<td{}>{}</td>", is_number(i) ? " class=\"number\"" : "", html_escape(cells[i]));
    text_ += "</tr>\n";
  }
  std::string end() const { return text_ + "</tbody>\n</table>\n</div>\n"; }

private:
  static bool is_number(std::size_t column) { return column != 0; }
  std::string text_;
};

std::string run_table(const run_record& r) {
  std::string rows;
  const auto row = [&](const char* name, const std::string& value, const char* unit) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td>{}</td></tr>\n", name,
                        html_escape(value), unit);
  };
  row("Throughput", with_interval(r.throughput, r.confidence.throughput),
      "packets a cycle and terminal, measured part");
  row("Throughput in flits", text_of(r.throughput_flits), "flits a cycle and terminal, measured part");
  row("Offered", text_of(r.offered), "packets a cycle and terminal, measured part");
  row("Offered in flits", text_of(r.offered_flits), "flits a cycle and terminal, as rates are");
  row("Hops", text_of(r.hops), "flits that switches forwarded for each delivered, control traffic included");
  row("Created", grouped(r.created), "packets");
  row("Injected", grouped(r.injected), "packets");
  row("Delivered", grouped(r.delivered), "packets");
  row("Lost", grouped(r.lost), "flits");
  row("Duplicated", grouped(r.duplicated), "flits");
  row("Misordered", grouped(r.misordered), "packets, or flits within one");
  row("Corrupted", grouped(r.corrupted), "flits, misrouted ones included");
  row("Written off by a reset", grouped(r.reset_dropped), "packets");
  row("Violations of link rules", grouped(r.violations), "");
  row("Length of the run", grouped(r.cycles), "cycles");
  if (r.measured_cycles != 0)
    row("Measured part", fmt::format("{} – {}", r.measured_from, r.measured_from + r.measured_cycles),
        "cycles");
  row("Terminals", grouped(r.terminals), "");
  row("Blocks", grouped(r.blocks), "");
  row("Links", grouped(r.links), "");
  row("Seed", fmt::format("{}", r.seed), "");
  row("Kernel", r.kernel, "");
  return "<div class=\"wide\">\n<table>\n<thead><tr><th scope=\"col\">What</th><th scope=\"col\" "
         "class=\"number\">Value</th>"
         "<th scope=\"col\">Unit</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n</div>\n";
}

std::string latency_table(const run_record& r) {
  table t("Latency in cycles, measured part",
          {"Packets", "Number", "Mean", "Median", "99th percentile", "Maximum"});
  const auto add = [&](const std::string& name, const std::string& count, const latency_summary& s,
                       double half_width = not_measured) {
    t.row({name, count, with_interval(s.mean, half_width), text_of(s.p50), text_of(s.p99), text_of(s.max)});
  };
  add("All, from creation", "", r.latency, r.confidence.latency);
  add("All, from injection", "", r.network_latency);
  for (const auto& [name, c] : r.classes) {
    add(name + ", from creation", grouped(c.delivered), c.latency);
    add(name + ", from injection", grouped(c.delivered), c.network_latency);
  }
  return t.end();
}

std::string counter_table(const run_record& r) {
  if (r.counters.empty()) return "";
  table t("Counters of the mechanisms", {"Counter", "Value"});
  for (const auto& [name, value] : r.counters) t.row({name, text_of(value, 8)});
  return t.end();
}

std::string measured_tables(const run_record& r) {
  std::string text;
  for (const table_record& measured : r.tables) {
    std::vector<std::string> heads;
    for (const std::string& head : measured.heads) heads.push_back(html_escape(head));
    table t(measured.caption, heads);
    for (const auto& row : measured.rows) t.row(row);
    text += t.end();
  }
  return text;
}

std::string pictures(const run_record& r) {
  std::string text;
  try {
    unsigned number = 0;
    for (const picture& p : run_pictures(r))
      text += html_figure(to_svg(p.drawing), fmt::format("p{}_", ++number), p.caption, p.over_time);
  } catch (const gnuplot_missing& e) {
    return "<p>There are no pictures, because " + html_escape(e.what()) +
           ". Install gnuplot, then call <code>spillway plot</code> on this folder.</p>\n";
  } catch (const gnuplot_error& e) {
    return "<p>There are no pictures: " + html_escape(e.what()) + ".</p>\n";
  }
  if (const std::string network = network_svg({r}); !network.empty())
    text += html_figure(network, "network_", network_caption({r}), !r.network.history.cycles.empty());
  if (!r.network.history.left_out.empty())
    text += "<p>The network over time is left out: " + html_escape(r.network.history.left_out) + ".</p>\n";
  if (text.empty()) return "<p>This run recorded nothing to draw.</p>\n";
  return text;
}

std::string status_line(const run_record& r) {
  std::string text = fmt::format("<p class=\"status {}\">Status: <strong>{}</strong>",
                                 r.status == "ok" ? "fine" : "fault", html_escape(r.status));
  if (r.partial) text += ". The run stopped before its end: the numbers are those up to there";
  if (r.saturated) text += ". The network is saturated: latency depends on the length of the run";
  text += ".</p>\n";
  if (r.warmup_found)
    text += fmt::format("<p>Warm-up of {} cycles, found by the rule MSER-5.</p>\n", r.measured_from);
  if (!r.confidence.warning.empty())
    text += "<p class=\"open\">Warning: " + html_escape(r.confidence.warning) + ".</p>\n";
  return text;
}

std::string findings(const run_record& r) {
  if (r.findings.empty()) return "<p>None.</p>\n";
  std::string text = "<ul>\n";
  for (const std::string& f : r.findings) text += "<li>" + html_escape(f) + "</li>\n";
  return text + "</ul>\n";
}

}  // namespace

std::string report_html(const run_record& r) {
  const std::string name = html_escape(one_line(r.name.empty() ? "unnamed run" : r.name));
  std::string page = "<h1>" + name + "</h1>\n" + status_line(r);
  page += "<h2>Findings</h2>\n" + findings(r);
  page += "<h2>Numbers</h2>\n" + run_table(r) + latency_table(r) + counter_table(r) + measured_tables(r);
  page += "<h2>Pictures</h2>\n" + live_html(r) + pictures(r);
  page +=
      "<h2>Configuration</h2>\n<p>The experiment as it ran, every default filled in. "
      "<code>spillway run config.yaml</code> runs it again.</p>\n";
  page += "<pre>" + html_escape(r.config_yaml) + "</pre>\n";
  return html_page(name + " – Spillway", page);
}

}  // namespace spillway
