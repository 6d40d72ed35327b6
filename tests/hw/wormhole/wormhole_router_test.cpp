#include <gtest/gtest.h>

#include "router_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct wormhole_router_test : sc_test {};

std::vector<std::uint64_t> cycles_of(const std::vector<passage>& passages) {
  std::vector<std::uint64_t> cycles;
  for (const passage& p : passages) cycles.push_back(p.cycle);
  return cycles;
}

// Cycles from one flit's edge at the input to its edge at the output.
std::uint64_t delay_of_a_flit(const router_config& c, const std::string& name = "b") {
  router_bench t(kernel::fast, c, name);
  t.b.reset();
  run(5);
  t.send(0, 1);
  run(40);
  EXPECT_EQ(t.to[1]->got.size(), 1u);
  t.expect_all_delivered();
  return t.to[1]->got.at(0).cycle - t.from[0]->sent.at(0).cycle;
}

// A flit more than the router has been told.
void expect_too_long_a_packet_is_reported(router_flow flow) {
  router_config c = router_of(2, 1, 8);
  c.flow = flow;
  c.packet_length = 4;
  router_bench t(kernel::fast, c);
  t.send(0, 1, 5);
  t.b.reset();
  EXPECT_THROW(run(40), sc_core::sc_report);
}

}  // namespace

TEST_F(wormhole_router_test, passes_a_flit_in_one_cycle) {
  EXPECT_EQ(delay_of_a_flit(router_of(5, 2, 4)), 1u);
}

TEST_F(wormhole_router_test, passes_a_flit_in_as_many_cycles_as_told) {
  router_config c = router_of(3, 2, 4);
  c.latency = 3;
  c.entry_latency = 2;  // concerns what comes from terminals
  EXPECT_EQ(delay_of_a_flit(c), 3u);
}

TEST_F(wormhole_router_test, delays_what_enters_from_a_terminal) {
  router_config c = router_of(3, 2, 4);
  c.latency = 2;
  c.entry_latency = 5;
  c.inputs[0].terminal = true;
  EXPECT_EQ(delay_of_a_flit(c), 7u);
}

TEST_F(wormhole_router_test, delays_only_the_head_of_a_packet) {
  router_config c = router_of(2, 1, 8);
  c.latency = 4;
  router_bench t(kernel::signals, c);
  t.send(0, 1, 6);
  t.b.reset();
  run(30);
  ASSERT_EQ(t.to[1]->got.size(), 6u);
  EXPECT_EQ(t.to[1]->got[0].cycle, t.from[0]->sent[0].cycle + 4);
  EXPECT_EQ(t.to[1]->got[5].cycle, t.to[1]->got[0].cycle + 5);
}

TEST_F(wormhole_router_test, runs_at_full_rate_with_two_flits_a_channel) {
  router_bench t(kernel::fast, router_of(4, 1, 2));
  for (int n = 0; n < 25; ++n)
    for (unsigned i = 0; i < 4; ++i) t.send(i, 3 - i, 4);
  t.b.reset();
  run(120);
  for (unsigned o = 0; o < 4; ++o) {
    ASSERT_EQ(t.to[o]->got.size(), 100u);
    EXPECT_EQ(t.to[o]->got.back().cycle - t.to[o]->got.front().cycle, 99u);
  }
}

TEST_F(wormhole_router_test, passes_a_blocked_packet_by_on_another_channel) {
  router_bench one(kernel::fast, router_of(2, 1, 4), "one"), two(kernel::fast, router_of(2, 2, 4), "two");
  for (router_bench* t : {&one, &two}) {
    t->to[1]->stopped = 3;
    t->send(0, 1, 12);  // fills its queue and keeps channel 0 of output 1
    t->b.rst(true);
  }
  run(2);
  for (router_bench* t : {&one, &two}) t->b.rst(false);
  run(20);
  for (router_bench* t : {&one, &two}) {
    t->to[1]->stopped = 1;
    t->send(1, 1, 4);
  }
  run(20);
  EXPECT_EQ(one.to[1]->got.size(), 0u);
  ASSERT_EQ(two.to[1]->got.size(), 4u);
  EXPECT_EQ(two.to[1]->got[0].data.lane, 1u);
  for (router_bench* t : {&one, &two}) {
    EXPECT_TRUE(t->b.violations.empty()) << t->b.first_violation();
  }
}

