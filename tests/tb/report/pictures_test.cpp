// What the pictures of a run show of its numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/tb/report/pictures.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Ten intervals of ten cycles, of which 20 to 70 are measured.
run_record ten_intervals() {
  run_record r;
  r.cycles = 100, r.measured_from = 20, r.measured_cycles = 50;
  r.series.interval = r.occupancy.interval = 10;
  r.series.columns = {{"cycle", {10, 20, 30, 40, 50, 60, 70, 80, 90, 100}},
                      {"created", {0, 30, 60, 0, 0, 0, 0, 0, 0, 40}},
                      {"delivered", {10, 10, 10, 20, 20, 20, 30, 30, 30, 50}},
                      {"in_flight", {1, 2, 3, 4, 5, 6, 7, 8, 9, 20}}};
  r.occupancy.stages = {"stage 0", "stage 1"};
  r.occupancy.rows = {{0, 0, 0.3, 0, 0, 0, 0, 0, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5}};
  return r;
}

std::vector<chart> panels(const run_record& r, const std::string& name, std::size_t points = 400) {
  for (const picture& p : run_pictures(r, points))
    if (p.name == name) return p.drawing.panels;
  throw std::out_of_range(name);
}

/// `label` at `place` of each, `-` before those that lie flat.
std::vector<std::string> marks_of(const chart& c) {
  std::vector<std::string> all;
  for (const marker_line& m : c.markers)
    all.push_back((m.vertical ? "" : "-") + m.label + " " + std::to_string(static_cast<int>(m.at)));
  return all;
}

