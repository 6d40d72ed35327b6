#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <spillway/tb/report/chart.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/text.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using script = std::string;

template <class... T>
void add(script& s, fmt::format_string<T...> format, T&&... arguments) {
  fmt::format_to(std::back_inserter(s), format, std::forward<T>(arguments)...);
  s += '\n';
}

// Okabe and Ito's colours, the yellow left out: on white it can hardly be seen.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<int, 7> point_types = {7, 5, 9, 11, 13, 6, 4};

// Magma from light to dark: even steps of lightness, so it also holds in grey print.
constexpr const char* palette =
    "0 '#fcfdf4', 0.04 '#fcfdbf', 0.125 '#fec287', 0.25 '#fb8761', 0.375 '#e55964', 0.5 '#b5367a', "
    "0.625 '#812581', 0.75 '#4f127b', 0.875 '#1c1044', 1 '#000004'";

std::string in_script(double value) { return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN"; }

std::string bound(const std::optional<double>& value, const char* otherwise) {
  return value && std::isfinite(*value) ? in_script(*value) : otherwise;
}

bool drawable(double x, double y, const chart& c) {
  return std::isfinite(x) && std::isfinite(y) && (!c.log_x || x > 0) && (!c.log_y || y > 0);
}

double category_x(const chart& c, std::size_t series, std::size_t category) {
  const auto n = static_cast<double>(c.series.size());
  return static_cast<double>(category) + (static_cast<double>(series) - (n - 1) / 2) * 0.8 / n;
}

double x_of(const chart& c, std::size_t series, std::size_t point) {
  return c.categories.empty() ? c.series[series].x[point] : category_x(c, series, point);
}

void check(const chart& c) {
  for (const chart_series& s : c.series) {
    const std::size_t points = c.categories.empty() ? s.x.size() : c.categories.size();
    if (s.y.size() != points || (!s.y_error.empty() && s.y_error.size() != points))
      throw std::invalid_argument(fmt::format("chart '{}', series '{}': {} points, {} y values, {} errors",
                                              c.title, s.label, points, s.y.size(), s.y_error.size()));
  }
  if (!c.heat) return;
  for (const auto& row : c.heat->rows)
    if (row.size() != c.heat->rows.front().size())
      throw std::invalid_argument(fmt::format("chart '{}': rows of unequal length", c.title));
  if (!c.heat->row_labels.empty() && c.heat->row_labels.size() != c.heat->rows.size())
    throw std::invalid_argument(fmt::format("chart '{}': one label a row is needed", c.title));
}

bool empty(const chart& c) {
  if (c.heat) return c.heat->rows.empty() || c.heat->rows.front().empty();
  for (std::size_t s = 0; s < c.series.size(); ++s)
    for (std::size_t i = 0; i < c.series[s].y.size(); ++i)
      if (drawable(x_of(c, s, i), c.series[s].y[i], c)) return false;
  return true;
}

/// Whether ticks of six digits may stand at the y axis, which ends with a round number above the values.
bool has_long_ticks(const chart& c) {
  const double most = c.log_y ? 1e4 : 5e4;
  return std::any_of(c.series.begin(), c.series.end(), [&](const chart_series& one) {
    return std::any_of(one.y.begin(), one.y.end(), [&](double y) { return y > most; });
  });
}

/// In characters: for the ticks of the y axis, and for its name.
std::size_t left_margin(const chart& c) {
  std::size_t letters = has_long_ticks(c) ? 7 : 5;
  if (c.heat)
    for (const std::string& label : c.heat->row_labels) letters = std::max(letters, label.size());
  return letters + 5;
}

void add_frame(script& s, const chart& c, std::size_t left_margin) {
  add(s, "reset");
  add(s, "set encoding utf8\nset datafile missing 'NaN'\nset tics nomirror out\nset border 3 lc '#444444'");
  add(s, "set format x '%h'\nset format y '%h'\nset errorbars 0.6\nset lmargin {}", left_margin);
  if (!c.title.empty()) add(s, "set title {}", gnuplot_quote(c.title));
  if (!c.x_label.empty()) add(s, "set xlabel {}", gnuplot_quote(c.x_label));
  if (!c.y_label.empty()) add(s, "set ylabel {}", gnuplot_quote(c.y_label));
}

void add_markers(script& s, const chart& c) {
  double height = 0.96;
  for (const marker_line& m : c.markers) {
    if (!std::isfinite(m.at) || (m.at <= 0 && (m.vertical ? c.log_x : c.log_y))) continue;
    const std::string at = in_script(m.at);
    // On a heat map the line must show on light and dark, and the label stands above.
    const std::string line =
        fmt::format("nohead front dt (6,4) lw 1.2 lc '{}'", c.heat ? "#1e90ff" : "#444444");
    if (m.vertical && c.heat) {
      add(s, "set arrow from first {0}, graph 0 to first {0}, graph 1.04 {1}", at, line);
      add(s, "set label {} at first {}, graph 1 offset 0,0.9 center tc '#222222'", gnuplot_quote(m.label),
          at);
    } else if (m.vertical) {
      add(s, "set arrow from first {0}, graph 0 to first {0}, graph 1 {1}", at, line);
      add(s, "set label {} at first {}, graph {:.2f} offset 0.5,0 front tc '#222222'", gnuplot_quote(m.label),
          at, height);
      height = height < 0.75 ? 0.96 : height - 0.075;  // neighbours do not write over each other
    } else {
      add(s, "set arrow from graph 0, first {0} to graph 1, first {0} {1}", at, line);
      add(s, "set label {} at graph 0.99, first {} right offset 0,0.5 front tc '#222222'",
          gnuplot_quote(m.label), at);
    }
  }
}

void add_ranges(script& s, const chart& c) {
  if (c.log_x) add(s, "set logscale x");
  if (c.log_y) add(s, "set logscale y");
  bool negative = false;
  for (const chart_series& one : c.series)
    for (const double y : one.y) negative = negative || y < 0;
  const char* lowest = c.log_y || negative ? "*" : "0";
  if (!c.categories.empty())
    add(s, "set xrange [-0.6:{}]", in_script(static_cast<double>(c.categories.size()) - 0.4));
  else
    add(s, "set xrange [{}:{}]", bound(c.x_min, "*"), bound(c.x_max, "*"));
  add(s, "set yrange [{}:{}]", bound(c.y_min, lowest), bound(c.y_max, "*"));
  add(s, "set grid ytics lt 1 lw 0.5 lc '#dddddd'");
}

void add_categories(script& s, const chart& c) {
  std::string tics;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < c.categories.size(); ++i) {
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_quote_tic(c.categories[i]), i);
    letters += c.categories[i].size() + 2;
  }
  add(s, "set xtics {}({})", letters > 80 ? "rotate by -35 left " : "", tics);
}

