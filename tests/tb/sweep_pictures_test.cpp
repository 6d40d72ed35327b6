// Pictures of results that the test has written itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/sweep/sweep_pictures.hpp>

#include "support/files.hpp"
#include "support/process.hpp"

namespace spillway {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::DoubleEq;
using testing::ElementsAre;

class pictures : public testing::Test {
protected:
  void add(const std::string& group, const std::string& name, const ordered_json& settings,
           const std::vector<double>& throughputs) {
    std::uint64_t seed = 0;
    for (const double throughput : throughputs) {
      planned_run r;
      r.id = std::to_string(numbers_.size());
      r.group = group, r.name = name, r.settings = settings, r.seed = ++seed;
      r.configuration = "name: " + r.id + "\n";
      runs_.push_back(r);
      numbers_.push_back(throughput);
    }
  }

  chart drawn(const json& keys) { return picture_of(keys).drawing.panels.front(); }

  picture picture_of(const json& keys) {
    json wanted = {{"name", "p"}, {"x", "sources"}, {"y", "throughput"}, {"log_x", false}, {"log_y", false}};
    wanted["theory"] =
        json::array({{{"model", "line"}, {"arguments", json::object()}, {"x", "x"}, {"y", "y"}}});
    wanted.update(keys);
    const plan_folder plan = plan_folder::create(folder_ / "plan", {{"sweep", "p"}}, runs_, true);
    for (std::size_t i = 0; i < runs_.size(); ++i)
      std::ofstream(plan.run_path(runs_[i].id) / "result.json")
          << json{{"status", "ok"}, {"throughput", numbers_[i]}};
    const formula line = [](const std::string&, const json& arguments) {
      return json{{"y", 10 * arguments.at("x").get<double>()}};
    };
    return draw(wanted, plan, result_table(plan), line);
  }

