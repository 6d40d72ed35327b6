#include <gtest/gtest.h>

#include "router_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

// Random traffic through routers of many kinds: nothing is lost, and the kernels agree.

namespace {

struct traffic_case {
  std::string name;
  router_config config;
};
void PrintTo(const traffic_case& c, std::ostream* os) { *os << c.name; }

std::vector<traffic_case> cases() {
  std::vector<traffic_case> list;
  for (const unsigned channels : {1u, 2u, 3u})
    for (const unsigned depth : {1u, 2u, 5u})
      list.push_back({"channels" + std::to_string(channels) + "_depth" + std::to_string(depth),
                      router_of(3, channels, depth)});
  const auto add = [&](const std::string& name, auto change) {
    router_config c = router_of(4, 2, 8, 2);
    c.packet_length = 4;
    change(c);
    list.push_back({name, c});
  };
  add("two_networks", [](router_config&) {});
  add("latency", [](router_config& c) { c.latency = 3, c.depth = 3; });
  add("one_packet", [](router_config& c) { c.one_packet = true; });
  add("cut_through", [](router_config& c) { c.flow = router_flow::cut_through; });
  add("store_and_forward", [](router_config& c) { c.flow = router_flow::store_and_forward, c.latency = 2; });
  add("narrow", [](router_config& c) {
    for (router_port& p : c.outputs) p.cycles = 3;
    c.outputs[0].cycles = 1;
    c.depth = 2;
  });
  add("time_multiplexed", [](router_config& c) {
    for (router_port& p : c.outputs) p.time_multiplexed = true, p.cycles = 2;
    c.outputs[3].time_multiplexed = false;
    c.phase = 1;
  });
  add("terminals", [](router_config& c) {
    c.inputs[0].terminal = c.outputs[0].terminal = c.inputs[1].terminal = c.outputs[1].terminal = true;
    c.entry_latency = 3;
    c.depth = 4;
  });
  return list;
}

class wormhole_traffic : public sc_test, public testing::WithParamInterface<traffic_case> {
protected:
  static void fill(router_bench& t, unsigned seed) {
    dice d(seed);
    const router_config& c = t.config;
    const auto ports = static_cast<unsigned>(c.inputs.size());
    for (unsigned n = 0; n < 60 * ports; ++n) {
      const unsigned i = d.below(ports);
      const unsigned lanes = c.inputs[i].terminal ? c.networks : c.lanes();
      t.send(i, d.below(ports), 1 + d.below(4), d.below(lanes));
    }
  }
};

}  // namespace

TEST_P(wormhole_traffic, arrives_whole_and_alike_on_both_kernels) {
  struct rates {
    unsigned send, take;
  };
  constexpr rates all[] = {{100, 100}, {60, 90}, {100, 25}};
  std::vector<std::unique_ptr<router_bench>> made;
  for (unsigned r = 0; r < 3; ++r)
    for (const kernel k : {kernel::signals, kernel::fast}) {
      made.push_back(std::make_unique<router_bench>(
          k, GetParam().config, "b" + std::to_string(r) + name_of(k), all[r].send, all[r].take));
      fill(*made.back(), 3 + r);
    }
  for (auto& t : made) t->b.rst(true);
  run(2);
  for (auto& t : made) t->b.rst(false);
  run(6000);
  for (unsigned r = 0; r < 3; ++r) {
    SCOPED_TRACE("rates " + std::to_string(r));
    router_bench &signals = *made[2 * r], &fast = *made[2 * r + 1];
    fast.expect_all_delivered();
    for (unsigned o = 0; o < fast.to.size(); ++o) {
      EXPECT_FALSE(fast.to[o]->got.empty());
      EXPECT_TRUE(fast.to[o]->got == signals.to[o]->got) << "output " << o;
    }
  }
}

/// Beside a router that nothing has come to before the reset.
TEST_P(wormhole_traffic, goes_after_a_reset_as_if_there_had_been_none_before) {
  router_bench used(kernel::fast, GetParam().config, "used", 100, 50),
      fresh(kernel::fast, GetParam().config, "fresh", 100, 50);
  fill(used, 3);
  used.b.reset();
  run(57);
  for (router_bench* const t : {&used, &fresh}) t->b.rst(true);
  run(1);
  EXPECT_GT(used.router->lost_in_reset(), 0u);
  for (router_bench* const t : {&used, &fresh}) {
    for (lane_sender* const from : t->from) from->restart(5);
    for (lane_receiver* const to : t->to) to->restart(6);
    t->packets = 0;
    fill(*t, 4);
  }
  run(1);
  for (router_bench* const t : {&used, &fresh}) t->b.rst(false);
  run(1500);
  for (unsigned o = 0; o < fresh.to.size(); ++o) {
    EXPECT_GT(fresh.to[o]->got.size(), 50u);
    EXPECT_TRUE(used.to[o]->got == fresh.to[o]->got) << "output " << o;
  }
}

INSTANTIATE_TEST_SUITE_P(every, wormhole_traffic, testing::ValuesIn(cases()),
                         [](const auto& i) { return i.param.name; });
