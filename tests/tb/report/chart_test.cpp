// What gnuplot is told to draw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <spillway/tb/report/chart.hpp>
#include <string>
#include <support/kept_scripts.hpp>
#include <vector>

namespace spillway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <class Drawing>
std::string script_of(const Drawing& c) {
  const kept_scripts drawn;
  to_svg(c);
  return drawn.text();
}

chart_series curve(std::vector<double> x, std::vector<double> y, std::vector<double> y_error = {}) {
  return {"", std::move(x), std::move(y), std::move(y_error), draw_style::lines_points, false};
}

// A point a line: x, y, and from where to where its bar goes.
TEST(chart_script, has_error_bars_that_reach_as_far_up_as_down) {
  chart c;
  c.series = {curve({1, 2}, {10, 20}, {3, 4})};
  EXPECT_THAT(script_of(c), HasSubstr("$d0 << EOD\n1 10 7 13 1\n2 20 16 24 1\nEOD\nplot $d0 using 1:2:3:4 "
                                      "notitle with yerrorbars"));
  c.log_y = true;
  c.series = {curve({1, 2}, {10, 20}, {3, 40})};
  EXPECT_THAT(script_of(c), HasSubstr("$d0 << EOD\n1 10 7 13 1\n2 20 0.2 60 1\nEOD\n"))
      << "a hundredth of the value in place of what lies below 0";
}

TEST(chart_script, has_the_axes_that_are_wanted) {
  chart c;
  c.series = {curve({1, 2}, {10, 20})};
  const std::string plain = script_of(c);
  EXPECT_THAT(plain, Not(HasSubstr("logscale")));
  EXPECT_THAT(plain, HasSubstr("set xrange [*:*]\nset yrange [0:*]\n"));
  c.log_x = true;
  EXPECT_THAT(script_of(c), HasSubstr("set logscale x\nset xrange [*:*]\nset yrange [0:*]\n"));
  c.log_x = false, c.log_y = true;
  EXPECT_THAT(script_of(c), HasSubstr("set logscale y\nset xrange [*:*]\nset yrange [*:*]\n"));
  c.log_y = false, c.x_min = 0, c.x_max = 5, c.y_max = 30;
  EXPECT_THAT(script_of(c), HasSubstr("set xrange [0:5]\nset yrange [0:30]\n"));
  c.series = {curve({1, 2}, {-10, 20})};
  EXPECT_THAT(script_of(c), HasSubstr("set yrange [*:30]\n")) << "0 would cut off what is below it";
}

// What cannot be drawn on a logarithmic axis is left out.
TEST(chart_script, leaves_out_what_no_axis_has_a_place_for) {
  chart c;
  c.log_x = c.log_y = true;
  c.series = {curve({0, 1, 2, 3}, {5, 0, std::nan(""), 7})};
  c.markers = {{true, 0, "no x"}, {false, 0, "no y"}, {true, 2, "here"}};
  const std::string script = script_of(c);
  EXPECT_THAT(script, HasSubstr("\n0 NaN NaN NaN 1\n1 NaN NaN NaN 1\n2 NaN NaN NaN 1\n3 7 7 7 1\n"));
  EXPECT_THAT(script, HasSubstr("'here'"));
  EXPECT_THAT(script, Not(HasSubstr("'no ")));
}

TEST(chart_script, has_dashes_for_theory_and_where_colours_come_again) {
  chart c;
  for (int i = 0; i < 15; ++i) c.series.push_back(curve({1}, {1}));
  c.series[1].dashed = true;
  const std::string script = script_of(c);
  const auto style = [&script](int number) {
    const std::string start = "$d" + std::to_string(number) + " using 1:2 notitle with linespoints lw 1.8 ";
    const std::size_t at = script.find(start) + start.size();
    return script.substr(at, script.find(" pt ", at) - at);
  };
  EXPECT_EQ(style(0), "dt 1");
  EXPECT_EQ(style(1), "dt (8,4)");
  EXPECT_EQ(style(2), "dt 1");
  EXPECT_EQ(style(7), "dt (8,4)") << "of the colour of the first";
  EXPECT_EQ(style(14), "dt (2,3)");
}

TEST(chart_script, has_marks_across_where_they_are) {
  chart c;
  c.series = {curve({1, 9}, {10, 20})};
  c.markers = {{true, 4, "when"}, {false, 15, "how much"}};
  const std::string script = script_of(c);
  EXPECT_THAT(script, HasSubstr("set arrow from first 4, graph 0 to first 4, graph 1 "));
  EXPECT_THAT(script, HasSubstr("set label 'when' at first 4, graph 0.96 "));
  EXPECT_THAT(script, HasSubstr("set arrow from graph 0, first 15 to graph 1, first 15 "));
  EXPECT_THAT(script, HasSubstr("set label 'how much' at graph 0.99, first 15 "));
}