TEST_F(wormhole_router_test, keeps_an_output_channel_for_one_packet) {
  router_bench t(kernel::fast, router_of(4, 1, 2));
  for (unsigned i = 0; i < 4; ++i)
    for (int n = 0; n < 20; ++n) t.send(i, 0, 5);
  t.b.reset();
  run(500);
  t.expect_all_delivered();  // the checker of the output finds every packet in one piece
  std::vector<unsigned> order;
  for (const passage& p : t.to[0]->got)
    if (p.data.head()) order.push_back(p.data.source);
  for (std::size_t n = 4; n + 4 < order.size(); ++n) EXPECT_EQ(order[n + 4], order[n]) << "packet " << n;
}

TEST_F(wormhole_router_test, shares_a_link_between_channels_flit_by_flit) {
  router_bench t(kernel::fast, router_of(2, 2, 4));
  for (int n = 0; n < 10; ++n) t.send(0, 0, 10), t.send(1, 0, 10);
  t.b.reset();
  run(230);
  t.expect_all_delivered();
  const auto cycles = cycles_of(t.to[0]->got);
  EXPECT_EQ(cycles.back() - cycles.front(), 199u) << "the link is always busy";
  unsigned turns = 0;
  for (std::size_t n = 1; n < cycles.size(); ++n)
    turns += t.to[0]->got[n].data.source != t.to[0]->got[n - 1].data.source;
  EXPECT_GT(turns, 180u);
}

TEST_F(wormhole_router_test, channels_of_an_input_take_turns_on_a_link) {
  router_bench t(kernel::fast, router_of(2, 3, 8));
  for (int n = 0; n < 12; ++n)
    for (const unsigned lane : {0u, 1u, 2u}) t.send(0, 1, 8, lane);
  t.to[1]->stopped = ~lane_mask{0};
  t.b.reset();
  run(100);  // all channels are full
  t.to[1]->stopped = 0;
  run(900);
  t.expect_all_delivered();
  // While each of them has flits, each has its turn.
  unsigned of[3] = {0, 0, 0};
  for (unsigned n = 0; n < 24; ++n) ++of[t.to[1]->got[n].data.packet % 3];
  for (const unsigned flits : of) EXPECT_EQ(flits, 8u);
}

TEST_F(wormhole_router_test, sends_a_flit_a_cycle_of_each_input) {
  router_bench t(kernel::fast, router_of(3, 2, 8));
  for (unsigned n = 0; n < 4; ++n) t.send(0, 1, 8, 0), t.send(0, 2, 8, 1), t.send(1, 0, 8, 0);
  for (lane_receiver* const r : t.to) r->stopped = ~lane_mask{0};
  t.b.reset();
  run(100);  // all channels are full
  for (lane_receiver* const r : t.to) r->stopped = 0;
  run(12);
  EXPECT_GE(t.to[0]->got.size(), 10u);
  EXPECT_LE(t.to[1]->got.size() + t.to[2]->got.size(), 12u + 2) << "each link had one before";
}

TEST_F(wormhole_router_test, sleeps_while_nothing_comes) {
  router_bench t(kernel::fast, router_of(2, 2, 4));
  for (unsigned n = 0; n < 10; ++n) t.send(0, 1, 4, n % 2), t.send(1, 1, 4, n % 2);
  t.b.reset();
  run(200);
  t.expect_all_delivered();
  const std::uint64_t before = t.b.domain().calls();
  run(100);
  EXPECT_EQ(t.b.domain().calls() - before, 400u) << "two senders and two receivers";
}

TEST_F(wormhole_router_test, keeps_to_the_channels_that_the_routing_allows) {
  router_routing upper;
  upper.allowed = 0b1100;
  router_bench t(kernel::fast, router_of(2, 4, 4), "b", 100, 100, upper);
  for (unsigned n = 0; n < 40; ++n) t.send(n % 2, 1, 3, n % 4);
  t.b.reset();
  run(200);
  t.expect_all_delivered();
  std::vector<unsigned> used(4);
  for (const passage& p : t.to[1]->got) ++used[p.data.lane];
  EXPECT_EQ(used[0] + used[1], 0u);
  EXPECT_GT(used[2], 0u);
  EXPECT_GT(used[3], 0u);
}

