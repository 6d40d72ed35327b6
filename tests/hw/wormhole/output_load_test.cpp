// What a router tells of its outputs: the routing when a packet enters the network through it, and who marks.
#include <gtest/gtest.h>

#include <support/marking_bench.hpp>

#include "router_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Notes what waits for outputs 1, 2 and 3 when a packet enters for output 2.
struct noting_routing : router_routing {
  unsigned entry_routes() const override { return 8; }
  unsigned at_entry(unsigned, unsigned, const flit& head, const output_load& load) const override {
    if (head.destination == 2)
      noted.push_back({load.waiting(1), load.waiting(2), load.waiting(3), load.credits(1)});
    return 0;
  }
  struct note {
    unsigned waiting_1, waiting_2, waiting_3, credits_1;
  };
  mutable std::vector<note> noted;
};

/// Packets that come with route 5 get another one, wherever they come from.
struct again_routing : router_routing {
  unsigned entry_routes() const override { return 8; }
  unsigned at_entry(unsigned, unsigned, const flit&, const output_load&) const override { return 6; }
  bool decides_again(unsigned, unsigned, const flit& head) const override { return head.route == 5; }
};

struct output_load_test : sc_test {};

}  // namespace

TEST_F(output_load_test, counts_the_flits_that_have_an_output_or_wait_for_one) {
  const auto routes = std::make_shared<const noting_routing>();
  router_config c = router_of(4, 1, 8);
  for (router_port& port : c.inputs) port.terminal = true;
  router_bench t(kernel::fast, c, "b", 100, 100, routes);
  t.to[1]->stopped = 1;
  t.send(0, 1, 4);  // has output 1
  t.send(0, 3, 3);  // behind it, and has chosen nothing yet
  t.send(1, 1, 2);  // waits for output 1
  t.b.reset();
  run(20);
  t.send(3, 2, 1);
  run(10);
  t.send(3, 2, 1);  // what input 3 did before does not count
  run(10);
  t.to[1]->stopped = 0;
  run(40);
  t.send(2, 2, 1);
  run(10);
  EXPECT_EQ(t.arrived(), 12u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  ASSERT_EQ(routes->noted.size(), 3u);
  for (const unsigned n : {0u, 1u}) {
    EXPECT_EQ(routes->noted[n].waiting_1, 6u);
    EXPECT_EQ(routes->noted[n].waiting_2, 0u);
    EXPECT_EQ(routes->noted[n].waiting_3, 0u);
    EXPECT_EQ(routes->noted[n].credits_1, 0u);
  }
  EXPECT_EQ(routes->noted[2].waiting_1, 0u);
  EXPECT_EQ(routes->noted[2].credits_1, 1u);
}

TEST_F(output_load_test, counts_of_a_packet_that_has_begun_to_leave_only_what_is_still_there) {
  const auto routes = std::make_shared<const noting_routing>();
  router_config c = router_of(4, 1, 8);
  for (router_port& port : c.inputs) port.terminal = true;
  router_bench t(kernel::fast, c, "b", 100, 100, routes);
  t.send(0, 1, 6);
  t.send(0, 3, 3);  // behind it
  t.b.reset();
  while (t.to[1]->got.size() < 2) run(1);
  t.to[1]->stopped = 1;
  run(20);
  const unsigned left = static_cast<unsigned>(t.to[1]->got.size());
  EXPECT_LT(left, 6u);
  t.send(3, 2, 1);
  run(10);
  ASSERT_EQ(routes->noted.size(), 1u);
  EXPECT_EQ(routes->noted[0].waiting_1, 6 - left);
}

TEST_F(output_load_test, has_the_credits_of_the_logical_network_of_the_packet) {
  const auto routes = std::make_shared<const noting_routing>();
  router_config c = router_of(4, 2, 8, 2);
  for (router_port& port : c.inputs) port.terminal = true;
  router_bench t(kernel::fast, c, "b", 100, 100, routes);
  t.to[1]->stopped = 0b1100;  // both channels of network 1
  t.b.reset();
  run(5);
  for (const unsigned network : {0u, 1u}) {
    t.send(3, 2, 1, network);
    run(10);
  }
  ASSERT_EQ(routes->noted.size(), 2u);
  EXPECT_EQ(routes->noted[0].credits_1, 2u);
  EXPECT_EQ(routes->noted[1].credits_1, 0u);
}

TEST_F(output_load_test, a_route_is_written_at_the_entry_and_where_the_routing_decides_again) {
  router_config c = router_of(4, 1, 8);
  c.inputs[0].terminal = true;
  router_bench t(kernel::fast, c, "b", 100, 100, std::make_shared<const again_routing>());
  for (unsigned i = 0; i < 3; ++i) t.send(i, i, 2);
  for (unsigned i = 0; i < 3; ++i)
    for (flit& f : t.from[i]->todo[0]) f.route = i == 1 ? 5 : 4;
  t.b.reset();
  run(30);
  const unsigned expected[] = {6, 6, 4};  // entered, asked again, left alone
  for (unsigned i = 0; i < 3; ++i) {
    ASSERT_EQ(t.to[i]->got.size(), 2u);
    EXPECT_EQ(t.to[i]->got[0].data.route, expected[i]) << i;
  }
}

// What lies behind a packet in a channel waits for the same output, wherever it goes then.
TEST_F(output_load_test, is_shown_to_who_marks_with_what_waits_behind_in_the_same_channel) {
  router_config c = router_of(4, 1, 8);
  c.marked = true;
  router_bench t(kernel::fast, c, "b");
  marking_bench marking(t.b, *t.router, 4);
  t.to[1]->stopped = 1;
  t.send(0, 1, 4);  // has output 1
  t.send(0, 3, 3);  // behind it
  t.send(1, 1, 2);  // has no channel of output 1, and so no output
  t.b.reset();
  run(20);
  EXPECT_EQ(marking.waiting(1), 7u);
  EXPECT_EQ(marking.waiting(3), 0u);
  t.to[1]->stopped = 0;
  run(40);
  EXPECT_EQ(t.arrived(), 9u);
  EXPECT_EQ(marking.waiting(1), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// 17 channels of 4,096 flits hold more than the pin has numbers for.
TEST_F(output_load_test, is_shown_to_who_marks_up_to_what_the_pin_can_say) {
  router_config c = router_of(2, 17, 4096);
  c.marked = true;
  router_bench t(kernel::fast, c, "b");
  marking_bench marking(t.b, *t.router, 2);
  t.to[1]->stopped = ~lane_mask{0};
  for (unsigned lane = 0; lane < 17; ++lane) t.send(0, 1, 4096, lane);
  t.b.reset();
  run(60000);
  EXPECT_GT(marking.waiting(1), 50000u);
  run(20000);
  EXPECT_EQ(t.router->level(), 17u * 4096);
  EXPECT_EQ(marking.waiting(1), 65535u);
}
