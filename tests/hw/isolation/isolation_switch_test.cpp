#include <gtest/gtest.h>

#include <support/marking_bench.hpp>
#include <support/refusal.hpp>

#include "isolation_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

isolation_switch_config config_of(unsigned queues, unsigned length = 1) {
  isolation_switch_config c;
  c.queues = queues;
  c.packet_length = length;
  return c;
}

class isolation_switch_on : public sc_test, public testing::WithParamInterface<kernel> {};
struct isolation_switch_test : sc_test {};

std::string refusal_of(const isolation_switch_config& config) {
  return refusal<std::invalid_argument>([&] { config.check(); });
}

}  // namespace

TEST_P(isolation_switch_on, passes_a_flit_in_one_cycle) {
  isolation_bench t(GetParam(), config_of(8));
  t.b.reset();
  run(5);
  t.send(0, 2), t.send(1, 0);
  run(10);
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_EQ(t.to[1 - i]->got.size(), 1u);
    EXPECT_EQ(t.to[1 - i]->got[0].cycle, t.from[i]->sent[0].cycle + 1);
  }
}

TEST_P(isolation_switch_on, passes_a_permutation_at_full_rate_and_sets_nothing_aside) {
  isolation_bench t(GetParam(), config_of(8));
  for (int n = 0; n < 100; ++n) t.send(0, 3), t.send(1, 1);
  t.b.reset();
  run(120);
  for (const receiver* r : t.to) {
    ASSERT_EQ(r->got.size(), 100u);
    EXPECT_EQ(r->got.back().cycle - r->got.front().cycle, 99u);
  }
  counters all;
  t.block.count(all);
  EXPECT_EQ(all["isolation.flits_set_aside"], 0);
  t.expect_all_delivered();
}

// Both inputs send to output 0, which takes half of it; what is for output 1 passes once it is a root.
TEST_P(isolation_switch_on, finds_a_root_at_its_own_output) {
  isolation_bench t(GetParam(), config_of(8));
  t.b.reset();
  for (int n = 0; n < 60; ++n) t.send(0, n % 4 == 3 ? 2 : 0), t.send(1, 1);
  run(14);
  EXPECT_TRUE(t.block.root(0));
  EXPECT_FALSE(t.block.root(1));
  EXPECT_EQ(t.block.set_aside(0), 1u);
  EXPECT_EQ(t.block.set_aside(1), 1u);
  run(16);
  EXPECT_TRUE(t.stops_in[0]->now.contains(0)) << "the sender is to send no more by output 0 of node 0";
  EXPECT_TRUE(t.tokens_out[0]->now.empty()) << "the root is here, the next switch has no part in it";
  run(200);
  t.expect_all_delivered();
  EXPECT_FALSE(t.block.root(0));
  EXPECT_EQ(t.block.set_aside(0) + t.block.set_aside(1), 0u);
  for (const tree_listener* l : t.stops_in) EXPECT_TRUE(l->now.empty());
}

TEST_P(isolation_switch_on, is_no_root_while_the_next_switch_does_not_take) {
  isolation_bench t(GetParam(), config_of(8));
  t.to[0]->rate = 0;
  t.b.reset();
  for (int n = 0; n < 10; ++n) t.send(0, 0), t.send(1, 0);
  run(40);
  EXPECT_FALSE(t.block.root(0));
  EXPECT_EQ(t.block.level(), 8u) << "both first queues are full";
}

