// Packets that wait too long, and networks that go before others.
#include <gtest/gtest.h>

#include <set>

#include "router_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Of network 0 a packet may wait `cycles`; its head goes on alone in network 1.
struct short_lives final : drop_rule {
  explicit short_lives(std::uint64_t c) : cycles(c) {}
  std::uint64_t life(unsigned network, const flit&) const override { return network == 0 ? cycles : never; }
  dropped_remains remains(const flit& head) const override {
    flit f = head;
    f.length = 1;
    f.payload = 77;
    return {f, 1};
  }
  const std::uint64_t cycles;
};

router_config dropping(unsigned ports, unsigned depth, unsigned packet_length, std::uint64_t life,
                       router_flow flow = router_flow::cut_through) {
  router_config c = router_of(ports, 1, depth, 2);
  c.flow = flow;
  c.packet_length = packet_length;
  c.drops = std::make_shared<const short_lives>(life);
  return c;
}

double dropped(const router_bench& t) {
  counters all;
  t.router->count(all);
  return all["switches.packets_dropped"];
}

struct dropping_routers : sc_test, testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(dropping_routers, send_on_what_remains_of_a_packet_that_waits_too_long) {
  router_bench t(GetParam(), dropping(2, 8, 4, 10));
  t.to[1]->stopped = 1;
  t.send(0, 1, 4);
  t.send(0, 0, 4);  // behind it
  t.b.reset();
  run(40);
  ASSERT_EQ(t.to[1]->got.size(), 1u);
  const passage& left = t.to[1]->got[0];
  EXPECT_EQ(left.data.lane, 1);
  EXPECT_EQ(left.data.packet, 0u);
  EXPECT_EQ(left.data.payload, 77u);
  // It may wait for 10 cycles after the edge at which it came, is dropped at the next, and has a route then.
  EXPECT_EQ(left.cycle - t.from[0]->sent[0].cycle, 13u);
  ASSERT_EQ(t.to[0]->got.size(), 4u);
  EXPECT_EQ(t.router->level(), 0u);
  EXPECT_EQ(dropped(t), 1);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// Nothing that goes in time is dropped, and nothing of the other network.
TEST_P(dropping_routers, let_others_wait) {
  router_bench t(GetParam(), dropping(2, 8, 4, 10));
  t.to[1]->stopped = 2;
  t.send(0, 1, 4, 1);
  t.send(1, 1, 4, 0);
  t.b.reset();
  run(60);
  EXPECT_EQ(t.to[1]->got.size(), 4u);
  t.to[1]->stopped = 0;
  run(20);
  t.expect_all_delivered();
  EXPECT_EQ(dropped(t), 0);
}

/// More of the packet comes than the router has room for.
TEST_P(dropping_routers, discard_what_is_still_to_come) {
  router_bench t(GetParam(), dropping(2, 2, 9, 3, router_flow::wormhole));
  t.to[1]->stopped = 1;
  t.from[0]->rate = 30;
  t.send(0, 1, 9);
  t.send(0, 0, 3);
  t.b.reset();
  run(100);
  EXPECT_EQ(t.from[0]->waiting(), 0u);
  EXPECT_EQ(t.to[1]->got.size(), 1u);
  EXPECT_EQ(t.to[0]->got.size(), 3u);
  EXPECT_EQ(t.router->level(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// One that has an output channel and does not get the link gives the channel back.
TEST_P(dropping_routers, drop_what_gives_way_for_too_long) {
  router_config c = dropping(2, 8, 4, 10);
  c.priority = true;
  router_bench t(GetParam(), c);
  for (unsigned n = 0; n < 40; ++n) t.send(1, 0, 1, 1);
  t.b.reset();
  run(5);
  t.send(0, 0, 4);
  run(60);
  EXPECT_EQ(dropped(t), 1);
  EXPECT_EQ(t.to[0]->got.size(), 41u);
  t.send(0, 0, 4);
  run(20);
  EXPECT_EQ(t.to[0]->got.size(), 45u);
  EXPECT_EQ(t.router->level(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(dropping_routers, keep_packets_whose_first_flit_has_left) {
  router_bench t(GetParam(), dropping(2, 2, 6, 3, router_flow::wormhole));
  t.send(0, 1, 6);
  t.b.reset();
  while (t.to[1]->got.size() < 2) run(1);
  t.to[1]->stopped = 1;
  run(50);
  t.to[1]->stopped = 0;
  run(20);
  t.expect_all_delivered();
  EXPECT_EQ(dropped(t), 0);
}

namespace {

struct random_drops {
  router_bench t;
  std::vector<unsigned> lengths, lanes;

  random_drops(kernel k, router_flow flow, const std::string& name)
      : t(k, dropping(3, 6, 5, 6, flow), name, 80, 25) {
    dice d(7);
    for (unsigned n = 0; n < 600; ++n) {
      lengths.push_back(d.between(1, 5)), lanes.push_back(d.percent(75) ? 0 : 1);
      t.send(n % 3, d.below(3), lengths.back(), lanes.back());
    }
    t.b.rst(true);
  }
  /// Every packet comes whole, or what remains of it comes, and never both.
  void expect_all_accounted_for() const {
    std::vector<unsigned> whole(600), remains(600);
    for (const lane_receiver* r : t.to)
      for (const passage& p : r->got)
        ++(lanes[p.data.packet] == 0 && p.data.lane == 1 ? remains : whole)[p.data.packet];
    unsigned gone = 0;
    for (unsigned n = 0; n < 600; ++n) {
      EXPECT_EQ(whole[n], remains[n] ? 0u : lengths[n]) << "packet " << n;
      EXPECT_LE(remains[n], 1u) << "packet " << n;
      gone += remains[n];
    }
    EXPECT_GT(gone, 50u);
    EXPECT_LT(gone, 400u);
    EXPECT_EQ(dropped(t), gone);
    EXPECT_EQ(t.router->level(), 0u);
    EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  }
};

}  // namespace

TEST_P(dropping_routers, lose_nothing_that_was_not_dropped) {
  random_drops flits(GetParam(), router_flow::wormhole, "flits"),
      through(GetParam(), router_flow::cut_through, "through"),
      stored(GetParam(), router_flow::store_and_forward, "stored");
  run(2);
  for (random_drops* const one : {&flits, &through, &stored}) one->t.b.rst(false);
  run(9000);
  for (random_drops* const one : {&flits, &through, &stored}) one->expect_all_accounted_for();
}

TEST_P(dropping_routers, and_others_let_higher_networks_go_first) {
  const auto lanes_in_order = [](const router_bench& t) {
    std::vector<unsigned> lanes;
    for (const passage& p : t.to[0]->got) lanes.push_back(p.data.lane);
    return lanes;
  };
  router_config c = router_of(3, 1, 4, 3);
  router_bench turns(GetParam(), c, "turns");
  c.priority = true;
  router_bench first(GetParam(), c, "first");
  for (router_bench* const t : {&turns, &first})
    for (unsigned n = 0; n < 10; ++n)
      for (unsigned i = 0; i < 3; ++i) t->send(i, 0, 1, i);
  for (router_bench* const t : {&turns, &first}) t->b.rst(true);
  run(2);
  for (router_bench* const t : {&turns, &first}) t->b.rst(false);
  run(60);
  for (router_bench* const t : {&turns, &first}) t->expect_all_delivered();
  std::vector<unsigned> in_order(10, 2);
  in_order.insert(in_order.end(), 10, 1);
  in_order.insert(in_order.end(), 10, 0);
  EXPECT_EQ(lanes_in_order(first), in_order);
  const auto by_turns = lanes_in_order(turns);
  EXPECT_EQ((std::set<unsigned>{by_turns[0], by_turns[1], by_turns[2]}), (std::set<unsigned>{0, 1, 2}));
}

INSTANTIATE_TEST_SUITE_P(kernels, dropping_routers, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