  static const chart_series& curve(const chart& c, const std::string& label) {
    for (const chart_series& s : c.series)
      if (s.label == label) return s;
    throw std::out_of_range(label);
  }

private:
  const scratch_folder folder_;
  std::vector<planned_run> runs_;
  std::vector<double> numbers_;
};

TEST_F(pictures, draw_means_and_formulas) {
  add("plain", "", {{"traffic.0.sources", 1}}, {2, 4});
  add("plain", "", {{"traffic.0.sources", 3}}, {5, 9});
  const chart c = drawn(json::object());
  EXPECT_THAT(curve(c, "plain").x, ElementsAre(1, 3));
  EXPECT_THAT(curve(c, "plain").y, ElementsAre(3, 7));
  EXPECT_THAT(curve(c, "line y").y, ElementsAre(10, 30));
}

// Of two seeds half of the interval is the 12.706 of Student's t times half of what they differ by.
TEST_F(pictures, have_the_bars_axes_and_labels_that_are_wanted) {
  add("plain", "", {{"traffic.0.sources", 1}}, {2, 4});
  add("plain", "", {{"traffic.0.sources", 3}}, {5, 5});
  const chart c = drawn(json::object());
  EXPECT_THAT(curve(c, "plain").y_error, ElementsAre(testing::DoubleNear(12.706, 0.001), 0));
  EXPECT_FALSE(curve(c, "plain").dashed);
  EXPECT_TRUE(curve(c, "line y").dashed);
  EXPECT_EQ(c.x_label, "sources");
  EXPECT_EQ(c.y_label, "throughput");
  const chart other = drawn({{"x_label", "how many"}, {"y_label", "how much"}, {"log_x", true}});
  EXPECT_EQ(other.x_label, "how many");
  EXPECT_EQ(other.y_label, "how much");
  EXPECT_TRUE(other.log_x);
  EXPECT_FALSE(other.log_y);
}

TEST_F(pictures, say_what_their_points_are) {
  add("", "", {{"traffic.0.sources", 1}}, {2});
  EXPECT_EQ(picture_of({{"title", "Load."}}).caption, "Load. One seed.");
  add("", "", {{"traffic.0.sources", 3}}, {5, 5});
  EXPECT_EQ(picture_of(json::object()).caption, "p. The seeds do not differ.");
  add("", "", {{"traffic.0.sources", 4}}, {5, 6});
  EXPECT_EQ(picture_of(json::object()).caption,
            "p. Error bars are 95 % confidence intervals over the seeds.");
}

TEST_F(pictures, go_along_a_setting_from_one_number_to_another) {
  for (const int fraction : {0, 1})
    for (const int lambda : {1, 2, 3})
      add("", "", {{"traffic.0.fraction", fraction}, {"traffic.0.lambda", lambda}},
          {2.0 * lambda - fraction});
  const json none = json::array();
  const chart c = drawn({{"x", "throughput"}, {"along", "lambda"}, {"theory", none}});
  ASSERT_EQ(c.series.size(), 2u);
  EXPECT_THAT(curve(c, "fraction 0").x, ElementsAre(2, 4, 6));
  EXPECT_THAT(curve(c, "fraction 1").x, ElementsAre(1, 3, 5));
  EXPECT_EQ(drawn({{"x", "throughput"}, {"theory", none}}).series.size(), 6u);
}

TEST_F(pictures, want_a_name_that_is_one_setting) {
  for (const int one : {1, 2})
    add("", "", {{"sources", 7}, {"traffic.0.sources", one}, {"traffic.1.sources", 3 - one}}, {2.0 * one});
  const json none = json::array();
  EXPECT_THAT(drawn({{"theory", none}, {"x", "0.sources"}, {"along", "1.sources"}}).series.at(0).x,
              ElementsAre(1, 2));
  EXPECT_THAT(drawn({{"theory", none}, {"along", "0.sources"}}).series.at(0).x, ElementsAre(7))
      << "the path itself, not what ends alike";
}

TEST_F(pictures, refuse_a_name_of_two_settings) {
  for (const int one : {1, 2})
    add("", "", {{"traffic.0.sources", one}, {"traffic.1.sources", 3 - one}}, {2.0 * one});
  const std::string both =
      "picture 'p': found 'sources', which is traffic.0.sources and traffic.1.sources, expected more of one "
      "of them";
  const json none = json::array();
  const auto message = [&](const json& keys) { return message_of([&] { drawn(keys); }); };
  EXPECT_EQ(message({{"theory", none}}), both);
  EXPECT_EQ(message({{"theory", none}, {"x", "0.sources"}, {"along", "sources"}}), both);
  EXPECT_EQ(message({{"theory", none}, {"x", "0.sources"}, {"relative_to", {{"where", {{"sources", 1}}}}}}),
            both);
}

TEST_F(pictures, draw_multiples_of_another_group_seed_by_seed) {
  add("plain", "", {{"traffic.0.sources", 1}}, {2, 4});
  add("plain", "", {{"traffic.0.sources", 3}}, {5, 10});
  for (const int depth : {4, 8}) {
    add("long", "", {{"depth", depth}, {"traffic.0.sources", 1}}, {6.0 * depth, 4.0 * depth});
    add("long", "", {{"depth", depth}, {"traffic.0.sources", 3}}, {5, 10});
  }
  const chart c = drawn({{"relative_to", {{"runs", "plain"}, {"where", json::object()}}}});
  EXPECT_THAT(curve(c, "plain").y, ElementsAre(1, 1));
  EXPECT_THAT(curve(c, "long, depth 4").y, ElementsAre((3 * 4 + 1 * 4) / 2.0, 1)) << "not 20 / 3";
  EXPECT_THAT(curve(c, "long, depth 8").y, ElementsAre((3 * 8 + 1 * 8) / 2.0, 1));
  EXPECT_THAT(curve(c, "line y").y, ElementsAre(DoubleEq(10 / 3.0), DoubleEq(30 / 7.5)));
}

TEST_F(pictures, draw_multiples_of_another_setting_or_case) {
  for (const int depth : {4, 8}) {
    add("", "one", {{"switch.depth", depth}, {"traffic.0.sources", 1}}, {2.0 * depth});
    add("", "other", {{"switch.depth", depth}, {"traffic.0.sources", 1}}, {5.0 * depth});
  }
  const json none = json::array();
  const chart by_setting = drawn({{"theory", none}, {"relative_to", {{"where", {{"depth", 4}}}}}});
  EXPECT_THAT(curve(by_setting, "one, depth 8").y, ElementsAre(2));
  EXPECT_THAT(curve(by_setting, "other, depth 4").y, ElementsAre(1));
  const json to_other = {{"case", "other"}, {"where", json::object()}};
  const chart by_case = drawn({{"theory", none}, {"relative_to", to_other}});
  EXPECT_THAT(curve(by_case, "one, depth 4").y, ElementsAre(DoubleEq(0.4)));
  EXPECT_THAT(curve(by_case, "one, depth 8").y, ElementsAre(DoubleEq(0.4)));
  EXPECT_THROW(drawn({{"relative_to", to_other}}), config_error) << "a formula has two bases";
}

TEST_F(pictures, draw_multiples_of_the_same_case_of_another_group) {
  for (const std::string name : {"one", "other"}) {
    add("plain", name, {{"traffic.0.sources", 1}}, {name == "one" ? 2.0 : 5.0});
    add("long", name, {{"traffic.0.sources", 1}}, {10});
  }
  const json to = {{"runs", "plain"}, {"where", json::object()}};
  const chart c = drawn({{"theory", json::array()}, {"runs", {"long"}}, {"relative_to", to}});
  // All curves are of one group: it is not named.
  EXPECT_THAT(curve(c, "one").y, ElementsAre(5));
  EXPECT_THAT(curve(c, "other").y, ElementsAre(2));
}

TEST_F(pictures, say_what_they_cannot_compare) {
  add("plain", "", {{"depth", 4}, {"traffic.0.sources", 1}}, {2});
  add("plain", "", {{"depth", 8}, {"traffic.0.sources", 1}}, {2});
  add("other", "", {{"traffic.0.sources", 1}}, {2});
  const auto to = [](json keys) { return json{{"relative_to", std::move(keys)}, {"runs", {"other"}}}; };
  EXPECT_THROW(drawn(to({{"runs", "nobody"}, {"where", json::object()}})), config_error);
  EXPECT_THROW(drawn(to({{"runs", "plain"}, {"where", json::object()}})), config_error) << "which depth?";
  EXPECT_NO_THROW(drawn(to({{"runs", "plain"}, {"where", {{"depth", 8}}}})));
  add("long", "", {{"traffic.0.sources", 1}}, {2, 3});
  EXPECT_THROW(drawn({{"relative_to", {{"runs", "long"}, {"where", json::object()}}}, {"runs", {"other"}}}),
               config_error)
      << "more seeds";
}

}  // namespace
}  // namespace spillway
