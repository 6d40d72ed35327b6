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
  std::uint64_t life(unsigned network, const flit&, const drop_place&) const override {
    return network == 0 ? cycles : never;
  }
  dropped_remains remains(const flit& head, const drop_place&, std::uint64_t) override {
    flit f = head;
    f.length = 1;
    f.payload = 77;
    return {f, 1, false};
  }
  const std::uint64_t cycles;
};

router_config dropping(unsigned ports, unsigned depth, unsigned packet_length, std::uint64_t life,
                       router_flow flow = router_flow::cut_through) {
  router_config c = router_of(ports, 1, depth, 2);
  c.flow = flow;
  c.packet_length = packet_length;
  c.drops = std::make_shared<short_lives>(life);
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

TEST_P(dropping_routers, await_after_a_reset_nothing_of_a_packet_that_they_have_dropped) {
  router_bench t(GetParam(), dropping(2, 2, 9, 3, router_flow::wormhole));
  t.to[1]->stopped = 1;
  t.from[0]->rate = 30;
  t.send(0, 1, 9);
  t.b.reset();
  while (!dropped(t)) run(1);
  ASSERT_GT(t.from[0]->waiting(), 0u) << "the rest of it is still to come";
  t.b.rst(true);
  run(1);
  t.from[0]->todo.clear();
  run(1);
  t.b.rst(false);
  t.send(0, 0, 3);
  run(60);
  EXPECT_EQ(t.to[0]->got.size(), 3u);
}

namespace {

/// Of network 0 the last router drops what waits while that is more than `most` flits for the terminal; its
/// head goes back to the source in network 1.
struct full_queues final : drop_rule {
  explicit full_queues(unsigned flits) : most(flits) {}
  bool watches_terminals() const override { return true; }
  unsigned bits_of_terminal() const override { return 20; }
  void clear() override { ++cleared; }
  std::uint64_t life(unsigned network, const flit&, const drop_place& place) const override {
    if (network != 0 || !place.last) return never;
    return place.backlog > most ? 0 : lasting;
  }
  dropped_remains remains(const flit& head, const drop_place& place, std::uint64_t now) override {
    flit f = head;
    f.length = 1;
    f.destination = head.source;
    f.payload = now << 8 | place.backlog;
    return {f, 1, true};
  }
  const unsigned most;
  unsigned cleared = 0;
};

/// A flit that came by the input of terminal 0 may go back only to where it is routed from there.
struct by_input final : router_routing {
  port_mask outputs(unsigned, unsigned input, const flit& f) const override {
    return port_mask{1} << (f.length == 1 && input != 2 ? 0 : f.destination);
  }
};

router_config last_router(unsigned most) {
  router_config c = router_of(4, 1, 16, 2);
  c.flow = router_flow::cut_through;
  c.packet_length = 4;
  c.drops = std::make_shared<full_queues>(most);
  // Terminal 0 receives by output 0 and sends by input 2; the others are links to routers.
  c.outputs[0].terminal = true;
  c.outputs[0].entry = 2;
  return c;
}

}  // namespace

/// All that waits for the terminal counts, also behind another packet; it goes back as if the terminal had
/// sent it.
TEST_P(dropping_routers, drop_in_the_last_router_what_is_too_much_for_a_terminal) {
  router_bench t(GetParam(), last_router(8), "b", 100, 100, std::make_shared<const by_input>());
  t.to[0]->stopped = 1;
  t.send(1, 0, 4), t.send(1, 0, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(dropped(t), 0) << "as much as may wait";
  EXPECT_EQ(t.router->level(), 8u);
  t.send(3, 0, 4);
  run(40);
  // Of those at the front, the one of the lowest input.
  EXPECT_EQ(dropped(t), 1);
  ASSERT_EQ(t.to[1]->got.size(), 1u);
  EXPECT_EQ(t.to[1]->got[0].data.packet, 0u);
  EXPECT_EQ(t.to[1]->got[0].data.lane, 1u);
  EXPECT_EQ(t.to[1]->got[0].data.payload & 255, 9u) << "as soon as its head is too much";
  EXPECT_LE(t.to[1]->got[0].cycle - t.from[3]->sent[0].cycle, 4u);
  EXPECT_EQ(t.router->level(), 8u);
  t.to[0]->stopped = 0;
  run(40);
  EXPECT_EQ(t.to[0]->got.size(), 8u);
  EXPECT_EQ(t.router->level(), 0u);
  // What is for another router may wait, whatever there is of it; and nothing of before still counts.
  t.to[2]->stopped = 1;
  for (unsigned n = 0; n < 4; ++n) t.send(1, 2, 4);
  t.send(3, 0, 4), t.send(3, 0, 4);
  run(60);
  EXPECT_EQ(dropped(t), 1);
  EXPECT_EQ(t.to[0]->got.size(), 16u);
  t.to[0]->stopped = 1;
  t.send(3, 0, 4), t.send(3, 0, 4);
  run(40);
  EXPECT_EQ(dropped(t), 1) << "what has left no longer counts";
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// The next packet of the channel is routed by its own input again.
TEST_P(dropping_routers, send_only_word_of_a_drop_as_if_from_the_terminal) {
  router_bench t(GetParam(), last_router(2), "b", 100, 100, std::make_shared<const by_input>());
  t.to[0]->stopped = 1;
  t.send(1, 0, 4);
  t.b.reset();
  run(20);
  EXPECT_EQ(dropped(t), 1);
  EXPECT_EQ(t.to[1]->got.size(), 1u);
  t.to[0]->stopped = 0;
  t.send(1, 3, 1);
  run(20);
  EXPECT_EQ(t.to[0]->got.size(), 1u);
  EXPECT_TRUE(t.to[3]->got.empty());
}

/// It takes room before the terminal that it is for, as any flit does.
TEST_P(dropping_routers, count_word_of_a_drop_for_its_terminal) {
  router_config c = last_router(4);
  c.outputs[1].terminal = true;
  c.outputs[1].entry = 2;
  router_bench t(GetParam(), c, "b", 100, 100, std::make_shared<const by_input>());
  t.to[0]->stopped = 1;
  t.to[1]->stopped = 0b11;  // in both networks
  t.send(1, 0, 4), t.send(3, 0, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(dropped(t), 1);
  EXPECT_EQ(t.router->level(), 5u) << "word of it waits for terminal 1";
  t.send(2, 1, 4);
  run(40);
  EXPECT_EQ(dropped(t), 2);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// What has another way on may wait.
TEST_P(dropping_routers, keep_what_may_go_elsewhere) {
  const auto either = std::make_shared<router_routing>();
  either->every_output = 0b11;
  router_bench t(GetParam(), last_router(2), "b", 100, 100, either);
  t.to[0]->stopped = t.to[1]->stopped = 1;
  t.send(2, 0, 4), t.send(3, 0, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(dropped(t), 0);
  EXPECT_EQ(t.router->level(), 8u);
}

TEST_P(dropping_routers, forget_at_a_reset_what_waited_for_a_terminal) {
  const router_config c = last_router(8);
  router_bench t(GetParam(), c, "b", 100, 100, std::make_shared<const by_input>());
  t.to[0]->stopped = 1;
  t.send(1, 0, 4), t.send(1, 0, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.router->level(), 8u);
  auto& rule = static_cast<full_queues&>(*c.drops);
  rule.cleared = 0;
  t.b.reset();
  EXPECT_GE(rule.cleared, 1u);
  t.send(3, 0, 4), t.send(3, 0, 4);
  run(40);
  EXPECT_EQ(t.router->level(), 8u);
  EXPECT_EQ(dropped(t), 0);
}

TEST(dropping_storage, counts_what_waits_for_a_terminal) {
  router_config c = last_router(8);
  const auto bits = [&] {
    return wormhole_router("r", c, 0, std::make_shared<const by_input>()).storage().bits;
  };
  const std::uint64_t watches = bits();
  c.drops = std::make_shared<short_lives>(5);
  const std::uint64_t waits = bits();
  c.drops.reset();
  // Of each of 4 * 2 * 16 flits when it came.
  EXPECT_EQ(waits, bits() + 128 * 32);
  // Of each, and of those that still come by 8 channels, its terminal's output, 0 to 4, and by which of 4
  // inputs the front one goes back; of the one terminal a count to 128 and what the rule has.
  EXPECT_EQ(watches, waits + (128 + 8) * 3 + 8 * 2 + 8 + 20);
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