TEST_P(isolation_switch_on, sets_aside_what_goes_through_a_root_further_on) {
  isolation_bench t(GetParam(), config_of(8));
  t.b.reset();
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(4);
  for (int n = 0; n < 6; ++n) t.send(0, 0);
  for (int n = 0; n < 10; ++n) t.send(0, 1), t.send(0, 3);
  run(60);
  EXPECT_EQ(t.arrived(0), 0u);
  EXPECT_EQ(t.arrived(1), 10u) << "they leave by the same output, and not through the root";
  EXPECT_EQ(t.arrived(3), 10u);
  EXPECT_EQ(t.block.set_aside(0), 1u);
  EXPECT_EQ(t.block.level(), 6u);
  EXPECT_TRUE(t.stops_in[0]->now.contains(root_of(0)));
  EXPECT_FALSE(t.stops_in[1]->now.contains(root_of(0))) << "nothing came from there";
  EXPECT_TRUE(t.tokens_out[0]->now.contains(root_of(0)));
  t.stops_out[0]->todo.push_back(clear(root_of(0)));
  run(20);
  EXPECT_EQ(t.arrived(0), 6u);
  EXPECT_EQ(t.block.set_aside(0), 0u);
  EXPECT_TRUE(t.stops_in[0]->now.empty());
  EXPECT_TRUE(t.tokens_out[0]->now.empty()) << "the token is back";
  EXPECT_EQ(t.tokens_out[0]->words, 2u);
  t.expect_all_delivered();
}

TEST_P(isolation_switch_on, keeps_a_queue_until_the_token_is_back) {
  isolation_bench t(GetParam(), config_of(8));
  t.b.reset();
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(4);
  for (int n = 0; n < 4; ++n) t.send(0, 0);
  run(12);
  ASSERT_TRUE(t.stops_in[0]->now.contains(root_of(0)));
  t.tokens_in[0]->todo.push_back(set(root_of(0)));
  run(4);
  t.stops_out[0]->todo.push_back(clear(root_of(0)));
  run(80);
  EXPECT_EQ(t.arrived(0), 4u);
  EXPECT_EQ(t.block.set_aside(0), 1u);
  EXPECT_TRUE(t.stops_in[0]->now.empty()) << "it is empty, so more may come";
  t.tokens_in[0]->todo.push_back(clear(root_of(0)));
  run(5);
  EXPECT_EQ(t.block.set_aside(0), 0u);
  t.expect_all_delivered();
}

// Two roots and one queue: packets to the second stay in the first queue, and hold up what is behind them.
TEST_P(isolation_switch_on, has_no_place_for_more_trees_than_queues) {
  isolation_bench t(GetParam(), config_of(1));
  t.b.reset();
  t.stops_out[0]->todo = {set(root_of(0)), set(root_of(1))};
  run(5);
  t.send(0, 0), t.send(0, 1), t.send(0, 2);
  run(30);
  EXPECT_EQ(t.block.set_aside(0), 1u);
  EXPECT_EQ(t.arrived(2), 0u);
  counters all;
  t.block.count(all);
  EXPECT_EQ(all["isolation.no_queue_free"], 1) << "once a packet";
  t.stops_out[0]->todo = {clear(root_of(0)), clear(root_of(1))};
  run(20);
  t.expect_all_delivered();
}

TEST_P(isolation_switch_on, counts_each_packet_that_finds_no_queue_free) {
  isolation_bench t(GetParam(), config_of(1));
  t.b.reset();
  t.stops_out[0]->todo = {set(root_of(0)), set(root_of(1))};
  run(5);
  t.send(0, 0), t.send(0, 1), t.send(0, 1);
  run(30);
  t.stops_out[0]->todo = {clear(root_of(1)), set(root_of(1))};
  run(30);
  counters all;
  t.block.count(all);
  EXPECT_EQ(all["isolation.no_queue_free"], 2);
}

TEST_P(isolation_switch_on, has_a_queue_for_each_of_several_trees) {
  isolation_bench t(GetParam(), config_of(2));
  t.b.reset();
  t.stops_out[0]->todo = {set(root_of(0)), set(root_of(1))};
  run(5);
  for (int n = 0; n < 3; ++n) t.send(0, 0), t.send(0, 1), t.send(0, 2);
  run(40);
  EXPECT_EQ(t.block.set_aside(0), 2u);
  EXPECT_EQ(t.arrived(2), 3u);
  t.stops_out[0]->todo = {clear(root_of(0)), clear(root_of(1))};
  run(20);
  t.expect_all_delivered();
}

