#include <gtest/gtest.h>

#include "router_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

// Links narrower than a flit, and logical networks on one link.

namespace {

struct wormhole_link_test : sc_test {};

// Cycles of the flits of one lane on an output.
std::vector<std::uint64_t> cycles_of_lane(const router_bench& t, unsigned o, unsigned lane) {
  std::vector<std::uint64_t> cycles;
  for (const passage& p : t.to[o]->got)
    if (p.data.lane == lane) cycles.push_back(p.cycle);
  return cycles;
}

router_config narrow(unsigned cycles, unsigned depth = 2, unsigned networks = 1) {
  router_config c = router_of(2, 1, depth, networks);
  for (router_port& port : c.outputs) port.cycles = cycles;
  return c;
}

}  // namespace

TEST_F(wormhole_link_test, keeps_a_narrow_link_busy_for_every_flit) {
  router_bench t(kernel::fast, narrow(4));
  for (int n = 0; n < 5; ++n) t.send(0, 1, 4);
  t.b.reset();
  run(120);
  t.expect_all_delivered();
  const auto cycles = cycles_of_lane(t, 1, 0);
  EXPECT_EQ(cycles[0], t.from[0]->sent[0].cycle + 4);
  for (std::size_t n = 1; n < cycles.size(); ++n) EXPECT_EQ(cycles[n], cycles[n - 1] + 4);
}

TEST_F(wormhole_link_test, adds_the_router_to_the_time_on_the_link) {
  router_config c = narrow(4);
  c.latency = 2;
  router_bench t(kernel::fast, c);
  t.send(0, 1, 3);
  t.b.reset();
  run(40);
  t.expect_all_delivered();
  EXPECT_EQ(t.to[1]->got[0].cycle, t.from[0]->sent[0].cycle + 5);
  EXPECT_EQ(t.to[1]->got[2].cycle, t.to[1]->got[0].cycle + 8);
}

