#include <gtest/gtest.h>

#include <spillway/hw/isolation/isolation_checker.hpp>
#include <spillway/hw/isolation/isolation_switch_checker.hpp>

#include "isolation_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// An isolation link whose stops and tokens are told by hand.
struct told_link {
  bench b;
  isolation_link& link;
  tree_teller &stops, &tokens;
  std::unique_ptr<clocked> checker;

  explicit told_link(kernel k, unsigned queues = 2)
      : b(k),
        link(b.keep<isolation_link>(link_place{"link"}, queues)),
        stops(b.make<tree_teller>("stops")),
        tokens(b.make<tree_teller>("tokens")),
        checker(link.make_checker(b.collect())) {
    link.with([&](auto& w) { stops.pin(w.stop), tokens.pin(w.token); });
    b.clock(*checker);
    b.reset();
    run(2);
  }
  /// What breaks when this is told.
  std::string after(std::deque<tree_message> stopped, std::deque<tree_message> set_aside = {}) {
    stops.todo = std::move(stopped), tokens.todo = std::move(set_aside);
    run(10);
    return b.broken();
  }
};

class isolation_checker_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(isolation_checker_on, is_silent_when_all_is_told_in_turns) {
  told_link t(GetParam());
  EXPECT_EQ(t.after({set(3), set(4), clear(3), set(5), clear(4), set(3)}, {set(3), set(7), clear(3), set(3)}),
            "");
}
TEST_P(isolation_checker_on, reports_a_root_that_is_stopped_twice) {
  EXPECT_EQ(told_link(GetParam()).after({set(3), set(4), set(3)}), "IS1 ");
}
TEST_P(isolation_checker_on, reports_a_root_that_is_let_go_and_was_not_stopped) {
  EXPECT_EQ(told_link(GetParam()).after({set(3), clear(4)}), "IS1 ");
}
TEST_P(isolation_checker_on, reports_a_token_that_is_back_twice) {
  EXPECT_EQ(told_link(GetParam()).after({}, {set(3), clear(3), clear(3)}), "IS2 ");
}
TEST_P(isolation_checker_on, reports_a_token_that_goes_up_twice) {
  EXPECT_EQ(told_link(GetParam()).after({}, {set(3), {}, set(3)}), "IS2 ");
}
TEST_P(isolation_checker_on, reports_two_words_at_once) {
  EXPECT_EQ(told_link(GetParam()).after({{3, true, true}}), "IS3 ");
}
TEST_P(isolation_checker_on, says_what_was_told_of_which_root) {
  told_link t(GetParam());
  t.after({set(3), {}, set(3), clear(4), {5, true, true}});
  ASSERT_EQ(t.b.violations.size(), 3u);
  const auto expect_said = [&](unsigned n, const std::string& what) {
    const std::string& message = t.b.violations[n].message;
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  expect_said(0, ": set 3 is told, which is set already");
  expect_said(1, ": clear 4 is told, which is not set");
  expect_said(2, ": set+clear 5 is told");
}
TEST_P(isolation_checker_on, forgets_in_a_reset_what_was_stopped_and_set_aside) {
  told_link t(GetParam());
  EXPECT_EQ(t.after({set(3)}, {set(7)}), "");
  t.b.reset(4);
  EXPECT_EQ(t.after({set(3)}, {set(7)}), "");
  EXPECT_EQ(t.after({set(3)}, {set(7)}), "IS1 IS2 ");
}
TEST_P(isolation_checker_on, reports_words_in_reset) {
  told_link t(GetParam());
  t.stops.in_reset = set(1);
  t.b.reset(4);
  run(4);
  EXPECT_EQ(t.b.broken(), "IS4 ");
  t.b.reset(4);
  run(4);
  EXPECT_EQ(t.b.broken(), "IS4 IS4 ") << "in each";
}
TEST_P(isolation_checker_on, reports_more_roots_than_queues) {
  EXPECT_EQ(told_link(GetParam()).after({set(3), set(4), set(5)}), "IS5 ");
}
TEST_P(isolation_checker_on, holds_packets_to_the_rules_of_packet_links) {
  told_link t(GetParam());
  for (const std::uint32_t packet : {1, 2}) {
    t.link.with([&](auto& w) { w.valid.write(true), w.data.write(make_flit(0, 1, packet)); });
    run(2);
  }
  EXPECT_EQ(t.b.broken(), "PL1 ");
}

INSTANTIATE_TEST_SUITE_P(kernels, isolation_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

namespace {

/// What a switch with one input and one output, to node 1, would show, played by hand.
struct played_switch {
  bench b;
  isolation_link &in, &out;
  isolation_switch_checker& checker;
  sender &enters, &leaves;
  tree_teller &stops_in, &tokens_in, &stops_out, &tokens_out;

  explicit played_switch(kernel k)
      : b(k),
        in(b.keep<isolation_link>(link_place{"in"}, 2u)),
        out(b.keep<isolation_link>(link_place{"out"}, 2u)),
        checker(b.make<isolation_switch_checker>("check", config(), b.collect())),
        enters(b.make<sender>("enters")),
        leaves(b.make<sender>("leaves")),
        stops_in(teller("stops_in")),
        tokens_in(teller("tokens_in")),
        stops_out(teller("stops_out")),
        tokens_out(teller("tokens_out")) {
    in.connect(checker.in[0]), in.connect(checker.in_tree[0]);
    out.connect(checker.out[0]), out.connect(checker.out_tree[0]);
    in.connect(enters.out), in.connect(b.make<receiver>("taken").in);
    out.connect(leaves.out), out.connect(b.make<receiver>("gone").in);
    in.with([&](auto& w) { stops_in.pin(w.stop), tokens_in.pin(w.token); });
    out.with([&](auto& w) { stops_out.pin(w.stop), tokens_out.pin(w.token); });
    b.reset();
    run(2);
  }
  void pass(std::uint32_t destination, std::uint32_t packet) {
    enters.add_packet(0, destination, packet);
    run(4);
    leaves.add_packet(0, destination, packet);
    run(4);
  }

  void expect_only(const std::string& rule, const std::string& what) const {
    EXPECT_EQ(b.broken(), rule + " ");
    EXPECT_NE(b.first_violation().find(what), std::string::npos) << b.first_violation();
  }

private:
  tree_teller& teller(const std::string& name) { return b.make<tree_teller>(name); }
  static isolation_switch_checker_config config() {
    isolation_switch_checker_config c;
    c.inputs = 1;
    c.map = map_of_two_levels();
    c.neighbours = {{1, 0, 1, false}};
    return c;
  }
};

class isolation_switch_checker_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(isolation_switch_checker_on, is_silent_when_others_than_those_of_the_tree_are_sent) {
  played_switch t(GetParam());
  t.stops_out.todo = {set(root_of(0))};
  run(4);
  for (std::uint32_t n = 0; n < 5; ++n) t.pass(1, n);
  t.stops_out.todo = {clear(root_of(0))};
  run(4);
  t.pass(0, 5);
  EXPECT_EQ(t.b.broken(), "");
}
TEST_P(isolation_switch_checker_on, reports_what_is_sent_of_a_stopped_tree) {
  played_switch t(GetParam());
  t.stops_out.todo = {set(root_of(0))};
  run(4);
  t.pass(0, 0);
  t.expect_only("IS6", "is sent by output 0, where root " + std::to_string(root_of(0)) + " is stopped");
}
TEST_P(isolation_switch_checker_on, reports_packets_that_overtake_each_other) {
  played_switch t(GetParam());
  for (const std::uint32_t n : {0, 1, 2}) t.enters.add_packet(0, 1, n);
  run(8);
  for (const std::uint32_t n : {0, 2, 1}) t.leaves.add_packet(0, 1, n);
  run(8);
  t.expect_only("IS7", "leaves by output 0 before packet 1");
}
TEST_P(isolation_switch_checker_on, reports_a_packet_that_has_not_come) {
  played_switch t(GetParam());
  t.leaves.add_packet(0, 1, 7);
  run(4);
  t.expect_only("IS7", "leaves by output 0 and has not come");
}
TEST_P(isolation_switch_checker_on, reports_a_tree_that_stays_stopped) {
  played_switch t(GetParam());
  t.stops_in.todo = {set(root_of(0))};
  run(60);
  EXPECT_EQ(t.b.broken(), "");
  run(300);
  t.expect_only("IS8", "it is empty for 64 cycles");
}
TEST_P(isolation_switch_checker_on, reports_it_again_of_a_later_tree) {
  played_switch t(GetParam());
  t.stops_in.todo = {set(root_of(0))};
  run(200);
  t.stops_in.todo = {clear(root_of(0))};
  run(4);
  t.pass(1, 0);
  t.stops_in.todo = {set(root_of(1))};
  run(200);
  EXPECT_EQ(t.b.broken(), "IS8 IS8 ");
}
TEST_P(isolation_switch_checker_on, knows_the_switch_to_be_empty_after_a_reset) {
  played_switch t(GetParam());
  t.enters.add_packet(0, 1, 0);
  run(4);
  t.b.reset();
  t.stops_in.todo = {set(root_of(0))};
  run(100);
  EXPECT_EQ(t.b.broken(), "IS8 ");
}
TEST_P(isolation_switch_checker_on, reports_a_token_that_does_not_come_back) {
  played_switch t(GetParam());
  t.tokens_out.todo = {set(root_of(0))};
  run(100);
  EXPECT_EQ(t.b.broken(), "IS8 ");
}
TEST_P(isolation_switch_checker_on, lets_it_be_while_the_sender_has_some_of_it_aside) {
  played_switch t(GetParam());
  t.tokens_in.todo = {set(root_of(0))};
  t.tokens_out.todo = {set(root_of(0))};
  run(300);
  EXPECT_EQ(t.b.broken(), "");
}

INSTANTIATE_TEST_SUITE_P(kernels, isolation_switch_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });
