// A link of several cycles at its pins: when a flit and its credit come out, how many may be under way, and
// that nothing is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <spillway/hw/links/link_pipeline.hpp>
#include <support/through_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct pipeline_bench : through_bench<link_pipeline> {
  link_pipeline& stages = block;

  pipeline_bench(kernel k, const link_pipeline_config& config, unsigned send_rate = 100,
                 unsigned take_rate = 100, std::uint32_t seed = 1)
      : through_bench(k, config, {send_rate, seed}, take_rate, seed + 1) {}
  void add(unsigned flits) {
    for (unsigned n = 0; n < flits; ++n) from.add_packet(1, 2, n);
  }
};

class link_pipeline_on : public sc_test, public testing::WithParamInterface<std::tuple<kernel, unsigned>> {
protected:
  static kernel on() { return std::get<0>(GetParam()); }
  static unsigned latency() { return std::get<1>(GetParam()); }
};

}  // namespace

TEST_P(link_pipeline_on, a_flit_takes_the_latency) {
  pipeline_bench t(on(), {latency(), 0});
  t.b.reset();
  run(4 * latency());
  t.add(1);
  run(4 * latency());
  ASSERT_EQ(t.from.sent.size(), 1u);
  ASSERT_EQ(t.to.got.size(), 1u);
  // A wire alone: sent and received at the same edge, one after the sender has shown it.
  EXPECT_EQ(t.to.got[0].cycle - t.from.sent[0].cycle, latency() - 1);
  EXPECT_EQ(t.to.got[0].data, t.from.sent[0].data);
  t.expect_legal();
}

TEST_P(link_pipeline_on, a_credit_takes_the_latency_back) {
  // With one place the next flit goes when the credit of the one before has come back.
  pipeline_bench t(on(), {latency(), 1});
  t.add(4);
  t.b.reset();
  run(12 * latency());
  ASSERT_EQ(t.from.sent.size(), 4u);
  for (unsigned n = 1; n < 4; ++n) {
    EXPECT_EQ(t.from.sent[n].cycle - t.from.sent[n - 1].cycle, 2 * latency() - 1);
    EXPECT_EQ(t.from.sent[n].cycle - t.to.got[n - 1].cycle, latency()) << "from the receiver's edge";
  }
  t.expect_legal();
}

TEST_P(link_pipeline_on, takes_the_next_of_lone_packets_when_the_last_has_gone_on) {
  pipeline_bench t(on(), {latency(), 0, true});
  for (unsigned n = 0; n < 3; ++n) t.from.add_packet(1, 2, n, 4);
  t.b.reset();
  run(30 * latency());
  ASSERT_EQ(t.from.sent.size(), 12u);
  ASSERT_EQ(t.to.got.size(), 12u);
  for (const unsigned n : {4, 8})
    EXPECT_EQ(t.from.sent[n].cycle - t.to.got[n - 1].cycle, latency()) << "from the receiver's edge";
  t.expect_legal();
}

TEST_P(link_pipeline_on, takes_the_next_of_lone_packets_when_the_receiver_would) {
  pipeline_bench t(on(), {latency(), 0, true});
  for (unsigned n = 0; n < 2; ++n) t.from.add_packet(1, 2, n, 4);
  t.b.reset();
  t.take_one_by_one(4, 3 * latency());
  EXPECT_EQ(t.from.sent.size(), 4u);
  t.to.rate = 100;
  run(10 * latency());
  EXPECT_EQ(t.to.got.size(), 8u);
  t.expect_legal();
}

TEST_P(link_pipeline_on, a_reset_takes_back_lone_packets) {
  pipeline_bench t(on(), {latency(), 0, true});
  t.from.add_packet(1, 2, 0, 4);
  t.b.reset();
  run(1);  // so that the lanes open
  t.to.rate = 0;
  run(6 * latency());
  EXPECT_EQ(t.stages.held_flits(), std::min(4u, 2 * latency() - 1));
  t.b.rst(true);
  run(1);
  t.from.todo.clear();
  t.from.add_packet(1, 2, 1, 4);
  t.to.rate = 100;
  t.b.rst(false);
  run(10 * latency() + 10);
  ASSERT_GE(t.to.got.size(), 4u);
  EXPECT_EQ(t.to.got.back().data.packet, 1u);
}

TEST_P(link_pipeline_on, is_as_large_in_and_after_a_reset) {
  pipeline_bench t(on(), {latency(), 3});
  t.b.reset();
  run(4 * latency());
  const hardware_size made = t.stages.storage();
  EXPECT_EQ(made.flits, latency() - 1 + 64 * 3) << "the receiver takes flits in all lanes";
  t.b.rst(true);
  run(2);
  EXPECT_EQ(t.stages.storage(), made);
}

TEST_P(link_pipeline_on, the_first_credits_take_the_latency) {
  pipeline_bench t(on(), {latency(), 0});
  for (const bool after_another : {false, true}) {
    std::uint64_t opened = 0, seen = 0;
    t.b.reset();
    for (std::uint64_t c = 1; c < 4 * latency() && !seen; ++c) {
      run(1);
      if (!opened && t.far.ready.read()) opened = c;
      if (t.near.ready.read()) seen = c;
    }
    EXPECT_EQ(seen - opened, latency() - 1) << (after_another ? "after a reset that took back others" : "");
    EXPECT_EQ(t.near.ready.read(), ~lane_mask{0}) << "of the lanes that the receiver has";
    if (after_another) break;
    t.b.reset();
    while (!t.far.ready.read()) run(1);
    run(1);  // the first credits are on their way again
  }
}

