// Claims: the grammar, the arithmetic over seeds and configurations, and the verdicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <spillway/tb/reproduce/expression.hpp>
#include <spillway/tb/sweep/statistics.hpp>

namespace spillway {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// One configuration a list, unnamed.
quantity rows(std::initializer_list<std::vector<double>> values) {
  quantity all;
  for (const auto& one : values) all.push_back({one, {}});
  return all;
}

quantity lookup(const reference& r) {
  if (r.key == "one") return rows({{1}});
  if (r.key == "noisy") return rows({{0.8, 1.0, 1.2, 1.1, 0.9}});
  if (r.key == "shifted") return rows({{0.9, 1.1, 1.3, 1.2, 1.0}});  // noisy + 0.1, seed by seed
  if (r.key == "rates") return {{{1, 1}, {"slow"}}, {{2, 2}, {"middle"}}, {{4, 4}, {"fast"}}};
  if (r.key == "loads") return {{{1}, {"low"}}, {{1}, {"middle"}}, {{1}, {"high"}}};
  if (r.key == "nothing") return rows({{std::nan(""), 1}});
  if (r.key == "endless") return rows({{1, HUGE_VAL}});
  if (r.key == "run") return {{{1}, {"one seed"}, true}};
  if (r.key == "runs") return {{{0.8, 1.0, 1.2, 1.1, 0.9}, {"five seeds"}, true}};
  if (r.key == "two_seeds") return rows({{1, 2}});
  if (r.key == "occupancy.stage 3") return rows({{0.3}});
  throw expression_error("no such number: " + r.key);
}

verdict of(const std::string& claim) { return overall(judge(claim, lookup)); }
double left(const std::string& text) { return judge(text + " < 0", lookup).front().rows.front().left.mean; }
std::string error(const std::string& claim) {
  try {
    judge(claim, lookup);
  } catch (const expression_error& e) {
    return e.what();
  }
  return "no error";
}

TEST(expression, a_name_may_have_a_blank_before_a_number) {
  EXPECT_DOUBLE_EQ(left("2 * occupancy.stage 3"), 0.6);
  EXPECT_DOUBLE_EQ(left("occupancy.stage 3 + 1"), 1.3);
  EXPECT_NE(error("one two < 3"), "no error");
}

TEST(expression, arithmetic) {
  EXPECT_DOUBLE_EQ(left("1 + 2 * 3"), 7);
  EXPECT_DOUBLE_EQ(left("(1 + 2) * 3"), 9);
  EXPECT_DOUBLE_EQ(left("8 / 4 / 2"), 1);
  EXPECT_DOUBLE_EQ(left("8 - 4 - 2"), 2);
  EXPECT_DOUBLE_EQ(left("-2 * -3"), 6);
  EXPECT_DOUBLE_EQ(left("1.5e2 + .5"), 150.5);
  EXPECT_DOUBLE_EQ(left("min(3, 2) + max(5, 7) + abs(-1) + sqrt(16) + log2(8) + floor(2.7) + ceil(0.2)"),
                   2 + 7 + 1 + 4 + 3 + 2 + 1);
  EXPECT_NEAR(left("noisy[a]"), 1, 1e-12);
}

TEST(expression, several_configurations) {
  EXPECT_DOUBLE_EQ(left("min(rates[a])"), 1);
  EXPECT_DOUBLE_EQ(left("max(rates[a])"), 4);
  EXPECT_DOUBLE_EQ(left("sum(rates[a])"), 7);
  EXPECT_DOUBLE_EQ(left("mean(rates[a] * 3)"), 7);
  EXPECT_EQ(of("rates[a] > 0"), verdict::holds);
  const auto c = judge("rates[a] > 3", lookup);
  ASSERT_EQ(c.front().rows.size(), 3u);
  EXPECT_EQ(c.front().rows[2].result, verdict::holds);
  EXPECT_EQ(overall(c), verdict::fails) << "one configuration is enough to break a claim";
  EXPECT_EQ(of("rates[a] == rates[a]"), verdict::holds);
}

TEST(expression, verdicts_come_from_the_paired_difference) {
  EXPECT_EQ(of("noisy[a] > 0.5"), verdict::holds);
  EXPECT_EQ(of("noisy[a] > 1.5"), verdict::fails);
  EXPECT_EQ(of("noisy[a] > 0.95"), verdict::noise);
  EXPECT_EQ(of("noisy[a] > 1.05"), verdict::noise) << "the mean is on the other side, and within the noise";
  EXPECT_EQ(of("shifted[a] > noisy[a]"), verdict::holds) << "the spread is common to both sides";
  EXPECT_EQ(of("shifted[a] < noisy[a]"), verdict::fails);
  EXPECT_EQ(of("nothing[a] < 5"), verdict::unmeasured);
  for (const char* lost :
       {"min(nothing[a], 5)", "min(5, nothing[a])", "max(nothing[a], 5)", "max(5, nothing[a])"})
    EXPECT_EQ(of(std::string(lost) + " < 9"), verdict::unmeasured) << lost;
}

TEST(expression, an_infinite_difference_is_decided_by_its_sign) {
  EXPECT_EQ(of("endless[a] > 5"), verdict::holds);
  EXPECT_EQ(of("5 < endless[a]"), verdict::holds);
  EXPECT_EQ(of("endless[a] < 5"), verdict::fails);
  EXPECT_EQ(of("endless[a] - endless[a] < 5"), verdict::unmeasured);
}

TEST(expression, exact_numbers_are_compared_exactly) {
  EXPECT_EQ(of("one[a] < 1"), verdict::fails);
  EXPECT_EQ(of("one[a] <= 1"), verdict::holds);
  EXPECT_EQ(of("one[a] == 1"), verdict::holds);
  EXPECT_EQ(of("noisy[a] == 1"), verdict::fails);
  EXPECT_EQ(of("one[a] < 2"), verdict::holds);
  EXPECT_EQ(of("2 < 3 and 3 < 2"), verdict::fails);
  EXPECT_EQ(of("2 < 3 and noisy[a] > 0.95 and 1 < 2"), verdict::noise);
}

// One that is measured once has an interval that nobody knows.
TEST(expression, a_number_of_one_seed_is_no_constant) {
  const std::string unlike = "found sides with 1 and 5 seeds, expected as many";
  EXPECT_THAT(error("run[a] < runs[b]"), HasSubstr(unlike));
  EXPECT_THAT(error("2 * abs(run[a]) < runs[b]"), HasSubstr(unlike));
  EXPECT_THAT(error("runs[b] > run[a]"), HasSubstr("5 and 1 seeds"));
  EXPECT_THAT(error("max(run[a]) - runs[b] < 3"), HasSubstr(unlike));
  EXPECT_EQ(of("run[a] < 2 and runs[b] < 2 and run[a] == run[a]"), verdict::holds);
  EXPECT_EQ(of("average(runs[b]) >= 0.9 * run[a]"), verdict::holds);
}

TEST(expression, names_and_selectors) {
  std::vector<reference> seen;
  judge("latency.mean[loads, 5 % hot, traffic.0.rate=0.2, dimensions=[8, 8]] < bound.value",
        [&](const reference& r) {
          seen.push_back(r);
          return rows({{1}});
        });
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].key, "latency.mean");
  EXPECT_THAT(seen[0].selectors, ElementsAre("loads", "5 % hot", "traffic.0.rate=0.2", "dimensions=[8, 8]"));
  EXPECT_EQ(seen[1].key, "bound.value");
  EXPECT_TRUE(seen[1].selectors.empty());
}

TEST(expression, says_which_configurations_a_row_comes_from) {
  const auto c = judge("rates[a] / loads[b] > 1 + min(rates[a])", lookup).front();
  ASSERT_EQ(c.rows.size(), 3u);
  EXPECT_THAT(c.rows[0].of, ElementsAre("slow", "low", "middle", "fast"));
  EXPECT_THAT(c.rows[1].of, ElementsAre("middle", "slow", "fast"));
}

TEST(expression, average_and_error_are_over_the_seeds) {
  EXPECT_NEAR(left("average(noisy[a])"), 1, 1e-12);
  EXPECT_NEAR(left("error(noisy[a])"), std::sqrt(0.025 / 5), 1e-12);  // deviations 0.2, 0, 0.2, 0.1, 0.1
  EXPECT_EQ(left("error(one[a])"), 0);
  EXPECT_EQ(of("abs(average(noisy[a]) - 1.2) < 3 * error(noisy[a])"), verdict::holds);
  EXPECT_EQ(of("abs(average(noisy[a]) - 1.3) < 3 * error(noisy[a])"), verdict::fails);
}

TEST(expression, a_side_alone_is_a_value) {
  const quantity found = evaluate("2 * rates[a]", lookup);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT(found[2].values, ElementsAre(8, 8));
  EXPECT_THROW(evaluate("1 < 2", lookup), expression_error);
}

TEST(expression, errors_say_where_and_what) {
  EXPECT_THAT(error("1 + 2"), HasSubstr("at character 6: the expression ends, expected one of < <= > >= =="));
  EXPECT_THAT(error("1 < "), HasSubstr("expected a value"));
  EXPECT_THAT(error("1 < 2 3"), HasSubstr("at character 7: found '3'"));
  EXPECT_THAT(error("(1 < 2"), HasSubstr("expected )"));
  EXPECT_THAT(error("one[a < 2"), HasSubstr("expected ]"));
  EXPECT_THAT(error("one[] < 2"), HasSubstr("expected a name"));
  EXPECT_THAT(error("sin(1) < 2"), HasSubstr("found sin() of 1"));
  EXPECT_THAT(error("0 < other[a]"), HasSubstr("at character 5: no such number: other"));
  EXPECT_THAT(error("two_seeds[a] < noisy[a]"), HasSubstr("2 and 5 seeds"));
  EXPECT_THAT(error(std::string(5000, '(') + "1"), HasSubstr("less than 100"));
}

// Half width of the 95 % interval of n values with standard deviation 1: Student's t, from printed tables.
TEST(t_interval, agrees_with_tables) {
  for (const auto& [n, t] :
       std::map<int, double>{{2, 12.706}, {3, 4.303}, {5, 2.776}, {10, 2.262}, {30, 2.045}}) {
    std::vector<double> values;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      values.push_back(i * i % 7);
      sum += values.back();
    }
    for (const double v : values) squares += (v - sum / n) * (v - sum / n);
    const estimate e = t_interval(values);
    EXPECT_NEAR(e.mean, sum / n, 1e-12);
    EXPECT_NEAR(e.half_width, t * std::sqrt(squares / (n - 1) / n), 1e-3 * e.half_width) << n;
  }
  EXPECT_TRUE(std::isnan(t_interval({3}).half_width));
  EXPECT_TRUE(std::isnan(t_interval({}).mean));
}

}  // namespace
}  // namespace spillway
