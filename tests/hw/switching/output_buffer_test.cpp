// A buffer behind a switch's output at its pins: how fast it is filled and how fast the link takes, how much
// it holds, and that lanes do not hold each other up.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <spillway/hw/switching/output_buffer.hpp>
#include <support/through_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Takes of each lane from a cycle on.
struct lanes_taker : clocked {
  packet_in in{"in"};
  std::array<std::uint64_t, 4> from{};  // by lane
  std::vector<passage> got;

  explicit lanes_taker(const sc_core::sc_module_name& name) : clocked(name) {}
  void reset() override { in.ready.write(0); }
  void tick() override {
    if (in.crosses()) got.push_back({cycle(), in.data.read()});
    lane_mask open = 0;
    for (unsigned lane = 0; lane < from.size(); ++lane)
      // Once at first, so that the lane is open; then at the edge of that cycle.
      if (cycle() < 6 || cycle() + 1 >= from[lane]) open |= lane_mask{1} << lane;
    in.ready.write(open);
    wake_at(cycle() + 1);
  }
};

/// Out of reset, with the lanes open.
template <class Taker>
struct buffer_bench : through_bench<output_buffer, Taker> {
  template <class... Taking>
  buffer_bench(kernel k, const output_buffer_config& config, Taking&&... taking)
      : through_bench<output_buffer, Taker>(k, config, {100, 1}, std::forward<Taking>(taking)...) {
    this->b.reset();
    run(10);
  }
};

class output_buffer_on : public sc_test, public testing::WithParamInterface<std::tuple<kernel, unsigned>> {
protected:
  static kernel on() { return std::get<0>(GetParam()); }
  static unsigned cycles() { return std::get<1>(GetParam()); }
};

}  // namespace

TEST_P(output_buffer_on, a_flit_crosses_the_link_so_many_cycles_after_it_came) {
  buffer_bench<receiver> t(on(), {4, cycles()}, 100, 2);
  t.from.add_packet(1, 2, 0);
  run(20);
  ASSERT_EQ(t.from.sent.size(), 1u);
  ASSERT_EQ(t.to.got.size(), 1u);
  EXPECT_EQ(t.to.got[0].cycle - t.from.sent[0].cycle, cycles());
  EXPECT_EQ(t.to.got[0].data, t.from.sent[0].data);
  t.expect_legal();
}

TEST_P(output_buffer_on, is_filled_with_a_flit_a_cycle_while_the_link_takes_its_time) {
  buffer_bench<receiver> t(on(), {8, cycles()}, 100, 2);
  for (unsigned n = 0; n < 40; ++n) t.from.add_packet(1, 2, n);
  run(60 * cycles());
  ASSERT_EQ(t.to.got.size(), 40u);
  for (unsigned n = 1; n < 8; ++n) EXPECT_EQ(t.from.sent[n].cycle - t.from.sent[n - 1].cycle, 1u) << n;
  for (unsigned n = 1; n < 40; ++n) EXPECT_EQ(t.to.got[n].cycle - t.to.got[n - 1].cycle, cycles()) << n;
  for (unsigned n = 0; n < 40; ++n) EXPECT_EQ(t.to.got[n].data.packet, n);
  t.expect_legal();
}

TEST_P(output_buffer_on, takes_the_next_of_lone_packets_when_the_last_has_gone_on) {
  buffer_bench<receiver> t(on(), {8, cycles(), true}, 100, 2);
  for (unsigned n = 0; n < 3; ++n) t.from.add_packet(1, 2, n, 4);
  run(40 * cycles());
  ASSERT_EQ(t.to.got.size(), 12u);
  for (const unsigned n : {4, 8})
    EXPECT_EQ(t.from.sent[n].cycle - t.to.got[n - 1].cycle, 2u) << "the receiver shows ready again";
  t.expect_legal();
}

TEST_P(output_buffer_on, takes_the_next_of_lone_packets_when_the_receiver_would) {
  buffer_bench<receiver> t(on(), {8, cycles(), true}, 100, 2);
  for (unsigned n = 0; n < 2; ++n) t.from.add_packet(1, 2, n, 4);
  t.take_one_by_one(4, 3 * cycles());
  EXPECT_EQ(t.from.sent.size(), 4u);
  t.to.rate = 100;
  run(10 * cycles());
  EXPECT_EQ(t.to.got.size(), 8u);
  t.expect_legal();
}

TEST_P(output_buffer_on, a_reset_takes_back_lone_packets) {
  buffer_bench<receiver> t(on(), {8, cycles(), true}, 100, 2);
  t.to.rate = 0;
  t.from.add_packet(1, 2, 0, 4);
  run(6 * cycles());
  t.b.rst(true);
  run(1);
  t.from.todo.clear();
  t.from.add_packet(1, 2, 1, 4);
  t.to.rate = 100;
  t.b.rst(false);
  run(10 * cycles() + 10);
  ASSERT_GE(t.to.got.size(), 4u);
  EXPECT_EQ(t.to.got.back().data.packet, 1u);
}

