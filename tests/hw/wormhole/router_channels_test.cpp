#include <gtest/gtest.h>

#include <spillway/hw/wormhole/router_channels.hpp>

using namespace spillway;

namespace {

// Three ports, the first a terminal's; two networks with two virtual channels each.
router_config config() {
  router_config c;
  c.inputs.resize(3);
  c.outputs.resize(3);
  c.inputs[0].terminal = c.outputs[0].terminal = true;
  c.networks = c.virtual_channels = 2;
  return c;
}

void expect_refusal(const router_config& c, const std::string& words) {
  try {
    c.check();
    ADD_FAILURE() << "accepted; expected: " << words;
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

}  // namespace

template <class Set>
struct router_channels_test : testing::Test {};
using sets = testing::Types<word_set, two_level_set>;
TYPED_TEST_SUITE(router_channels_test, sets, );

TYPED_TEST(router_channels_test, numbers_channels_by_port_network_and_channel) {
  const router_channels<TypeParam> map(config());
  EXPECT_EQ(map.lanes(), 4u);
  for (unsigned p = 0; p < 3; ++p)
    for (unsigned c = 0; c < 4; ++c) {
      const unsigned channel = map.number(p, c);
      EXPECT_LT(channel, map.channels());
      EXPECT_EQ(map.port_of(channel), p);
      EXPECT_EQ(map.lane(channel), c);
      EXPECT_EQ(map.dense(channel), 4 * p + c);
      EXPECT_EQ(map.network_of(channel), c / 2);
      EXPECT_EQ(map.output_of_link(map.link_of(channel)), p);
      EXPECT_TRUE(map.wide().contains(map.link_of(channel)));
    }
}

TYPED_TEST(router_channels_test, gives_a_terminal_a_lane_a_network) {
  const router_channels<TypeParam> map(config());
  EXPECT_EQ(map.at_port(map.usable(), 0), 0x5u);
  EXPECT_EQ(map.at_port(map.usable(), 1), 0xfu);
  EXPECT_EQ(map.of_network(0, 0, 3), 1u);
  EXPECT_EQ(map.of_network(0, 1, 3), 4u);
  EXPECT_EQ(map.lane_of(map.number(0, 0)), 0u);
  EXPECT_EQ(map.lane_of(map.number(0, 2)), 1u);
  EXPECT_EQ(map.with_credit(0, 2), 4u);
  EXPECT_EQ(map.with_credit(0, 3), 5u);
}

TYPED_TEST(router_channels_test, gives_a_router_a_lane_a_channel) {
  const router_channels<TypeParam> map(config());
  EXPECT_EQ(map.of_network(1, 0, 3), 0x3u);
  EXPECT_EQ(map.of_network(1, 1, 2), 0x8u);
  for (unsigned lane = 0; lane < 4; ++lane) EXPECT_EQ(map.lane_of(map.number(2, lane)), lane);
  EXPECT_EQ(map.with_credit(2, 0b1010), 0b1010u);
}

TYPED_TEST(router_channels_test, starts_lanes_of_a_terminal_at_its_network) {
  router_config c = config();
  c.outputs[0].network = 1;
  const router_channels<TypeParam> map(c);
  EXPECT_EQ(map.lane_of(map.number(0, 2)), 0u);
  EXPECT_EQ(map.with_credit(0, 1), 4u);
  EXPECT_EQ(map.at_port(map.usable(), 0), 0x4u);
}

TYPED_TEST(router_channels_test, gives_each_network_its_share_of_a_time_multiplexed_link) {
  router_config c = config();
  for (router_port& p : c.outputs) p.time_multiplexed = !p.terminal;
  const router_channels<TypeParam> map(c);
  EXPECT_EQ(map.link_of(map.number(0, 0)), map.link_of(map.number(0, 2)));
  EXPECT_EQ(map.link_of(map.number(1, 2)), map.link_of(map.number(1, 0)) + 1);
  EXPECT_EQ(map.output_of_link(map.link_of(map.number(1, 2))), 1u);
  EXPECT_TRUE(map.wide().contains(map.link_of(map.number(0, 0))));
  EXPECT_FALSE(map.wide().contains(map.link_of(map.number(1, 0))));
}

TYPED_TEST(router_channels_test, knows_which_links_are_narrow) {
  router_config c = config();
  c.outputs[1].cycles = 4;
  const router_channels<TypeParam> map(c);
  for (unsigned o = 0; o < 3; ++o) EXPECT_EQ(map.wide().contains(map.link_of(map.number(o, 0))), o != 1);
}

TEST(router_channels, that_do_not_fit_a_word_fit_two_levels) {
  router_config c = config();
  c.virtual_channels = 10;
  EXPECT_TRUE(router_channels<word_set>::fits(c));
  c.virtual_channels = 11;
  EXPECT_FALSE(router_channels<word_set>::fits(c));
  EXPECT_THROW(router_channels<word_set>{c}, std::invalid_argument);
  c.virtual_channels = 32;
  c.inputs.resize(64);
  c.outputs.resize(64);
  const router_channels<two_level_set> map(c);
  EXPECT_EQ(map.number(63, 63), 4095u);
  EXPECT_EQ(map.at_port(map.usable(), 63), ~std::uint64_t{0});
}

TEST(router_config, refuses_what_cannot_work) {
  router_config c = config();
  c.virtual_channels = 33;
  expect_refusal(c, "at most 64 virtual channels over all networks, found 2 networks with 33");
  c = config();
  c.outputs.resize(65);
  expect_refusal(c, "at most 64 inputs and as many outputs, found 65");
  c = config();
  for (const unsigned depth : {0u, 4097u}) {
    c.depth = depth;
    expect_refusal(c, "1 to 4096 flits, found " + std::to_string(depth));
  }
  c.depth = 4096;
  c.check();
  c.virtual_channels = 0;
  expect_refusal(c, "at least one virtual channel a network");
  c = config();
  c.flow = router_flow::cut_through;
  c.packet_length = 5;
  expect_refusal(c, "must hold a whole packet");
  c.flow = router_flow::wormhole;
  c.check();
  c.latency = 0;
  expect_refusal(c, "at least 1 cycle");
  c = config();
  c.outputs[1].cycles = 0;
  expect_refusal(c, "on a link");
  c = config();
  c.inputs[0].network = 2;
  expect_refusal(c, "are below 2");
  c = config();
  c.outputs[0].network = 1;
  c.outputs[0].lanes = 2;
  expect_refusal(c, "are below 2");
  c.outputs[0].lanes = 1;
  c.check();
  c.inputs.clear();
  expect_refusal(c, "at least one input");
}
