// What the page of a run says of its numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/tb/report/live_page.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <string>
#include <vector>

namespace spillway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

run_record told_run() {
  run_record r;
  r.kernel = "fast";
  r.seed = 7;
  r.cycles = 2000, r.measured_from = 500, r.measured_cycles = 1400;
  r.terminals = 256, r.blocks = 1024, r.links = 2304;
  r.created = 40010, r.injected = 40000, r.delivered = 39990;
  r.hops = 3.5;
  r.latency = {10.5, 9, 80, 100}, r.network_latency = {7.5, 6, 50, 60};
  r.classes = {{"cool", {700, {1.5, 2, 3, 4}, {5.5, 6, 7, 8}, {}}}};
  r.counters["dampening.embargoes"] = 12;
  return r;
}

/// A row of a table, as its page begins it.
std::string begun(const std::string& name, const std::vector<std::string>& cells) {
  std::string text = "<th scope=\"row\">" + name + "</th>";
  for (const std::string& cell : cells) text += "<td class=\"number\">" + cell + "</td>";
  return text;
}

struct told {
  const char *name, *value, *unit;
};

TEST(page_of_a_run, has_every_number_in_a_row_of_its_own) {
  const std::string html = report_html(told_run());
  for (const auto& [name, value, unit] : std::vector<told>{{"Hops", "3.5", "flits that switches forwarded"},
                                                           {"Created", "40\u2009010", "packets"},
                                                           {"Injected", "40\u2009000", "packets"},
                                                           {"Delivered", "39\u2009990", "packets"},
                                                           {"Length of the run", "2\u2009000", "cycles"},
                                                           {"Measured part", "500 \u2013 1900", "cycles"},
                                                           {"Terminals", "256", "<"},
                                                           {"Blocks", "1\u2009024", "<"},
                                                           {"Links", "2\u2009304", "<"},
                                                           {"Seed", "7", "<"},
                                                           {"Kernel", "fast", "<"}})
    EXPECT_THAT(html, HasSubstr(begun(name, {value}) + "<td>" + unit));
  EXPECT_THAT(html, HasSubstr(begun("All, from creation", {"", "10.5", "9", "80", "100"})));
  EXPECT_THAT(html, HasSubstr(begun("All, from injection", {"", "7.5", "6", "50", "60"})));
  EXPECT_THAT(html, HasSubstr(begun("cool, from creation", {"700", "1.5", "2", "3", "4"})));
  EXPECT_THAT(html, HasSubstr(begun("cool, from injection", {"700", "5.5", "6", "7", "8"})));
  EXPECT_THAT(html, HasSubstr(begun("dampening.embargoes", {"12"})));
}

// For the charts that scripts draw.
TEST(page_of_a_run, tells_scripts_where_the_measured_part_begins_and_ends) {
  if (!has_dygraphs()) GTEST_SKIP() << "no charting library";
  run_record r = told_run();
  r.series.interval = 1000;
  r.series.columns = {
      {"cycle", {1000, 2000}}, {"created", {1, 2}}, {"delivered", {1, 2}}, {"in_flight", {3, 4}}};
  EXPECT_THAT(live_html(r), HasSubstr("{\"cycles\":2000,\"marks\":[500,1900],"));
  r.measured_from = 0;
  EXPECT_THAT(live_html(r), HasSubstr("\"marks\":[1400],"));
  r.measured_cycles = 2000;
  EXPECT_THAT(live_html(r), HasSubstr("\"marks\":[],"));
}

// The last interval has 20 cycles of 50.
TEST(page_of_a_run, has_no_point_of_a_chart_behind_the_end) {
  if (!has_dygraphs()) GTEST_SKIP() << "no charting library";
  run_record r;
  r.cycles = 120;
  r.series.interval = r.occupancy.interval = 50;
  r.series.columns = {{"cycle", {50, 100, 120}}};
  r.occupancy.stages = {"stage 0"};
  r.occupancy.rows = {{0.5, 0.25, 1}};
  EXPECT_THAT(live_html(r), HasSubstr("\"x\":[50,100,120],\"series\":[{\"name\":\"stage 0\","));
}

// Of 4000 intervals two are one point, at the same cycle in every chart.
TEST(page_of_a_run, has_every_digit_of_a_cycle) {
  if (!has_dygraphs()) GTEST_SKIP() << "no charting library";
  run_record r;
  r.cycles = 3108000, r.measured_from = 123456, r.measured_cycles = 1234567;
  r.series.interval = r.occupancy.interval = 777;
  std::vector<double> cycles;
  for (int i = 1; i <= 4000; ++i) cycles.push_back(777.0 * i);
  const std::vector<double> some(4000, 123456);
  r.series.columns = {{"cycle", cycles}, {"created", some}, {"delivered", some}, {"in_flight", some}};
  r.occupancy.stages = {"stage 0"};
  r.occupancy.rows = {std::vector<double>(4000, 0.5)};
  const std::string html = live_html(r);
  EXPECT_THAT(html, HasSubstr("{\"cycles\":3108000,\"marks\":[123456,1358023],"));
  EXPECT_THAT(html, HasSubstr(",3106446,3108000],\"series\":[{\"name\":\"created\""));
  EXPECT_THAT(html, HasSubstr("{\"name\":\"\",\"values\":[1.2346e+05,")) << "a value has five digits";
  std::size_t charts = 0;
  for (std::size_t at = 0; (at = html.find("\"x\":[1554,3108,4662,", at)) != std::string::npos; ++at)
    ++charts;
  EXPECT_EQ(charts, 3u) << "packets, packets in flight and occupancy";
}

TEST(page_of_a_run, says_first_how_it_ended) {
  run_record r = told_run();
  EXPECT_THAT(report_html(r), AllOf(HasSubstr("<p class=\"status fine\">Status: <strong>ok</strong>.</p>"),
                                    Not(HasSubstr("Warm-up of")), Not(HasSubstr("Warning: "))));
  r.saturated = true;
  EXPECT_THAT(report_html(r), HasSubstr("<strong>ok</strong>. The network is saturated"));
  r.status = "deadlock", r.saturated = false, r.warmup_found = true, r.confidence.warning = "too few";
  EXPECT_THAT(report_html(r),
              AllOf(HasSubstr("<p class=\"status fault\">Status: <strong>deadlock</strong>.</p>"),
                    HasSubstr("<p>Warm-up of 500 cycles, found by the rule MSER-5.</p>"),
                    HasSubstr("<p class=\"open\">Warning: too few.</p>")));
}

}  // namespace
}  // namespace spillway