// What is aside for the root here is older than what the next switch stops then.
TEST_P(isolation_switch_on, lets_nothing_overtake_what_is_aside_for_a_root_nearer_by) {
  isolation_bench t(GetParam(), config_of(8));
  t.b.reset();
  for (int n = 0; n < 40; ++n) t.send(0, 0), t.send(1, 0);
  run(14);
  ASSERT_TRUE(t.block.root(0));
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(10);
  EXPECT_EQ(t.block.set_aside(0), 2u) << "for the root here, and for that further on";
  EXPECT_EQ(t.block.set_aside(1), 2u);
  const std::size_t before = t.arrived(0);
  run(40);
  EXPECT_EQ(t.arrived(0), before);
  t.stops_out[0]->todo.push_back(clear(root_of(0)));
  run(200);
  t.expect_all_delivered();
}

// Two queues of an input with one root, one for each output that leads there.
TEST_P(isolation_switch_on, stops_the_sender_by_the_fullest_queue_of_a_tree) {
  isolation_bench t(GetParam(), config_of(8), "b", 100, 100, map_of_meeting_again());
  t.b.reset();
  for (tree_teller* const next : t.stops_out) next->todo.push_back(set(root_where_they_meet));
  run(4);
  for (int n = 0; n < 6; ++n) t.send(0, 0);
  t.send(0, 2);
  run(20);
  EXPECT_EQ(t.block.set_aside(0), 2u);
  for (unsigned cycle = 0; cycle < 20; ++cycle, run(1))
    EXPECT_TRUE(t.stops_in[0]->now.contains(root_where_they_meet)) << "six wait in one, one in the other";
  for (tree_teller* const next : t.stops_out) next->todo.push_back(clear(root_where_they_meet));
  run(40);
  EXPECT_TRUE(t.stops_in[0]->now.empty());
  t.expect_all_delivered();
}

TEST_P(isolation_switch_on, without_queues_is_a_plain_switch) {
  isolation_bench t(GetParam(), config_of(0));
  t.b.reset();
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(4);
  t.send(0, 0), t.send(0, 2), t.send(1, 2);
  run(30);
  EXPECT_EQ(t.arrived(2), 1u) << "that of the other input";
  t.stops_out[0]->todo.push_back(clear(root_of(0)));
  run(20);
  t.expect_all_delivered();
}

TEST_P(isolation_switch_on, is_emptied_by_a_reset_and_counts_the_loss) {
  isolation_bench t(GetParam(), config_of(8, 2));
  t.b.reset();
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(4);
  for (int n = 0; n < 20; ++n) t.send(0, n % 2, 2), t.send(1, n % 2, 2);
  run(30);
  const unsigned held = t.block.level();
  ASSERT_GE(held, 4u);
  t.b.rst(true);
  run(1);
  EXPECT_EQ(t.block.level(), 0u);
  EXPECT_EQ(t.block.set_aside(0), 0u);
  EXPECT_EQ(t.block.lost_in_reset(), held);
  for (sender* s : t.from) s->todo.clear(), s->sent.clear();
  for (receiver* r : t.to) r->got.clear();
  run(3);
  t.b.rst(false);
  for (int n = 0; n < 20; ++n) t.send(0, n % 4, 2), t.send(1, n % 4, 1);
  run(300);
  t.expect_all_delivered();
}

namespace {

/// Switches around it that stop and let go of roots, and have and give back tokens, at random.
void disturb(isolation_bench& t, dice& d, std::vector<bool>& stopped, std::vector<bool>& held) {
  const std::uint32_t destination = d.below(4);
  const unsigned i = d.below(2);
  if (d.percent(50)) {
    auto& todo = t.stops_out[destination / 2]->todo;
    const bool now = stopped[destination] = !stopped[destination];
    todo.push_back(now ? set(root_of(destination)) : clear(root_of(destination)));
  } else {
    const bool now = held[2 * i] = !held[2 * i];
    t.tokens_in[i]->todo.push_back(now ? set(root_of(0)) : clear(root_of(0)));
  }
}

/// Random traffic of packets of up to three flits, and what is around it disturbs it.
void drive(isolation_bench& t, unsigned cycles) {
  dice d(5);
  std::vector<bool> stopped(4), held(4);
  for (unsigned n = 0; n < cycles / 10; ++n) {
    for (int p = 0; p < 3; ++p) t.send(d.below(2), d.percent(60) ? 0 : d.below(4), d.between(1, 3));
    disturb(t, d, stopped, held);
    run(10);
  }
  for (std::uint32_t r = 0; r < 4; ++r)
    if (stopped[r]) t.stops_out[r / 2]->todo.push_back(clear(root_of(r)));
  for (unsigned i = 0; i < 2; ++i)
    if (held[2 * i]) t.tokens_in[i]->todo.push_back(clear(root_of(0)));
  run(2000);
}

isolation_switch_config small() {
  isolation_switch_config c = config_of(3, 3);
  c.queue_depth = 5;
  return c;
}

}  // namespace

TEST_P(isolation_switch_on, loses_and_turns_round_nothing_whatever_is_stopped) {
  isolation_bench t(GetParam(), small(), "b", 80, 80);
  t.b.reset();
  drive(t, 6000);
  t.expect_all_delivered();
  counters all;
  t.block.count(all);
  EXPECT_GT(all["isolation.flits_set_aside"], 500);
  EXPECT_GT(all["isolation.queues_taken"], 100);
  EXPECT_EQ(all["isolation.queues_in_use"], 0);
}

namespace {

isolation_switch_config marked() {
  isolation_switch_config c = config_of(8);
  c.marked = true;
  return c;
}

}  // namespace

TEST_P(isolation_switch_on, shows_what_waits_for_an_output_set_aside_here_or_not) {
  isolation_bench t(GetParam(), marked());
  const marking_bench marks(t.b, t.block, 2);
  t.b.reset();
  for (int n = 0; n < 40; ++n) t.send(0, 0), t.send(1, 0);
  run(14);
  EXPECT_TRUE(t.block.root(0));
  EXPECT_EQ(t.block.set_aside(0), 1u);
  EXPECT_EQ(marks.waiting(0), t.block.level());
  EXPECT_GT(marks.waiting(0), 8u) << "more than the first queues hold";
  EXPECT_EQ(marks.waiting(1), 0u);
  run(200);
  t.expect_all_delivered();
  EXPECT_EQ(marks.waiting(0), 0u);
}

TEST_P(isolation_switch_on, counts_what_is_set_aside_for_a_root_farther_on_as_waiting_there) {
  isolation_bench t(GetParam(), marked());
  const marking_bench marks(t.b, t.block, 2);
  t.b.reset();
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(4);
  for (int n = 0; n < 6; ++n) t.send(0, 0);
  run(20);
  EXPECT_EQ(t.block.level(), 6u);
  EXPECT_EQ(marks.waiting(0), 0u);
}

