#include <gtest/gtest.h>

#include <spillway/hw/flow_pause/flow_pause_checker.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// What a switch with one input and one output would show, played by hand: links of two lanes, four places.
struct played_switch {
  bench b;
  packet_link &in, &out;
  sender &enters, &leaves;
  flow_pause_checker& checker;

  explicit played_switch(kernel k, unsigned packet_length = 1)
      : b(k),
        in(b.keep<packet_link>(link_place{"in"})),
        out(b.keep<packet_link>(link_place{"out"})),
        enters(b.make<sender>("enters")),
        leaves(b.make<sender>("leaves")),
        checker(b.make<flow_pause_checker>(
            "check", flow_pause_checker_config{"switch", 1, 1, 2, 4, packet_length}, b.collect())) {
    in.connect(checker.in[0]), out.connect(checker.out[0]);
    in.connect(enters.out), out.connect(leaves.out);
    offer(3);
    out.with([](auto& w) { w.ready.write(1); });
    b.reset();
    run(2);
  }
  void offer(lane_mask lanes) {
    in.with([&](auto& w) { w.ready.write(lanes); });
  }
  void enter(std::uint32_t packet, unsigned lane = 0, unsigned length = 1) {
    enters.add_packet(0, 1, packet, length, lane);
    run(length + 2);
  }
  void leave(std::uint32_t packet, unsigned length = 1) {
    leaves.add_packet(0, 1, packet, length);
    run(length + 2);
  }
  /// Of the last rule that was broken.
  void expect_said(const std::string& what) const {
    const std::string& said = b.violations.back().message;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  }
};

class flow_pause_checker_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(flow_pause_checker_on, is_silent_while_a_paused_lane_has_a_packet_within) {
  played_switch t(GetParam());
  t.enter(0, 1);
  t.offer(1);
  run(50);
  t.offer(3);
  t.leave(0);
  EXPECT_EQ(t.b.broken(), "");
}
TEST_P(flow_pause_checker_on, reports_a_pause_that_nothing_can_end) {
  played_switch t(GetParam());
  t.enter(0, 1);
  t.offer(2);
  run(5);
  EXPECT_EQ(t.b.broken(), "FP1 ") << "once";
  t.offer(3);
  run(2);
  t.offer(1);
  t.leave(0);
  run(5);
  EXPECT_EQ(t.b.broken(), "FP1 FP1 ") << "the packet that paused lane 1 has left";
  t.expect_said("lane 1 of input 0 is closed, with room and without a packet of it in the switch");
}
TEST_P(flow_pause_checker_on, lets_all_lanes_close_without_room) {
  played_switch t(GetParam(), 2);
  t.enter(0, 0, 2), t.enter(1, 0, 1);
  t.offer(0);  // one place is free, a packet may need two
  run(10);
  EXPECT_EQ(t.b.broken(), "");
  t.leave(0, 2);
  EXPECT_EQ(t.b.broken(), "FP1 ") << "lane 1 waits for nothing";
}
TEST_P(flow_pause_checker_on, reports_more_than_there_are_places_for) {
  played_switch t(GetParam());
  for (std::uint32_t n = 0; n < 4; ++n) t.enter(n);
  EXPECT_EQ(t.b.broken(), "");
  t.enter(4);
  EXPECT_EQ(t.b.broken(), "FP2 ");
  t.expect_said("comes to input 0, which then holds 5 flits and has promised 0 places more; it has 4");
}
TEST_P(flow_pause_checker_on, counts_the_places_that_a_head_has_been_promised) {
  played_switch t(GetParam(), 4);
  t.enter(0, 0, 1);
  t.enters.add_packet(0, 1, 1, 4, 0);
  run(2);
  EXPECT_EQ(t.b.broken().substr(0, 4), "FP2 ") << "at its head";
}
TEST_P(flow_pause_checker_on, reports_packets_that_overtake_each_other) {
  played_switch t(GetParam());
  for (const std::uint32_t n : {0, 1, 2}) t.enter(n);
  for (const std::uint32_t n : {0, 2, 1}) t.leave(n);
  EXPECT_EQ(t.b.broken(), "FP3 ");
  t.expect_said("leaves by output 0 before packet 1");
}
// Both show the same, so on the fast kernel nothing but its own alarm wakes the checker for the second.
TEST_P(flow_pause_checker_on, reports_a_packet_that_leaves_twice) {
  played_switch t(GetParam());
  t.enter(0);
  for (int n = 0; n < 2; ++n) t.leaves.add_packet(0, 1, 0, 1);
  run(5);
  EXPECT_EQ(t.b.broken(), "FP3 ");
}
TEST_P(flow_pause_checker_on, reports_a_packet_that_has_not_come) {
  played_switch t(GetParam());
  t.leave(7);
  EXPECT_EQ(t.b.broken(), "FP3 ");
  t.expect_said("leaves by output 0 and has not come");
}

TEST_P(flow_pause_checker_on, knows_a_lane_that_does_not_exist_as_one_that_does) {
  played_switch t(GetParam());
  t.offer(~lane_mask{0});
  t.enter(0, 40);  // as lane 0
  t.leave(0);
  t.offer(2);
  run(5);
  EXPECT_EQ(t.b.broken(), "FP1 ");
  t.expect_said("lane 0 of input 0 is closed");
}
INSTANTIATE_TEST_SUITE_P(kernels, flow_pause_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });
