#pragma once
#include <optional>
#include <string>
#include <vector>

namespace spillway {

enum class draw_style { lines, points, lines_points, steps, boxes };

/// One curve. `y` may hold not-a-number for points that are not there.
struct chart_series {
  std::string label;  ///< in the key; empty: not in the key
  std::vector<double> x, y;
  std::vector<double> y_error;  ///< half the length of each error bar; empty: none
  draw_style style = draw_style::lines_points;
  bool dashed = false;  ///< theory beside measurement
};

/// A line across the chart.
struct marker_line {
  bool vertical = true;
  double at = 0;
  std::string label;
};

/// Coloured cells: rows from the bottom up, columns along x.
struct heat_map {
  std::vector<std::vector<double>> rows;  ///< of equal length; not-a-number: grey
  std::vector<std::string> row_labels;    ///< one a row, or empty
  double x_start = 0, x_step = 1;         ///< left edge and width of the columns
  double low = 0, high = 1;               ///< ends of the colour scale
  std::string label;                      ///< beside the colour scale
};

/// One chart: curves, or bars in groups when `categories` is not empty (then y[i] of each series belongs
/// to category i and x is not used), or a heat map, which of these limits has x_max: a last column that
/// goes beyond it ends there. Any text may hold any character.
struct chart {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<chart_series> series;
  std::vector<std::string> categories;
  std::optional<heat_map> heat;
  std::vector<marker_line> markers;
  std::optional<double> box_width;                   ///< of boxes that stand at x, in units of x
  std::optional<double> x_min, x_max, y_min, y_max;  ///< otherwise from the data; a linear y starts at 0
};

/// Charts in one picture, row by row.
struct figure {
  std::string title;
  std::vector<chart> panels;
  unsigned columns = 1;
  unsigned panel_width = 800, panel_height = 340;  ///< pixels
};

/// Draws with gnuplot; the colours can be told apart by the colour-blind. Returns a complete SVG document,
/// the same bytes for the same figure. Throws gnuplot_missing, gnuplot_error, and std::invalid_argument when
/// lengths do not match.
std::string to_svg(const figure& f);
std::string to_svg(const chart& c);

/// The `<svg>` element of such a document, to stand in an HTML page: its ids start with `prefix` so that
/// several can share the page, and `description` is read to those who cannot see it.
std::string inline_svg(const std::string& svg, const std::string& prefix, const std::string& description);

}  // namespace spillway
