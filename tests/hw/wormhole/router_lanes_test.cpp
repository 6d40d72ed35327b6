#include <gtest/gtest.h>

#include <spillway/hw/wormhole/router_lanes.hpp>

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

TEST(router_lanes, numbers_channels_by_port_network_and_channel) {
  const router_lanes map(config());
  EXPECT_EQ(map.lanes(), 4u);
  for (unsigned c = 0; c < 12; ++c) {
    EXPECT_EQ(map.input_of(c), c / 4);
    EXPECT_EQ(map.output_of(c), c / 4);
    EXPECT_EQ(map.network_of(c), c % 4 / 2);
    EXPECT_EQ(map.link_of(c), c / 4);
  }
  EXPECT_EQ(map.of_port(1), 0xf0u);
  EXPECT_EQ(map.wide(), 7u);
}

TEST(router_lanes, gives_a_terminal_a_lane_a_network) {
  const router_lanes map(config());
  EXPECT_EQ(map.usable(), 0xff5u);
  EXPECT_EQ(map.channels_of(0, 0, 3), 1u);
  EXPECT_EQ(map.channels_of(0, 1, 3), 4u);
  EXPECT_EQ(map.lane_of(0), 0u);
  EXPECT_EQ(map.lane_of(2), 1u);
  EXPECT_EQ(map.channels_ready(0, 2), 4u);
  EXPECT_EQ(map.channels_ready(0, 3), 5u);
}

TEST(router_lanes, gives_a_router_a_lane_a_channel) {
  const router_lanes map(config());
  EXPECT_EQ(map.channels_of(1, 0, 3), 0x30u);
  EXPECT_EQ(map.channels_of(1, 1, 2), 0x80u);
  for (unsigned lane = 0; lane < 4; ++lane) EXPECT_EQ(map.lane_of(8 + lane), lane);
  EXPECT_EQ(map.channels_ready(2, 0b1010), 0b1010u << 8);
}

TEST(router_lanes, starts_lanes_of_a_terminal_at_its_network) {
  router_config c = config();
  c.outputs[0].network = 1;
  const router_lanes map(c);
  EXPECT_EQ(map.lane_of(2), 0u);
  EXPECT_EQ(map.channels_ready(0, 1), 4u);
  EXPECT_EQ(map.usable(), 0xff4u);
}

TEST(router_lanes, gives_each_network_its_share_of_a_time_multiplexed_link) {
  router_config c = config();
  for (router_port& p : c.outputs) p.time_multiplexed = !p.terminal;
  const router_lanes map(c);
  EXPECT_EQ(map.links(), 6u);
  EXPECT_EQ(map.link_of(4), 2u);
  EXPECT_EQ(map.link_of(6), 3u);
  EXPECT_EQ(map.output_of_link(3), 1u);
  EXPECT_EQ(map.wide(), 3u);
}

TEST(router_lanes, knows_which_links_are_narrow) {
  router_config c = config();
  c.outputs[1].cycles = 4;
  EXPECT_EQ(router_lanes(c).wide(), 5u);
}

TEST(router_config, refuses_what_cannot_work) {
  router_config c = config();
  c.virtual_channels = 11;
  expect_refusal(c, "at most 64 input channels");
  c = config();
  c.depth = 0;
  expect_refusal(c, "1 to 4096 flits");
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
  c.inputs.clear();
  expect_refusal(c, "at least one input");
}
