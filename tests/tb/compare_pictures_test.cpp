// The pictures of a comparison, of runs that the test has written itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/tb/sweep/compare_html.hpp>
#include <string>
#include <vector>

namespace spillway {
namespace {

using testing::ElementsAre;

/// Four intervals of ten cycles.
run_record run_of(const std::string& name, std::vector<double> created, std::vector<double> delivered,
                  std::vector<double> hot) {
  run_record r;
  r.name = name;
  r.series.interval = 10;
  r.series.columns = {{"cycle", {10, 20, 30, 40}},
                      {"created", std::move(created)},
                      {"delivered", std::move(delivered)},
                      {"delivered_hot", std::move(hot)}};
  return r;
}

TEST(compare_pictures, have_cool_packets_a_cycle_and_all_that_wait) {
  std::vector<run_record> runs{run_of("one", {30, 20, 0, 0}, {5, 15, 20, 10}, {0, 5, 10, 5}),
                               run_of("other", {10, 0, 0, 5}, {10, 0, 0, 0}, {0, 0, 0, 0})};
  runs[0].classes["hot"].delivered = 20;
  const std::vector<picture> drawn = compare_pictures(runs);
  ASSERT_EQ(drawn.size(), 1u);
  const chart &cool = drawn[0].drawing.panels.at(0), &waiting = drawn[0].drawing.panels.at(1);
  EXPECT_EQ(cool.y_label, "cool packets delivered a cycle");
  ASSERT_EQ(cool.series.size(), 2u);
  EXPECT_EQ(cool.series[0].label, "one");
  EXPECT_EQ(cool.series[1].label, "other");
  for (const chart* c : {&cool, &waiting})
    for (const chart_series& s : c->series) EXPECT_THAT(s.x, ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(cool.series[0].y, ElementsAre(0.5, 1, 1, 0.5));
  EXPECT_THAT(cool.series[1].y, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(waiting.series[0].y, ElementsAre(25, 30, 10, 0))
      << "created since the start, and not delivered";
  EXPECT_THAT(waiting.series[1].y, ElementsAre(0, 0, 0, 5));
}

TEST(compare_pictures, have_nobody_waiting_who_was_lost_in_a_reset) {
  run_record r = run_of("one", {30, 20, 5, 5}, {5, 15, 0, 4}, {0, 0, 0, 0});
  r.series.columns.push_back({"reset_dropped", {0, 0, 30, 0}});
  EXPECT_THAT(compare_pictures({r}).at(0).drawing.panels.at(1).series[0].y, ElementsAre(25, 30, 5, 6));
}

TEST(compare_pictures, have_the_rate_of_a_shorter_last_interval) {
  run_record r = run_of("one", {30, 20, 0, 0}, {5, 15, 20, 10}, {0, 0, 0, 0});
  r.series.columns[0].values.back() = 32;
  EXPECT_THAT(compare_pictures({r}).at(0).drawing.panels.at(0).series[0].y, ElementsAre(0.5, 1.5, 2, 5));
}

TEST(compare_pictures, have_points_of_a_single_interval) {
  run_record r = run_of("one", {30}, {5}, {0});
  r.series.columns[0].values = {10};
  const auto pictures = compare_pictures({r});
  for (const chart& c : pictures.at(0).drawing.panels) EXPECT_EQ(c.series[0].style, draw_style::lines_points);
}

TEST(compare_page, has_labels_as_text) {
  run_record r = run_of("one", {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0});
  r.compared = {{"job.a", "<b>cycles</b>"}};
  EXPECT_THAT(compare_html({{r}}), testing::HasSubstr("<td>&lt;b&gt;cycles&lt;/b&gt;</td>"));
}

TEST(compare_pictures, speak_of_no_hot_packets_where_there_are_none) {
  const chart c =
      compare_pictures({run_of("one", {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0})}).at(0).drawing.panels.at(0);
  EXPECT_EQ(c.y_label, "packets delivered a cycle");
}

// The first run says which.
TEST(compare_pictures, have_bars_of_what_measurements_want_side_by_side) {
  std::vector<run_record> runs(2);
  runs[0].name = "one", runs[1].name = "other";
  runs[0].compared = {{"job.a", "cycles of a"}, {"job.b", "cycles of b"}};
  runs[0].counters = {{"job.a", 3}, {"job.b", 4}};
  runs[1].counters = {{"job.a", 5}, {"job.b", 6}};
  const std::vector<picture> drawn = compare_pictures(runs);
  ASSERT_EQ(drawn.size(), 1u);
  const chart& bars = drawn[0].drawing.panels.at(0);
  EXPECT_THAT(bars.categories, ElementsAre("one", "other"));
  ASSERT_EQ(bars.series.size(), 2u);
  EXPECT_EQ(bars.series[1].label, "cycles of b");
  EXPECT_THAT(bars.series[0].y, ElementsAre(3, 5));
  EXPECT_THAT(bars.series[1].y, ElementsAre(4, 6));
}

}  // namespace
}  // namespace spillway