// Two bars a category, side by side around its number.
TEST(chart_script, has_bars_side_by_side) {
  chart c;
  c.categories = {"one", "two"};
  c.series = {{"a", {}, {1, 2}, {}, draw_style::boxes, false},
              {"b", {}, {3, 4}, {0.5, 0.5}, draw_style::boxes, false}};
  const std::string script = script_of(c);
  EXPECT_THAT(script, HasSubstr("set xtics ('one' 0, 'two' 1)\nset boxwidth 0.37\n"));
  EXPECT_THAT(script, HasSubstr("$d0 << EOD\n-0.2 1 1 1 0.37\n0.8 2 2 2 0.37\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("$d1 << EOD\n0.2 3 2.5 3.5 0.37\n1.2 4 3.5 4.5 0.37\nEOD\n"));
  EXPECT_THAT(script, HasSubstr("title 'b' with boxerrorbars"));
}

TEST(chart_script, has_the_cells_of_a_heat_map_from_the_bottom_up) {
  chart c;
  c.heat = heat_map{{{0, 0.5, 1}, {0.25, std::nan(""), 0.75}}, {"low", "high"}, 100, 20, 0, 2, "full"};
  const std::string script = script_of(c);
  EXPECT_THAT(script, HasSubstr("$m << EOD\n0 0.5 1 \n0.25 NaN 0.75 \nEOD\n"));
  EXPECT_THAT(script,
              HasSubstr("set xrange [100:160]\nset yrange [-0.5:1.5]\nset ytics ('low' 0, 'high' 1)\n"));
  EXPECT_THAT(script, HasSubstr("set cbrange [0:2]\n"));
  EXPECT_THAT(script, HasSubstr("using (100 + ($1 + 0.5) * 20):(($2 + 0.5) / 1 - 0.5):3 "));
}

// Beside the longest label of a row there is room for the name of the axis; all panels stand in line.
TEST(chart_script, has_room_for_the_labels_of_rows) {
  figure f;
  f.panels.resize(2);
  f.panels[0].series = {curve({1, 2}, {10, 20})};
  f.panels[1].heat = heat_map{{{0, 1}, {1, 0}}, {"stage 0", "network 1 stage 0"}, 0, 1, 0, 1, ""};
  const std::string both = script_of(f);
  EXPECT_EQ(both.find("set lmargin 22\n"), both.find("set lmargin"));
  EXPECT_NE(both.find("set lmargin 22\n"), both.rfind("set lmargin 22\n"));
  f.panels[1].heat->row_labels = {"0", "1"};
  EXPECT_THAT(script_of(f), AllOf(HasSubstr("set lmargin 10\n"), Not(HasSubstr("set lmargin 22"))));
  f.panels[0].series = {curve({1, 2}, {10, 200000})};
  EXPECT_THAT(script_of(f), AllOf(HasSubstr("set lmargin 12\n"), Not(HasSubstr("set lmargin 10"))));
}

// The last column has half the width of the others, and an image of its own. That begins with the column
// before it, which is covered.
TEST(chart_script, has_a_last_column_of_a_heat_map_that_ends_with_the_axis) {
  chart c;
  c.heat = heat_map{{{0, 0.5, 1}, {0.25, std::nan(""), 0.75}}, {}, 100, 20, 0, 1, ""};
  c.x_max = 150;
  const std::string script = script_of(c);
  EXPECT_THAT(script, HasSubstr("$e << EOD\n0.5 1 \nNaN 0.75 \nEOD\n$m << EOD\n0 0.5 \n0.25 NaN \nEOD\n"));
  EXPECT_THAT(script, HasSubstr("set xrange [100:150]\n"));
  EXPECT_THAT(script, HasSubstr("plot $e matrix using (130 + ($1 + 0.5) * 10):"));
  EXPECT_THAT(script, HasSubstr(", $m matrix using (100 + ($1 + 0.5) * 20):"));
  c.heat->rows = {{0}, {1}};
  c.x_max = 108;
  EXPECT_THAT(script_of(c),
              AllOf(HasSubstr("$m << EOD\n0 0 \n1 1 \nEOD\n"), HasSubstr("set xrange [100:108]\n"),
                    HasSubstr("plot $m matrix using (100 + ($1 + 0.5) * 4):")));
}

TEST(chart_script, lays_panels_out_row_by_row) {
  figure f;
  f.title = "all";
  f.columns = 2;
  f.panels.resize(3);
  f.panel_width = 300, f.panel_height = 200;
  const std::string script = script_of(f);
  EXPECT_THAT(script, HasSubstr("set terminal svg size 600,430 "));
  EXPECT_THAT(script, HasSubstr("set multiplot layout 2,2 title 'all'\n"));
}

}  // namespace
}  // namespace spillway