// A key above the chart is above its title too, so there the title is the key's.
void add_key(script& s, const chart& c) {
  const auto named =
      std::count_if(c.series.begin(), c.series.end(), [](auto& one) { return !one.label.empty(); });
  if (named == 0) {
    add(s, "unset key");
  } else if (named > 5) {
    add(s, "set key outside right top vertical Left reverse samplen 2.5");
  } else {
    add(s, "unset title\nset key outside top center horizontal Left reverse samplen 2.5 title {}",
        gnuplot_quote(c.title));
  }
}

bool is_boxes(const chart& c, const chart_series& s) {
  return !c.categories.empty() || s.style == draw_style::boxes;
}

std::string style_of(const chart& c, const chart_series& s, std::size_t index) {
  const std::string colour = fmt::format("lc '{}'", colours[index % colours.size()]);
  const std::size_t round = index / colours.size();  // through the colours
  const std::string dash = round > 1 ? "dt (2,3)" : s.dashed || round == 1 ? "dt (8,4)" : "dt 1";
  const std::string points = fmt::format("pt {} ps 0.7", point_types[index % point_types.size()]);
  if (is_boxes(c, s))
    return s.y_error.empty() ? "with boxes fs solid noborder " + colour
                             : "with boxerrorbars fs solid border lc '#222222' " + colour;
  switch (s.style) {
    case draw_style::points:
      return fmt::format("with points {} {}", points, colour);
    case draw_style::lines_points:
      return fmt::format("with linespoints lw 1.8 {} {} {}", dash, points, colour);
    case draw_style::steps:
      return fmt::format("with steps lw 1.8 {} {}", dash, colour);
    default:
      return fmt::format("with lines lw 1.8 {} {}", dash, colour);
  }
}