TEST_F(wormhole_link_test, leaves_a_narrow_link_to_channels_that_have_room) {
  router_config c = narrow(3, 4);
  c.virtual_channels = 2;
  router_bench t(kernel::fast, c);
  t.to[1]->stopped = 1;
  t.send(0, 1, 9, 0);
  t.b.reset();
  run(30);
  for (int n = 0; n < 3; ++n) t.send(1, 1, 4, 1);
  run(60);
  std::vector<std::uint64_t> cycles;
  for (const passage& p : t.to[1]->got)
    if (p.data.source == 1) cycles.push_back(p.cycle);
  ASSERT_EQ(cycles.size(), 12u);
  EXPECT_LE(cycles.back() - cycles.front(), 12u * 3);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(wormhole_link_test, never_shows_a_flit_that_has_no_room_on_a_narrow_link) {
  router_bench t(kernel::fast, narrow(2), "b", 100, 20);
  for (int n = 0; n < 30; ++n) t.send(0, 1, 3);
  t.b.reset();
  bool blocked = false;
  for (int n = 0; n < 1500; ++n) {
    run(1);
    blocked |= t.out[1].valid.read() && t.out[1].ready.read() == 0;
  }
  EXPECT_FALSE(blocked);
  t.expect_all_delivered();
}

TEST_F(wormhole_link_test, gives_a_shared_link_to_whoever_needs_it) {
  router_bench t(kernel::fast, narrow(4, 4, 2));
  for (int n = 0; n < 5; ++n) t.send(0, 1, 4, 0);
  t.b.reset();
  run(20);
  for (int n = 0; n < 5; ++n) t.send(0, 1, 4, 1);
  run(200);
  t.expect_all_delivered();
  std::vector<std::uint64_t> all;
  for (const passage& p : t.to[1]->got) all.push_back(p.cycle);
  EXPECT_EQ(all.back() - all.front(), 39u * 4) << "no time of the link is lost";
}

TEST_F(wormhole_link_test, gives_a_time_multiplexed_network_its_share_and_no_more) {
  router_config c = narrow(4, 4, 2);
  for (router_port& port : c.outputs) port.time_multiplexed = true;
  router_bench alone(kernel::fast, c, "alone"), both(kernel::fast, c, "both");
  for (router_bench* t : {&alone, &both}) {
    for (int n = 0; n < 5; ++n) t->send(0, 1, 4, 0);
    t->b.rst(true);
  }
  for (int n = 0; n < 5; ++n) both.send(1, 1, 4, 1);
  run(2);
  for (router_bench* t : {&alone, &both}) t->b.rst(false);
  run(250);
  alone.expect_all_delivered();
  both.expect_all_delivered();
  const auto first = cycles_of_lane(alone, 1, 0);
  for (std::size_t n = 1; n < first.size(); ++n) EXPECT_EQ(first[n], first[n - 1] + 8);
  EXPECT_EQ(cycles_of_lane(both, 1, 0), first) << "whatever the other network does";
  const auto second = cycles_of_lane(both, 1, 1);
  for (std::size_t n = 1; n < second.size(); ++n) EXPECT_EQ(second[n], second[n - 1] + 8);
  EXPECT_EQ(first[0] % 2, 0u);
  EXPECT_EQ(second[0] % 2, 1u);
}

TEST_F(wormhole_link_test, shifts_the_turns_by_the_phase) {
  router_config c = narrow(1, 4, 2);
  for (router_port& port : c.outputs) port.time_multiplexed = true;
  c.phase = 1;
  router_bench t(kernel::fast, c);
  t.send(0, 1, 6, 0);
  t.b.reset();
  run(30);
  t.expect_all_delivered();
  for (const std::uint64_t cycle : cycles_of_lane(t, 1, 0)) EXPECT_EQ(cycle % 2, 1u);
}

// `busy`: the networks with traffic.
void expect_refused_flits_again_in_their_networks_next_turns(kernel k, std::vector<unsigned> busy) {
  // A receiver that breaks its word: the ready bit falls although no flit came.
  struct fickle : clocked {
    packet_in in{"in"};
    std::vector<passage> got;
    explicit fickle(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override { in.ready.write(0); }
    void tick() override {
      wake_at(cycle() + 1);
      if (open_ && in.valid.read()) got.push_back({cycle(), in.data.read()});
      open_ = cycle() / 7 % 2;
      in.ready.write(open_ ? 3 : 0);
    }
    bool open_ = false;
  };
  bench b(k);
  router_config c = narrow(2, 4, 2);
  for (router_port& port : c.outputs) port.time_multiplexed = true;
  auto& router = b.make<wormhole_router>("router", c, 0u, std::make_shared<router_routing>());
  std::vector<any_link> links;
  for (const char* name : {"in0", "in1", "out0", "out1"}) links.push_back(b.bare_link(name));
  lane_sender* from[2];
  fickle* to[2];
  for (unsigned p = 0; p < 2; ++p) {
    from[p] = &b.make<lane_sender>("from" + std::to_string(p));
    to[p] = &b.make<fickle>("to" + std::to_string(p));
    router.in[p].bind(links[p]), from[p]->out.bind(links[p]);
    router.out[p].bind(links[2 + p]), to[p]->in.bind(links[2 + p]);
  }
  for (const unsigned p : busy)
    for (unsigned n = 0; n < 24; ++n) from[p]->todo[p].push_back(make_flit(p, 1, n, 0, 1, p));
  b.reset();
  run(600);
  EXPECT_EQ(to[1]->got.size(), 24 * busy.size());
  EXPECT_EQ(router.level(), 0u);
  for (unsigned p = 0; p < 2; ++p) {
    unsigned next = 0;
    for (const passage& got : to[1]->got)
      if (got.data.source == p) {
        EXPECT_EQ(got.data.packet, next++);
        EXPECT_EQ(got.cycle % 2, p);
      }
  }
}

TEST_F(wormhole_link_test, shows_a_refused_flit_again_in_the_networks_next_turn) {
  expect_refused_flits_again_in_their_networks_next_turns(kernel::fast, {0, 1});
}
TEST_F(wormhole_link_test, shows_a_refused_flit_again_in_the_next_turn_of_the_only_busy_network) {
  expect_refused_flits_again_in_their_networks_next_turns(kernel::fast, {1});
}
TEST_F(wormhole_link_test, shows_a_refused_flit_again_in_the_next_turn_on_signals) {
  expect_refused_flits_again_in_their_networks_next_turns(kernel::signals, {1});
}

TEST_F(wormhole_link_test, joins_the_networks_of_a_terminal_to_one_link) {
  // Inputs and outputs 0 and 1 belong to networks 0 and 1, port 2 carries both.
  router_config c = router_of(3, 1, 2, 2);
  for (unsigned n = 0; n < 2; ++n) {
    for (router_port* port : {&c.inputs[n], &c.outputs[n]}) *port = router_port{true, n, 1, false, 1};
  }
  struct network_routing : router_routing {
    port_mask outputs(unsigned, unsigned input, const flit& f) const override {
      return port_mask{1} << (input == 2 ? f.lane : 2);
    }
  };
  bench b(kernel::fast);
  auto& router = b.make<wormhole_router>("router", c, 0u, std::make_shared<network_routing>());
  std::vector<lane_sender*> from;
  std::vector<lane_receiver*> to;
  for (unsigned p = 0; p < 3; ++p) {
    from.push_back(&b.make<lane_sender>("from" + std::to_string(p)));
    to.push_back(&b.make<lane_receiver>("to" + std::to_string(p), p == 2 ? 2u : 1u));
    const any_link in = b.link("in" + std::to_string(p)), out = b.link("out" + std::to_string(p));
    router.in[p].bind(in), from[p]->out.bind(in);
    router.out[p].bind(out), to[p]->in.bind(out);
  }
  for (unsigned n = 0; n < 10; ++n) {
    for (unsigned network = 0; network < 2; ++network) {
      from[network]->todo[0].push_back(make_flit(network, 9, n));
      from[2]->todo[network].push_back(make_flit(2, network, n, 0, 1, network));
    }
  }
  b.reset();
  run(60);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  EXPECT_EQ(to[2]->got.size(), 20u);
  for (const passage& p : to[2]->got) EXPECT_EQ(p.data.lane, p.data.source);
  for (unsigned network = 0; network < 2; ++network) {
    ASSERT_EQ(to[network]->got.size(), 10u);
    for (const passage& p : to[network]->got) {
      EXPECT_EQ(p.data.lane, 0u);
      EXPECT_EQ(p.data.destination, network);
    }
  }
}
