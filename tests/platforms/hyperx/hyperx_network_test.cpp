// HyperX networks of wormhole routers, a checker on every link.
#include <gtest/gtest.h>

#include <spillway/platforms/hyperx/hyperx.hpp>

#include "../wormhole/router_network_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class hyperx_network : public sc_test, public testing::WithParamInterface<routing_case> {};

}  // namespace

TEST_P(hyperx_network, delivers_all_where_every_switch_sends_to_the_next) {
  const auto [routing, channels, kernel] = GetParam();
  network_bench t{"n",
                  make_hyperx({{4, 3}, 3}),
                  {routing, channels},
                  {{"virtual_channels", channels}},
                  1,
                  4,
                  kernel,
                  [](unsigned terminal) {
                    std::vector<planned> list;
                    for (unsigned p = 0; p < 9; ++p)
                      list.push_back({10 + p, (terminal / 3 + 1) % 12 * 3 + (terminal + p) % 3, 4, 0});
                    return list;
                  }};
  t.network->run(3000);
  t.expect_all_delivered();
  EXPECT_EQ(t.log.packets.size(), 9u * 36u);
}
INSTANTIATE_TEST_SUITE_P(routings, hyperx_network,
                         testing::Values(routing_case{"minimal", 1, testing_support::kernel::fast},
                                         routing_case{"minimal", 1, testing_support::kernel::signals},
                                         routing_case{"valiant", 2, testing_support::kernel::fast},
                                         routing_case{"valiant", 2, testing_support::kernel::signals},
                                         routing_case{"ugal", 3, testing_support::kernel::fast},
                                         routing_case{"ugal", 3, testing_support::kernel::signals}));