std::string error_bars(const chart& c, const chart_series& s, std::size_t index) {
  if (s.y_error.empty() || is_boxes(c, s)) return "";  // those of boxes come with the boxes
  return fmt::format("$d{} using 1:2:3:4 notitle with yerrorbars pt {} ps 0.7 lw 1.2 lc '{}', ", index,
                     point_types[index % point_types.size()], colours[index % colours.size()]);
}

std::optional<double> box_width(const chart& c) {
  return c.categories.empty() ? c.box_width
                              : 0.74 / static_cast<double>(std::max<std::size_t>(1, c.series.size()));
}

void add_curves(script& s, const chart& c) {
  add_ranges(s, c);
  if (!c.categories.empty()) add_categories(s, c);
  const std::optional<double> width = box_width(c);
  if (width) add(s, "set boxwidth {}", in_script(*width));
  add_key(s, c);
  std::string bars, curves;
  for (std::size_t i = 0; i < c.series.size(); ++i) {
    const chart_series& one = c.series[i];
    add(s, "$d{} << EOD", i);
    for (std::size_t j = 0; j < one.y.size(); ++j) {
      const double x = x_of(c, i, j), y = drawable(x, one.y[j], c) ? one.y[j] : std::nan("");
      const double error = one.y_error.empty() ? 0 : one.y_error[j];
      // A log axis has no place for an error bar that reaches zero: it ends at a hundredth of the value.
      const double low = c.log_y ? std::max(y - error, y / 100) : y - error;
      add(s, "{} {} {} {} {}", in_script(x), in_script(y), in_script(low), in_script(y + error),
          in_script(width.value_or(1)));
    }
    add(s, "EOD");
    const std::string title = one.label.empty() ? "notitle" : "title " + gnuplot_quote(one.label);
    if (i != 0) curves += ", ";
    const bool with_bars = is_boxes(c, one) && !one.y_error.empty();
    bars += error_bars(c, one, i);
    curves +=
        fmt::format("$d{} using {} {} {}", i, with_bars ? "1:2:3:4:5" : "1:2", title, style_of(c, one, i));
  }
  // gnuplot clears the middle of an error bar: all bars go under all curves.
  add(s, "plot {}{}", bars, curves);
}

/// Columns `first` to `last` of a heat map, those of `width` from x on. Returns how they are plotted.
std::string add_cells(script& s, const std::string& name, const heat_map& h, std::size_t first,
                      std::size_t last, double x, double width) {
  // gnuplot's images have at least two rows and two columns.
  const std::size_t row_copies = h.rows.size() == 1 ? 2 : 1, column_copies = last - first == 1 ? 2 : 1;
  add(s, "${} << EOD", name);
  for (std::size_t r = 0; r < h.rows.size() * row_copies; ++r) {
    std::string line;
    for (std::size_t i = first * column_copies; i < last * column_copies; ++i)
      line += in_script(h.rows[r / row_copies][i / column_copies]) + ' ';
    add(s, "{}", line);
  }
  add(s, "EOD");
  return fmt::format("${} matrix using ({} + ($1 + 0.5) * {}):(($2 + 0.5) / {} - 0.5):3 with image notitle",
                     name, in_script(x), in_script(width / static_cast<double>(column_copies)),
                     in_script(static_cast<double>(row_copies)));
}

void add_heat_map(script& s, const chart& c) {
  const heat_map& h = *c.heat;
  const std::size_t rows = h.rows.size(), columns = h.rows.front().size();
  const double last = h.x_start + h.x_step * static_cast<double>(columns - 1), whole = last + h.x_step;
  const double end = std::min(whole, c.x_max.value_or(whole));
  std::string cells;
  if (end == whole || columns == 1) {
    cells = add_cells(s, "m", h, 0, columns, h.x_start, (end - h.x_start) / static_cast<double>(columns));
  } else {
    // gnuplot does not cut an image off at the axis: a narrower last column is an image of its own. That of
    // the others covers the column before it, so that no gap can be seen.
    cells = add_cells(s, "e", h, columns - 2, columns, last - (end - last), end - last) + ", ";
    cells += add_cells(s, "m", h, 0, columns - 1, h.x_start, h.x_step);
  }
  add(s, "set xrange [{}:{}]", in_script(h.x_start), in_script(end));
  add(s, "set yrange [-0.5:{}]", in_script(static_cast<double>(rows) - 0.5));
  if (!h.row_labels.empty()) {
    const std::size_t every = (rows + 15) / 16;
    std::string tics;
    for (std::size_t r = 0; r < rows; r += every)
      tics += fmt::format("{}{} {}", r == 0 ? "" : ", ", gnuplot_quote_tic(h.row_labels[r]), r);
    add(s, "set ytics ({})", tics);
  }
  add(s, "set palette defined ({})", palette);
  add(s, "set cbrange [{}:{}]\nset format cb '%h'", in_script(h.low), in_script(h.high));
  if (!h.label.empty()) add(s, "set cblabel {}", gnuplot_quote(h.label));
  add(s, "set object rectangle from graph 0,0 to graph 1,1 behind fs solid noborder fc '#c8c8c8'");
  add(s, "unset key");
  add(s, "plot {}", cells);
}