TEST_P(output_buffer_on, holds_its_depth_of_each_lane) {
  buffer_bench<lanes_taker> t(on(), {3, cycles()});
  t.to.from = {1000, 1000, 1000, 1000};
  run(5);
  for (unsigned lane = 0; lane < 2; ++lane)
    for (unsigned n = 0; n < 3; ++n) t.from.add_packet(1, 2, n, 1, lane);
  run(20);
  EXPECT_EQ(t.from.sent.size(), 6u);
  EXPECT_EQ(t.block.held_flits(), 6u);
  EXPECT_EQ(t.near.ready.read() & 0xf, 0xcu) << "lanes 0 and 1 are full";
  t.from.add_packet(1, 2, 3, 1, 0);
  run(20);
  EXPECT_EQ(t.from.sent.size(), 6u);
  EXPECT_TRUE(t.to.got.empty());
  t.expect_legal();
}

TEST_P(output_buffer_on, a_lane_that_waits_does_not_stop_another) {
  buffer_bench<lanes_taker> t(on(), {4, cycles()});
  t.to.from = {1000, 0, 0, 0};
  run(5);
  for (unsigned n = 0; n < 2; ++n) t.from.add_packet(1, 2, n, 1, 0);
  run(20);
  EXPECT_TRUE(t.far.valid.read()) << "the first of them is shown";
  for (unsigned n = 0; n < 12; ++n) t.from.add_packet(3, 4, n, 1, 1);
  run(20 + 12 * cycles());
  EXPECT_EQ(t.to.got.size(), 12u);
  for (const passage& p : t.to.got) EXPECT_EQ(p.data.lane, 1u);
  for (std::size_t n = 1; n < t.to.got.size(); ++n)
    EXPECT_EQ(t.to.got[n].cycle - t.to.got[n - 1].cycle, cycles());
  EXPECT_EQ(t.block.held_flits(), 2u);
  t.expect_legal();
}

TEST_P(output_buffer_on, the_link_goes_to_a_lane_that_is_taken_first) {
  buffer_bench<lanes_taker> t(on(), {4, cycles()});
  t.to.from = {1000, 0, 0, 0};
  run(5);
  for (const unsigned lane : {1u, 0u, 1u}) t.from.add_packet(1, 2, lane, 1, lane);
  run(20);
  ASSERT_EQ(t.to.got.size(), 2u);
  EXPECT_EQ(t.to.got[1].cycle - t.to.got[0].cycle, std::max(2u, cycles()))
      << "as they came, or as the link takes them";
  t.expect_legal();
}

TEST_P(output_buffer_on, lanes_take_turns_flit_by_flit) {
  buffer_bench<lanes_taker> t(on(), {4, cycles()});
  t.to.from = {60, 60, 60, 0};
  run(5);
  for (unsigned lane = 0; lane < 3; ++lane)
    for (unsigned n = 0; n < 3; ++n) t.from.add_packet(lane, 9, n, 1, lane);
  run(50 + 12 * cycles());
  ASSERT_EQ(t.to.got.size(), 9u);
  const unsigned first = t.to.got[0].data.lane;
  for (unsigned n = 0; n < 9; ++n) EXPECT_EQ(t.to.got[n].data.lane, (first + n) % 3) << n;
  t.expect_legal();
}

TEST_P(output_buffer_on, loses_nothing_under_back_pressure) {
  buffer_bench<receiver> t(on(), {3, cycles()}, 40, 7);
  t.expect_nothing_lost();
}

TEST_P(output_buffer_on, a_reset_empties_it) {
  buffer_bench<receiver> t(on(), {4, cycles()}, 20, 3);
  for (unsigned n = 0; n < 100; ++n) t.from.add_packet(1, 2, n);
  run(30);
  t.expect_reset_empties(20);
}

TEST_P(output_buffer_on, a_reset_of_a_cycle_takes_the_flit_off_the_link) {
  buffer_bench<receiver> t(on(), {4, cycles()}, 100, 2);
  t.from.add_packet(1, 2, 0);
  while (!t.block.held_flits()) run(1);
  t.b.reset(1);
  for (unsigned n = 0; n < 10; ++n) {
    EXPECT_FALSE(t.far.valid.read());
    run(1);
  }
  EXPECT_TRUE(t.to.got.empty());
  EXPECT_EQ(t.block.lost_in_reset(), 1u);
  t.expect_legal();
}

TEST_P(output_buffer_on, what_it_is_made_of) {
  buffer_bench<lanes_taker> t(on(), {3, cycles()});
  EXPECT_EQ(t.block.storage().flits, 4u * 3u);
}

INSTANTIATE_TEST_SUITE_P(links, output_buffer_on,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::Values(1u, 2u, 3u)),
                         [](const auto& p) {
                           return name_of(std::get<0>(p.param)) + "_" + std::to_string(std::get<1>(p.param));
                         });

TEST(output_buffer_config, refuses_what_is_no_buffer_and_no_link) {
  EXPECT_THROW((output_buffer_config{0, 1}.check()), std::invalid_argument);
  EXPECT_THROW((output_buffer_config{4097, 1}.check()), std::invalid_argument);
  EXPECT_THROW((output_buffer_config{1, 0}.check()), std::invalid_argument);
  EXPECT_THROW((output_buffer_config{1, 65}.check()), std::invalid_argument);
  EXPECT_NO_THROW((output_buffer_config{4096, 64}.check()));
}
