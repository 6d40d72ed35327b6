#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <spillway/tb/report/live_page.hpp>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>

namespace spillway {

// Made by CMake from the files of tb/report/page and of dygraphs.
extern const char report_script_text[], report_style_text[], dygraphs_script_text[], dygraphs_style_text[],
    dygraphs_licence_text[];

namespace {

// A chart is zoomed, so it has more points than a still picture.
constexpr std::size_t most_points = 2000;

/// As text of a script.
std::string script_text(const std::string& text) { return nlohmann::json(one_line(text)).dump(); }

std::string numbers(const std::vector<double>& values, int digits) {
  std::string text;
  for (const double v : values)
    text += (text.empty() ? "" : ",") +
            (std::isfinite(v) ? fmt::format("{:.{}g}", v, digits) : std::string("null"));
  return '[' + text + ']';
}

/// Every digit of them: a cycle is a place, not a measured value.
std::string cycles_text(const std::vector<double>& cycles) { return numbers(cycles, 15); }

std::string series_text(const std::string& name, const std::vector<double>& values) {
  return fmt::format(R"({{"name":{},"values":{}}})", script_text(name), numbers(values, 5));
}

struct curves {
  std::vector<double> x;
  std::string series;  ///< as JSON
  std::string more;    ///< further keys
};

/// The rows of a heat map, which ends at `end`, as curves.
curves curves_of(const heat_map& h, std::optional<double> end) {
  curves c;
  for (std::size_t i = 0; i < h.rows.front().size(); ++i)
    c.x.push_back(h.x_start + h.x_step * static_cast<double>(i + 1));
  c.x.back() = end.value_or(c.x.back());
  for (std::size_t row = 0; row < h.rows.size(); ++row)
    c.series += (row ? "," : "") + series_text(h.row_labels[row], h.rows[row]);
  c.more = R"("range":[0,1.02],)";
  return c;
}

curves curves_of(const chart& panel) {
  if (panel.heat) return curves_of(*panel.heat, panel.x_max);
  curves c;
  c.x = panel.series.front().x;
  for (const chart_series& s : panel.series)
    c.series += (c.series.empty() ? "" : ",") + series_text(s.label, s.y);
  for (const marker_line& m : panel.markers)
    if (!m.vertical) c.more = fmt::format(R"("bound":{:.6g},"boundLabel":{},)", m.at, script_text(m.label));
  return c;
}

/// Every panel over time as a chart; what is said of the picture stands below its last one.
std::string charts_text(const run_record& r) {
  std::string text;
  for (const picture& p : run_pictures(r, most_points)) {
    if (!p.over_time) continue;
    for (const chart& panel : p.drawing.panels) {
      const curves c = curves_of(panel);
      const bool last = &panel == &p.drawing.panels.back();
      text += fmt::format(R"({}{{"caption":{},"y":{},{}"x":{},"series":[{}]}})", text.empty() ? "" : ",\n",
                          last ? script_text(p.caption) : R"("")",
                          script_text(panel.heat ? "share in use" : panel.y_label), c.more, cycles_text(c.x),
                          c.series);
    }
  }
  return text;
}

/// Where the measured part begins and ends, if not with the run.
std::string marks_text(const run_record& r) {
  std::vector<double> marks;
  if (r.measured_cycles != 0 && r.measured_from != 0) marks.push_back(static_cast<double>(r.measured_from));
  const std::uint64_t end = r.measured_from + r.measured_cycles;
  if (r.measured_cycles != 0 && end < r.cycles) marks.push_back(static_cast<double>(end));
  return cycles_text(marks);
}

/// JSON that nothing in it can end before its element does.
std::string within_script(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  return json;
}

}  // namespace

bool has_dygraphs() { return dygraphs_script_text[0] != '\0'; }

std::string live_html(const run_record& r) {
  if (!has_dygraphs()) return "";
  const std::string charts = charts_text(r);
  const bool history = !r.network.history.cycles.empty();
  if (charts.empty() && !history) return "";
  const std::string data =
      fmt::format("{{\"cycles\":{},\"marks\":{},\"charts\":[{}],\n\"network\":{}}}", r.cycles, marks_text(r),
                  charts, history ? network_json(r.network) : "{}");
  std::string html = "<div id=\"live\" hidden></div>\n<script type=\"application/json\" id=\"run\">\n";
  html += within_script(data) + "</script>\n";
  html += fmt::format("<style>\n{}{}</style>\n", dygraphs_style_text, report_style_text);
  html += fmt::format("<script>\n/*! dygraphs, which stands below, is licenced so:\n\n{}*/\n{}\n</script>\n",
                      dygraphs_licence_text, dygraphs_script_text);
  return html + fmt::format("<script>\n{}</script>\n", report_script_text);
}

}  // namespace spillway