void add_panel(script& s, const chart& c, std::size_t left_margin) {
  check(c);
  add_frame(s, c, left_margin);
  if (c.heat && !c.markers.empty()) add(s, "set tmargin {}", c.title.empty() ? 2.5 : 4.5);
  if (c.heat && !c.markers.empty() && !c.title.empty()) add(s, "set title offset 0,1");
  if (empty(c)) {
    add(s, "set xrange [0:1]\nset yrange [0:1]\nunset key\nunset tics");
    add(s, "set label 'no data' at graph 0.5, graph 0.5 center tc '#444444'\nplot NaN notitle");
    return;
  }
  add_markers(s, c);
  if (c.heat)
    add_heat_map(s, c);
  else
    add_curves(s, c);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

void remove_between(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
    const std::size_t end = text.find(to, at);
    if (end == std::string::npos) return;
    text.erase(at, end + to.size() - at);
  }
}

}  // namespace

std::string to_svg(const figure& f) {
  const unsigned columns = std::max(1u, f.columns);
  const auto count = static_cast<unsigned>(f.panels.size());
  const unsigned rows = std::max(1u, (count + columns - 1) / columns);
  script s;
  add(s, "set terminal svg size {},{} noenhanced font 'sans-serif,13' background '#ffffff'",
      columns * f.panel_width, rows * f.panel_height + (f.title.empty() ? 0 : 30));
  add(s, "set multiplot layout {},{}{}", rows, columns,
      f.title.empty() ? "" : " title " + gnuplot_quote(f.title));
  std::size_t margin = 0;  // of all, so that they stand in line
  for (const chart& c : f.panels) margin = std::max(margin, left_margin(c));
  for (const chart& c : f.panels) add_panel(s, c, margin);
  add(s, "unset multiplot");
  std::string svg = run_gnuplot(s);
  if (svg.find("</svg>") == std::string::npos) throw gnuplot_error("gnuplot drew nothing");
  // A mouse over a curve would show gnuplot's name for it; cells of a heat map keep sharp edges.
  remove_between(svg, "<title>gnuplot_plot", "</title>");
  replace_all(svg, "<image ", "<image style='image-rendering:pixelated' ");
  replace_all(svg, "<title>Gnuplot</title>", "<title>" + html_escape(one_line(f.title)) + "</title>");
  return svg;
}

std::string to_svg(const chart& c) {
  figure f;
  f.panels.push_back(c);
  return to_svg(f);
}

std::string inline_svg(const std::string& svg, const std::string& prefix, const std::string& description) {
  const std::size_t start = svg.find("<svg");
  const std::size_t end = svg.rfind("</svg>");
  if (start == std::string::npos || end == std::string::npos) return "";
  std::string result = svg.substr(start, end + 6 - start);
  for (const std::string quote : {"'", "\""}) {
    replace_all(result, " id=" + quote, " id=" + quote + prefix);
    replace_all(result, "href=" + quote + "#", "href=" + quote + "#" + prefix);
  }
  replace_all(result, "url(#", "url(#" + prefix);
  remove_between(result, "<title>", "</title>");
  remove_between(result, "<desc>", "</desc>");
  const std::string label = html_escape(one_line(description));
  result.replace(0, 4, fmt::format(R"(<svg role="img" aria-label="{}")", label));
  return result;
}

}  // namespace spillway