TEST_F(wormhole_router_test, turns_to_the_escape_channel_only_when_the_others_are_taken) {
  router_routing with;
  with.escapes = 1;
  router_config c = router_of(3, 2, 4);
  c.one_packet = true;
  router_bench t(kernel::fast, c, "b", 100, 100, with);
  t.send(0, 2, 8);
  t.b.reset();
  run(4);
  t.send(1, 2, 8);
  run(40);
  t.expect_all_delivered();
  for (const passage& p : t.to[2]->got) EXPECT_EQ(p.data.lane, p.data.source == 0 ? 1u : 0u);
}

TEST_F(wormhole_router_test, leaves_the_escape_channels_open_beside_an_output_that_is_drawn) {
  router_routing both;
  both.every_output = 0b110;
  both.escapes = 1;
  router_config c = router_of(3, 2, 4);
  c.one_packet = c.random_output = true;
  router_bench t(kernel::fast, c, "b", 100, 100, both);
  t.to[1]->stopped = 3;
  for (int n = 0; n < 20; ++n) t.send(0, 0, 4);
  t.b.reset();
  run(400);
  ASSERT_EQ(t.to[2]->got.size(), 80u) << "also those that are drawn for the stopped output";
  std::array<unsigned, 2> used{};
  for (const passage& p : t.to[2]->got) ++used[p.data.lane];
  EXPECT_GE(used[0], 4u);
  EXPECT_GE(used[1], 4u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(wormhole_router_test, takes_a_free_one_of_several_outputs) {
  router_routing both;
  both.every_output = 0b110;
  router_bench t(kernel::fast, router_of(3, 1, 4), "b", 100, 100, both);
  t.to[1]->stopped = 1;
  for (int n = 0; n < 10; ++n) t.send(0, 0, 4);
  t.b.reset();
  run(100);
  EXPECT_GE(t.to[2]->got.size(), 28u) << "one packet may have turned to the stopped output";
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(wormhole_router_test, draws_one_of_several_outputs_for_each_packet) {
  router_routing with;
  with.every_output = 0b1111;
  router_config c = router_of(4, 1, 4);
  c.random_output = true;
  router_bench t(kernel::fast, c, "b", 100, 100, with);
  for (int n = 0; n < 400; ++n) t.send(0, 0);
  t.b.reset();
  run(600);
  t.expect_all_delivered();
  for (const lane_receiver* r : t.to) EXPECT_NEAR(static_cast<double>(r->got.size()), 100, 30);
}

TEST_F(wormhole_router_test, waits_for_room_for_the_whole_packet_when_it_cuts_through) {
  router_config c = router_of(2, 1, 8);
  c.flow = router_flow::cut_through;
  c.packet_length = 4;
  router_bench t(kernel::fast, c);
  t.to[1]->stopped = 1;
  for (int n = 0; n < 4; ++n) t.send(0, 1, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.router->level(), 8u) << "two packets, and nothing of the third";
  t.to[1]->stopped = 0;
  run(40);
  t.expect_all_delivered();
  EXPECT_EQ(t.to[1]->got[0].data.index, 0u);
}

TEST_F(wormhole_router_test, reports_a_packet_that_is_longer_than_it_has_asked_room_for) {
  expect_too_long_a_packet_is_reported(router_flow::cut_through);
}
TEST_F(wormhole_router_test, reports_a_packet_that_is_longer_than_it_has_room_to_store) {
  expect_too_long_a_packet_is_reported(router_flow::store_and_forward);
}

TEST_F(wormhole_router_test, cuts_through_or_waits_for_the_tail) {
  router_config c = router_of(2, 1, 8);
  c.packet_length = 4;
  c.latency = 2;
  c.flow = router_flow::cut_through;
  router_bench cut(kernel::fast, c, "cut");
  c.flow = router_flow::store_and_forward;
  router_bench store(kernel::fast, c, "store");
  for (router_bench* t : {&cut, &store}) {
    t->send(0, 1, 4);
    t->b.rst(true);
  }
  run(2);
  for (router_bench* t : {&cut, &store}) t->b.rst(false);
  run(30);
  for (router_bench* t : {&cut, &store}) t->expect_all_delivered();
  EXPECT_EQ(cut.to[1]->got[0].cycle, cut.from[0]->sent[0].cycle + 2);
  EXPECT_EQ(store.to[1]->got[0].cycle, store.from[0]->sent[3].cycle + 2);
}

TEST_F(wormhole_router_test, lets_a_packet_into_an_empty_channel_only_if_told) {
  router_config c = router_of(2, 1, 8);
  c.one_packet = true;
  router_bench t(kernel::fast, c);
  t.to[1]->stopped = 1;
  for (int n = 0; n < 3; ++n) t.send(0, 1, 3);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.router->level(), 3u);
  t.to[1]->stopped = 0;
  run(40);
  t.expect_all_delivered();
}

TEST_F(wormhole_router_test, is_emptied_by_a_reset_and_counts_the_loss) {
  router_bench t(kernel::signals, router_of(2, 2, 4));
  for (lane_receiver* r : t.to) r->stopped = 3;
  for (unsigned n = 0; n < 20; ++n) t.send(n % 2, n / 2 % 2, 3, n % 2);
  t.b.reset();
  run(30);
  const unsigned held = t.router->level();
  ASSERT_GE(held, 8u);
  EXPECT_LE(held, t.router->capacity());
  t.b.rst(true);
  run(1);
  EXPECT_EQ(t.router->level(), 0u);
  EXPECT_EQ(t.router->lost_in_reset(), held);
  for (unsigned p = 0; p < 2; ++p) {
    EXPECT_FALSE(t.out[p].valid.read());
    EXPECT_EQ(t.in[p].ready.read(), 0u);
    t.from[p]->todo.clear();
    t.from[p]->sent.clear();
    t.to[p]->stopped = 0;
  }
  run(3);
  t.b.rst(false);
  for (unsigned n = 0; n < 20; ++n) t.send(n % 2, n / 2 % 2, 3, n % 2);
  run(200);
  t.expect_all_delivered();
  EXPECT_EQ(t.router->lost_in_reset(), held);
}

TEST_F(wormhole_router_test, keeps_packets_of_a_terminal_in_order_if_the_routing_does) {
  router_config c = router_of(2, 3, 4);
  c.inputs[0].terminal = true;
  router_routing with;
  with.ordered = true;
  with.allowed = 1;
  router_bench t(kernel::fast, c, "b", 100, 50, with);
  for (int n = 0; n < 50; ++n) t.send(0, 1, 2);
  t.b.reset();
  run(600);
  t.expect_all_delivered();
  for (std::size_t n = 0; n < t.to[1]->got.size(); ++n) EXPECT_EQ(t.to[1]->got[n].data.packet, n / 2);
}

TEST_F(wormhole_router_test, leads_a_channel_through_its_states) {
  router_config c = router_of(2, 1, 4);
  c.latency = 5;
  router_bench t(kernel::fast, c);
  t.to[1]->stopped = 1;
  t.send(0, 1, 2);
  t.b.reset();
  std::vector<channel_state> seen{t.router->state(0, 0)};
  const auto step = [&] {
    run(1);
    if (t.router->state(0, 0) != seen.back()) seen.push_back(t.router->state(0, 0));
  };
  for (int n = 0; n < 20; ++n) step();
  EXPECT_EQ(seen, (std::vector{channel_state::idle, channel_state::routing, channel_state::active}));
  t.send(1, 1, 2);
  run(20);
  EXPECT_EQ(t.router->state(1, 0), channel_state::waiting) << "the other has the only output channel";
  t.to[1]->stopped = 0;
  for (int n = 0; n < 20; ++n) step();
  EXPECT_EQ(seen.back(), channel_state::idle);
  EXPECT_EQ(t.router->state(1, 0), channel_state::idle);
  t.expect_all_delivered();
}