TEST_P(isolation_switch_on, marks_heads_as_they_get_an_output_and_once) {
  isolation_switch_config config = marked();
  config.packet_length = 2;
  isolation_bench t(GetParam(), config);
  marking_bench marks(t.b, t.block, 2);
  t.to[0]->rate = 0;
  t.b.reset();
  t.send(0, 0, 2), t.send(1, 0, 2), t.send(0, 2, 2);
  unmark(*t.from[0]), unmark(*t.from[1]);
  run(10);
  marks.give(0, 5);  // the first is shown and refused already
  run(10);
  t.to[0]->rate = 100;
  run(20);
  ASSERT_EQ(t.to[0]->got.size(), 4u);
  const std::vector<unsigned> expected{0, 0, 5, 0};
  for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(t.to[0]->got[n].data.marks, expected[n]) << n;
  ASSERT_EQ(t.to[1]->got.size(), 2u);
  EXPECT_EQ(t.to[1]->got[0].data.marks, 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, isolation_switch_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

TEST_F(isolation_switch_test, runs_alike_on_both_kernels) {
  isolation_bench a(kernel::signals, small(), "a", 70, 60), f(kernel::fast, small(), "f", 70, 60);
  for (isolation_bench* t : {&a, &f}) {
    dice d(9);
    for (int n = 0; n < 300; ++n) t->send(d.below(2), d.percent(50) ? 0 : d.below(4), d.between(1, 3));
    t->b.rst(true);
  }
  run(2);
  for (isolation_bench* t : {&a, &f}) t->b.rst(false);
  for (unsigned n = 0; n < 20; ++n) {
    for (isolation_bench* t : {&a, &f})
      t->stops_out[0]->todo.push_back(n % 2 ? clear(root_of(0)) : set(root_of(0)));
    run(60);
  }
  run(1000);
  for (unsigned o = 0; o < 2; ++o) {
    EXPECT_FALSE(a.to[o]->got.empty());
    EXPECT_TRUE(a.to[o]->got == f.to[o]->got) << "output " << o;
    EXPECT_EQ(a.stops_in[o]->words, f.stops_in[o]->words);
  }
  a.expect_all_delivered();
  f.expect_all_delivered();
}

TEST_F(isolation_switch_test, refuses_what_it_cannot_be) {
  EXPECT_EQ(refusal_of(config_of(64)), "an input has 0 to 63 set-aside queues, found 64");
  EXPECT_EQ(refusal_of(config_of(8, 5)),
            "every queue must hold a whole packet: the smallest has room for 4 flits, packets have up to 5");
  isolation_switch_config c = config_of(8, 5);
  c.depth = 6, c.queue_depth = 4;
  EXPECT_EQ(refusal_of(c),
            "every queue must hold a whole packet: the smallest has room for 4 flits, packets have up to 5");
  c.queues = 0;
  EXPECT_EQ(refusal_of(c), "") << "there is none of these";
  EXPECT_EQ(refusal_of(config_of(8, 0)),
            "every queue must hold a whole packet: the smallest has room for 4 flits, packets have up to 0");
  EXPECT_EQ(refusal_of(config_of(63)), "");
  c = config_of(0), c.inputs = 1, c.depth = 65535;
  EXPECT_EQ(refusal_of(c), "");
  c.depth = 65536;
  EXPECT_EQ(refusal_of(c), "a switch holds at most 65535 flits, found 65536");
  c = config_of(8);
  c.go = 4;
  EXPECT_EQ(
      refusal_of(c),
      "a tree is stopped with up to as many flits as its queue holds, and may go on with fewer: expected "
      "go < stop <= queue_depth, found 4, 4 and 8");
  c = config_of(8);
  c.stop = 9;
  EXPECT_NE(refusal_of(c).find("found 2, 9 and 8"), std::string::npos) << refusal_of(c);
  c.stop = 8;
  EXPECT_EQ(refusal_of(c), "");
  c = config_of(8);
  c.queue_depth = 5000;
  EXPECT_EQ(refusal_of(c), "a switch holds at most 65535 flits, found 80008");
  c = config_of(8);
  c.outputs = 0;
  EXPECT_EQ(refusal_of(c), "a switch has 1 to 64 inputs and outputs, found 2 and 0");
}

TEST_F(isolation_switch_test, has_no_checkers_before_its_ports_are_connected) {
  bench b(kernel::signals);
  auto& block = b.make<isolation_switch>("switch", config_of(2), 0u, std::make_shared<two_levels>(),
                                         map_of_two_levels(),
                                         std::vector<link_end>{{1, 0, 1, false}, {2, 0, 1, false}});
  EXPECT_EQ(refusal([&] { b.checkers_of(block); }),
            "bench_switch: its checkers look at all its ports, and one has no link");
}
