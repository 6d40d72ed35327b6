// The rules of the checker of a switch that reduces, at pins driven by hand.
#include <gtest/gtest.h>

#include <spillway/hw/reduction/reduction_checker.hpp>

#include "contributions.hpp"

using namespace spillway;
using namespace spillway::testing_support;
using spillway::testing_support::kernel;

namespace {

/// The checker of a node with two children and places for two rounds, whose pins are driven by hand.
struct checked_pins {
  bench b{kernel::signals};
  reduction_checker& rules;
  any_link in[2] = {b.bare_link("in0"), b.bare_link("in1")};
  any_link back[2] = {b.bare_link("back0"), b.bare_link("back1")};
  any_link up = b.bare_link("up"), answer = b.bare_link("answer");

  checked_pins()
      : rules(
            b.make<reduction_checker>("rules", reduction_checker_config{"node", 2, 2, false}, b.collect())) {
    for (unsigned c = 0; c < 2; ++c) rules.contributions[c].bind(in[c]), rules.results[c].bind(back[c]);
    rules.up[0].bind(up), rules.answer[0].bind(answer);
    for (any_link* const l : {&in[0], &in[1], &back[0], &back[1], &up, &answer}) l->ready.write(1);
    b.reset();
  }
  void comes(unsigned child, std::uint64_t round) { bench::cross(in[child], contribution(child, round)); }
  void both_come(std::uint64_t round) { comes(0, round), comes(1, round); }
  static flit sum(unsigned child, std::uint64_t round, std::uint32_t more = 0) {
    return with_data(contribution(child, round), expected(reduction::sum, 2, round) + more);
  }
  void goes_up(std::uint64_t round, std::uint32_t more = 0) { bench::cross(up, sum(0, round, more)); }
  void is_answered(std::uint64_t round) { bench::cross(answer, sum(0, round, 5)); }
  void goes_down(unsigned child, std::uint64_t round, std::uint32_t more = 5) {
    bench::cross(back[child], sum(child, round, more));
  }
  /// Of the last rule that was broken.
  void expect_said(const std::string& what) const {
    const std::string& said = b.violations.back().message;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  }
};

class reduction_rules : public sc_test {};

}  // namespace

TEST_F(reduction_rules, are_silent_where_all_is_well) {
  checked_pins t;
  for (std::uint64_t r = 0; r < 3; ++r) {
    t.both_come(r), t.goes_up(r), t.is_answered(r);
    t.goes_down(1, r), t.goes_down(0, r);
  }
  EXPECT_EQ(t.b.broken(), "");
  EXPECT_EQ(t.rules.violations(), 0u);
}
TEST_F(reduction_rules, name_a_contribution_that_comes_twice_or_too_early) {
  checked_pins t;
  t.comes(0, 0), t.comes(0, 0);
  EXPECT_EQ(t.b.broken(), "RD1 ");
  t.comes(1, 1);
  EXPECT_EQ(t.b.broken(), "RD1 RD1 ");
  t.expect_said("of round 1 is contributed, expected round 0");
}
TEST_F(reduction_rules, name_a_partial_result_before_all_have_come) {
  checked_pins t;
  t.comes(0, 0), t.goes_up(0);
  EXPECT_EQ(t.b.broken(), "RD2 ");
  t.expect_said("goes to the parent, expected round 0, to which 1 of 2 children have contributed");
}
TEST_F(reduction_rules, name_a_partial_result_that_is_wrong_or_comes_twice) {
  checked_pins t;
  t.both_come(0), t.goes_up(0, 1);
  EXPECT_EQ(t.b.broken(), "RD2 ");
  const std::uint32_t right = expected(reduction::sum, 2, 0);
  t.expect_said("bears " + std::to_string(right + 1) + ", its children's contributions make " +
                std::to_string(right));
  t.goes_up(0);
  EXPECT_EQ(t.b.broken(), "RD2 RD2 ");
}
TEST_F(reduction_rules, name_an_answer_to_nothing) {
  checked_pins t;
  t.both_come(0), t.is_answered(0);
  EXPECT_EQ(t.b.broken(), "RD2 ");
}
TEST_F(reduction_rules, name_an_answer_that_is_not_the_next) {
  checked_pins t;
  for (std::uint64_t r = 0; r < 2; ++r) t.both_come(r), t.goes_up(r);
  t.is_answered(1);
  EXPECT_EQ(t.b.broken(), "RD2 ");
  t.is_answered(0), t.is_answered(1);
  EXPECT_EQ(t.b.broken(), "RD2 ");
}
TEST_F(reduction_rules, name_a_result_that_is_early_stale_wrong_or_for_another) {
  checked_pins t;
  t.both_come(0), t.goes_up(0), t.goes_down(0, 0);
  EXPECT_EQ(t.b.broken(), "RD3 ") << "no answer yet";
  t.is_answered(0), t.goes_down(0, 0), t.goes_down(0, 0);
  EXPECT_EQ(t.b.broken(), "RD3 RD3 ") << "twice";
  t.goes_down(1, 0, 0);
  EXPECT_EQ(t.b.broken(), "RD3 RD3 RD3 ") << "the partial one";
  const std::uint32_t partial = expected(reduction::sum, 2, 0);
  t.expect_said(" with " + std::to_string(partial) + ", expected " + std::to_string(partial + 5));
  t.both_come(1), t.goes_up(1), t.is_answered(1);
  bench::cross(t.back[0], checked_pins::sum(1, 1, 5));
  EXPECT_EQ(t.b.broken(), "RD3 RD3 RD3 RD3 ") << "for the other child";
}
TEST_F(reduction_rules, name_one_round_more_than_there_are_places) {
  checked_pins t;
  for (std::uint64_t r = 0; r < 3; ++r) t.comes(0, r);
  EXPECT_EQ(t.b.broken(), "");
  t.comes(0, 3);
  EXPECT_EQ(t.b.broken(), "RD4 ");
  EXPECT_NE(t.b.first_violation().find("one of 4 rounds of a child under way, of 2 and one that waits"),
            std::string::npos)
      << t.b.first_violation();
}
