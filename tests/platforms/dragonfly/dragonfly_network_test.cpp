// Dragonflies of wormhole routers, a checker on every link.
#include <gtest/gtest.h>

#include <spillway/platforms/dragonfly/dragonfly.hpp>

#include "../wormhole/router_network_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class dragonfly_network : public sc_test, public testing::WithParamInterface<routing_case> {
protected:
  using plan_of = std::function<std::vector<planned>(unsigned)>;
  network_bench made(const plan_of& plans) const {
    return {"n",
            make_dragonfly({4, 2, 2, 9}),
            {GetParam().routing, GetParam().channels},
            {{"virtual_channels", GetParam().channels}},
            1,
            4,
            GetParam().runs_on,
            plans};
  }
};

}  // namespace

TEST_P(dragonfly_network, delivers_all_where_every_group_sends_to_the_next) {
  network_bench t = made([](unsigned terminal) {
    std::vector<planned> list;
    for (unsigned p = 0; p < 8; ++p)
      list.push_back({10 + p, (terminal / 8 + 1) % 9 * 8 + (terminal + p) % 8, 4, 0});
    return list;
  });
  t.network->run(3000);
  t.expect_all_delivered();
  EXPECT_EQ(t.log.packets.size(), 8u * 72u);
}

TEST_P(dragonfly_network, takes_a_cycle_a_switch_when_empty) {
  network_bench t = made([](unsigned terminal) {
    std::vector<planned> list;
    for (unsigned p = 0; terminal == 5 && p < 71; ++p) list.push_back({20 + p * 40, p < 5 ? p : p + 1, 2, 0});
    return list;
  });
  t.network->run(4000);
  t.expect_all_delivered();
  ASSERT_EQ(t.log.packets.size(), 71u);
  const bool valiant = std::string(GetParam().routing) == "valiant";
  unsigned farther = 0;
  for (const auto& [key, p] : t.log.packets) {
    const std::uint64_t switches = p.head - p.created - 1;
    const bool same_group = p.destination < 8;
    EXPECT_LE(switches, same_group ? 2u : valiant ? 6u : 4u) << "to " << p.destination;
    farther += switches > 4;
  }
  EXPECT_EQ(farther > 20, valiant) << farther;
}
INSTANTIATE_TEST_SUITE_P(routings, dragonfly_network,
                         testing::Values(routing_case{"minimal", 2, testing_support::kernel::fast},
                                         routing_case{"minimal", 2, testing_support::kernel::signals},
                                         routing_case{"valiant", 3, testing_support::kernel::fast},
                                         routing_case{"valiant", 3, testing_support::kernel::signals},
                                         routing_case{"ugal", 3, testing_support::kernel::fast},
                                         routing_case{"ugal", 3, testing_support::kernel::signals},
                                         routing_case{"ugal", 12, testing_support::kernel::fast}));