// A mean stands where its neighbours end, as a single value does.
TEST(run_picture, of_packets_has_means_of_neighbours_also_of_the_few_last_ones) {
  const auto drawn = panels(ten_intervals(), "packets", 4);
  ASSERT_EQ(drawn.size(), 2u);
  ASSERT_EQ(drawn[0].series.size(), 2u);
  for (const chart_series& s : {drawn[0].series[0], drawn[0].series[1], drawn[1].series[0]})
    EXPECT_THAT(s.x, ElementsAre(30, 60, 90, 100)) << s.label;
  EXPECT_EQ(drawn[0].series[0].label, "created");
  EXPECT_THAT(drawn[0].series[0].y, ElementsAre(3, 0, 0, 4)) << "a cycle";
  EXPECT_THAT(drawn[0].series[1].y, ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(drawn[1].series[0].y, ElementsAre(2, 5, 8, 20)) << "at a time";
}

TEST(run_picture, marks_where_the_measured_part_begins_and_ends) {
  run_record r = ten_intervals();
  EXPECT_THAT(marks_of(panels(r, "packets")[0]), ElementsAre("measured from 20", "to 70"));
  EXPECT_THAT(marks_of(panels(r, "occupancy")[0]), ElementsAre("measured from 20", "to 70"));
  r.measured_cycles = 80;
  EXPECT_THAT(marks_of(panels(r, "packets")[0]), ElementsAre("measured from 20")) << "to the end";
  r.measured_from = 0, r.measured_cycles = 100;
  EXPECT_THAT(marks_of(panels(r, "packets")[0]), IsEmpty());
}

TEST(run_picture, of_occupancy_has_a_row_a_stage_and_columns_as_wide_as_their_cycles) {
  const chart c = panels(ten_intervals(), "occupancy", 4)[0];
  ASSERT_TRUE(c.heat);
  EXPECT_THAT(c.heat->row_labels, ElementsAre("stage 0", "stage 1"));
  ASSERT_EQ(c.heat->rows.size(), 2u);
  EXPECT_THAT(c.heat->rows[0], ElementsAre(testing::DoubleEq(0.1), 0, 0, 1));
  EXPECT_THAT(c.heat->rows[1], ElementsAre(1, 1, 1, 0.5));
  EXPECT_EQ(c.heat->x_step, 30);
  EXPECT_EQ(c.heat->high, 1);
}

TEST(run_picture, of_what_waits_has_a_row_a_terminal) {
  run_record r = ten_intervals();
  r.series.columns.push_back({"pending.0", std::vector<double>(10, 7)});
  r.series.columns.push_back({"pending.1", std::vector<double>(10, 30)});
  const chart c = panels(r, "pending", 5)[0];
  ASSERT_TRUE(c.heat);
  ASSERT_EQ(c.heat->rows.size(), 2u);
  EXPECT_THAT(c.heat->rows[0], ElementsAre(7, 7, 7, 7, 7));
  EXPECT_THAT(c.heat->rows[1], ElementsAre(30, 30, 30, 30, 30));
  EXPECT_EQ(c.heat->x_step, 20);
  EXPECT_EQ(c.heat->high, 20);
}

// The last interval has two cycles.
TEST(run_picture, has_the_rates_of_a_shorter_last_interval_and_ends_with_it) {
  run_record r = ten_intervals();
  r.cycles = r.series.columns[0].values.back() = 92;
  EXPECT_THAT(panels(r, "packets")[0].series[1].y, ElementsAre(1, 1, 1, 2, 2, 2, 3, 3, 3, 25));
  EXPECT_THAT(panels(r, "packets", 4)[0].series[1].y, ElementsAre(1, 2, 3, 25));
  EXPECT_THAT(panels(r, "packets", 5)[0].series[0].y, ElementsAre(1.5, 3, 0, 0, 40 / 12.0));
  r.series.columns.push_back({"pending.0", std::vector<double>(10, 7)});
  r.pictures = {{"cells", "c", "y", {"created"}}};
  r.pictures[0].heat = true;
  for (const char* map : {"occupancy", "pending", "cells"}) {
    const chart c = panels(r, map)[0];
    EXPECT_EQ(c.heat->x_step, 10) << map;
    EXPECT_EQ(c.x_max, 92) << map;
    EXPECT_THAT(to_svg(c), testing::Not(testing::HasSubstr(">100<"))) << map;
  }
  EXPECT_FALSE(panels(ten_intervals(), "occupancy")[0].x_max);
}

TEST(run_picture, of_a_single_interval_has_points) {
  run_record r = ten_intervals();
  EXPECT_EQ(panels(r, "packets")[0].series[0].style, draw_style::lines);
  for (column& c : r.series.columns) c.values.resize(1);
  r.pictures = {{"curve", "c", "y", {"created"}}};
  for (const chart& c : panels(r, "packets")) EXPECT_EQ(c.series[0].style, draw_style::lines_points);
  EXPECT_EQ(panels(r, "curve")[0].series[0].style, draw_style::lines_points);
}

TEST(run_picture, of_latency_marks_the_median_and_the_99th_percentile) {
  run_record r = ten_intervals();
  r.histogram = {{5, 3, 1}, {6, 1, 1}, {9, 2, 1}};
  r.latency.p50 = 6, r.latency.p99 = 9;
  const chart c = panels(r, "latency")[0];
  EXPECT_THAT(marks_of(c), ElementsAre("median 6", "99 % 9"));
  EXPECT_THAT(c.series[0].x, ElementsAre(5, 6, 7, 8, 9));
  EXPECT_THAT(c.series[0].y, ElementsAre(3, 1, 0, 0, 2));
  EXPECT_EQ(c.box_width, 1);
}

TEST(run_picture, of_a_measurement_has_its_columns_its_bound_or_points_of_its_own) {
  run_record r = ten_intervals();
  r.series.columns.push_back({"more", {1, 1, 1, 2, 2, 2, 3, 3, 3, 9}});
  r.pictures = {{"curves", "c", "y", {"more"}, 5, "most"},
                {"cells", "c", "y", {"more"}},
                {"points", "c", "y", {}, not_measured, "", false, {1, 4}, {2, 8}}};
  r.pictures[1].heat = true;
  const chart curves = panels(r, "curves", 4)[0];
  EXPECT_EQ(curves.series[0].label, "more");
  EXPECT_THAT(curves.series[0].x, ElementsAre(30, 60, 90, 100));
  EXPECT_THAT(curves.series[0].y, ElementsAre(1, 2, 3, 9));
  EXPECT_THAT(marks_of(curves), ElementsAre("measured from 20", "to 70", "-most 5"));
  const chart cells = panels(r, "cells", 4)[0];
  ASSERT_TRUE(cells.heat);
  EXPECT_THAT(cells.heat->rows[0], ElementsAre(1, 2, 3, 9));
  EXPECT_EQ(cells.heat->x_step, 30);
  const chart points = panels(r, "points")[0];
  EXPECT_THAT(points.series[0].x, ElementsAre(1, 4));
  EXPECT_THAT(points.series[0].y, ElementsAre(2, 8));
}

}  // namespace
}  // namespace spillway