TEST_P(link_pipeline_on, a_reset_takes_back_the_credits_on_their_way) {
  pipeline_bench t(on(), {latency(), 0});
  t.add(1000);
  t.b.reset();
  run(100);
  t.b.rst(true);
  run(1);
  t.from.todo.clear();
  t.b.rst(false);
  for (std::uint64_t opened = 0, c = 1; c < 4 * latency(); ++c) {
    run(1);
    if (!opened && t.far.ready.read()) opened = c;
    ASSERT_EQ(t.near.ready.read() != 0, opened && c >= opened + latency() - 1) << c << " cycles after it";
  }
}

TEST_P(link_pipeline_on, the_places_of_a_round_trip_give_a_flit_a_cycle) {
  pipeline_bench t(on(), {latency(), 0});
  t.add(1000);
  t.b.reset();
  run(200);
  const std::size_t before = t.to.got.size();
  run(300);
  EXPECT_EQ(t.to.got.size() - before, 300u);
  t.expect_legal();
}

TEST_P(link_pipeline_on, fewer_places_give_their_share_of_a_round_trip) {
  const unsigned trip = 2 * latency() - 1, places = trip - 1;
  pipeline_bench t(on(), {latency(), places});
  t.add(4000);
  t.b.reset();
  run(10 * trip);
  const std::size_t before = t.to.got.size();
  run(100 * trip);
  EXPECT_EQ(t.to.got.size() - before, 100u * places);
  t.expect_legal();
}

TEST_P(link_pipeline_on, loses_nothing_under_back_pressure) {
  pipeline_bench t(on(), {latency(), 0}, 80, 40, 7);
  t.b.reset();
  t.expect_nothing_lost();
}

TEST_P(link_pipeline_on, holds_no_more_than_its_places) {
  pipeline_bench t(on(), {latency(), 3});
  t.add(50);
  t.b.reset();
  // The receiver opens once, so that the lanes get their credits, and closes again.
  run(1);
  t.to.rate = 0;
  run(20 * latency());
  EXPECT_EQ(t.stages.held_flits(), 3u);
  const std::size_t sent = t.from.sent.size();
  run(20);
  EXPECT_EQ(t.from.sent.size(), sent);
  t.expect_legal();
}

TEST_P(link_pipeline_on, a_lane_that_waits_does_not_stop_another) {
  pipeline_bench t(on(), {latency(), 0});
  // The receiver takes lane 1 only.
  struct picky : clocked {
    packet_in in{"in"};
    std::vector<flit> got;
    explicit picky(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override { in.ready.write(0); }
    void tick() override {
      if (in.crosses()) got.push_back(in.data.read());
      in.ready.write(cycle() < 20 ? 3 : 2);
      wake_at(cycle() + 1);
    }
  };
  auto& second = t.b.make<link_pipeline>("second", link_pipeline_config{latency(), 0});
  auto& from = t.b.make<sender>("second_from");
  auto& to = t.b.make<picky>("picky");
  const any_link near = t.b.link("second_near"), far = t.b.link("second_far");
  from.out.bind(near), second.in.bind(near), second.out.bind(far), to.in.bind(far);
  t.b.reset();
  run(30);
  from.add_packet(1, 2, 0, 1, 0);
  for (unsigned n = 0; n < 20; ++n) from.add_packet(3, 4, n, 1, 1);
  run(60 + 4 * latency());
  EXPECT_EQ(to.got.size(), 20u);
  EXPECT_EQ(second.held_flits(), 1u);
  t.expect_legal();
}

TEST_P(link_pipeline_on, lanes_take_turns) {
  pipeline_bench unused(on(), {latency(), 0});
  bench& b = unused.b;
  // Opens its lanes so that credits go out, closes until all flits wait at the end, and takes all.
  struct late_taker : clocked {
    packet_in in{"in"};
    std::vector<unsigned> lanes;
    explicit late_taker(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override { in.ready.write(0); }
    void tick() override {
      if (in.crosses()) lanes.push_back(in.data.read().lane);
      in.ready.write(cycle() < 20 || cycle() > 80 ? ~lane_mask{0} : 0);
      wake_at(cycle() + 1);
    }
  };
  auto& stages = b.make<link_pipeline>("shared", link_pipeline_config{latency(), 0});
  auto& from = b.make<sender>("shared_from");
  auto& to = b.make<late_taker>("late_taker");
  const any_link near = b.link("shared_near"), far = b.link("shared_far");
  from.out.bind(near), stages.in.bind(near), stages.out.bind(far), to.in.bind(far);
  b.reset();
  run(40);
  const std::vector<unsigned> lanes{0, 1, 2, 62, 63};
  for (const unsigned lane : lanes)
    for (unsigned n = 0; n < 3; ++n) from.add_packet(lane, 9, n, 1, lane);
  run(120);
  ASSERT_EQ(to.lanes.size(), 15u);
  for (unsigned n = 0; n < 15; ++n) EXPECT_EQ(to.lanes[n], lanes[n % 5]) << "the " << n << "th to come out";
  unused.expect_legal();
}

TEST_P(link_pipeline_on, a_reset_empties_it) {
  pipeline_bench t(on(), {latency(), 0}, 100, 30);
  t.add(500);
  t.b.reset();
  run(50);
  t.expect_reset_empties(6 * latency());
}

INSTANTIATE_TEST_SUITE_P(latencies, link_pipeline_on,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::Values(2u, 3u, 8u)),
                         [](const auto& p) {
                           return name_of(std::get<0>(p.param)) + "_" + std::to_string(std::get<1>(p.param));
                         });

TEST(link_pipeline_config, refuses_a_link_of_one_cycle) {
  EXPECT_THROW((link_pipeline_config{1, 0}.check()), std::invalid_argument);
  EXPECT_NO_THROW((link_pipeline_config{2, 1}.check()));
}
