#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "random_routers.hpp"

using namespace spillway;
using namespace spillway::testing_support;

// Routers with more channels than a word has bits, and the same routers with sets of one word and of two
// levels: pin for pin alike.

namespace {

using large_router_bench = basic_router_bench<large_wormhole_router>;

unsigned active_channels(const large_router_bench& t) {
  unsigned active = 0;
  for (unsigned i = 0; i < t.config.inputs.size(); ++i)
    for (unsigned c = 0; c < t.config.lanes(); ++c) active += t.router->state(i, c) == channel_state::active;
  return active;
}

/// Packets of an input channel leave one after the other, whatever their outputs are.
void expect_order_in_channels(const large_router_bench& t, const std::vector<unsigned>& lane_of_packet) {
  std::map<std::pair<unsigned, unsigned>, std::vector<passage>> by_channel;
  for (const lane_receiver* r : t.to)
    for (const passage& p : r->got)
      by_channel[{p.data.source, lane_of_packet.at(p.data.packet)}].push_back(p);
  EXPECT_EQ(by_channel.size(), t.from.size() * t.config.lanes()) << "some channels had nothing to do";
  for (auto& [channel, flits] : by_channel) {
    std::sort(flits.begin(), flits.end(),
              [](const passage& a, const passage& b) { return a.cycle < b.cycle; });
    for (std::size_t n = 1; n < flits.size(); ++n) {
      const flit &before = flits[n - 1].data, &after = flits[n].data;
      ASSERT_TRUE(after.packet == before.packet ? after.index == before.index + 1
                                                : after.packet > before.packet && before.tail())
          << "input " << channel.first << " channel " << channel.second << " at cycle " << flits[n].cycle;
    }
  }
}

struct large_router : sc_test, testing::WithParamInterface<kernel> {};

/// A router of one word and its twin of two levels, with the same traffic.
struct twins {
  explicit twins(std::uint32_t s) : seed(s), d(s), config(random_router(d)) {
    const unsigned send = d.between(20, 100), take = d.between(15, 100);
    const auto routes = std::make_shared<const random_routing>(config, seed, d);
    const kernel k = d.percent(50) ? kernel::fast : kernel::signals;
    const std::string name = "s" + std::to_string(seed);
    word.emplace(k, config, name + "word", send, take, routes);
    levels.emplace(k, config, name + "levels", send, take, routes);
    each([&](auto& t) { fill(t, seed, 150 * static_cast<unsigned>(config.inputs.size())); });
  }
  template <class F>
  void each(F&& f) {
    f(*word), f(*levels);
  }
  bool same_pins() const {
    for (std::size_t i = 0; i < word->in.size(); ++i)
      if (word->in[i].ready.read() != levels->in[i].ready.read()) return false;
    for (std::size_t o = 0; o < word->out.size(); ++o) {
      const any_link &a = word->out[o], &b = levels->out[o];
      if (a.valid.read() != b.valid.read() || (a.valid.read() && a.data.read() != b.data.read()))
        return false;
    }
    return true;
  }

  std::uint32_t seed;
  dice d;
  router_config config;
  std::optional<basic_router_bench<wormhole_router>> word;
  std::optional<large_router_bench> levels;
};

struct twin_routers : sc_test, testing::WithParamInterface<unsigned> {};

}  // namespace

TEST_P(large_router, of_64_ports_with_16_channels_loses_nothing_and_keeps_order) {
  large_router_bench t(GetParam(), router_of(64, 16, 4), "b", 100, 60);
  dice d(5);
  std::vector<unsigned> lane_of_packet;
  for (unsigned n = 0; n < 64 * 16 * 4; ++n) {
    const unsigned lane = n / 64 % 16;
    t.send(n % 64, d.below(64), d.between(1, 6), lane);
    lane_of_packet.push_back(lane);
  }
  t.b.reset();
  unsigned most = 0;
  for (unsigned cycles = 0; cycles < 1500; cycles += 50) {
    run(50);
    most = std::max(most, active_channels(t));
  }
  EXPECT_GT(most, 256u) << "channels that were at work at the same time";
  t.expect_all_delivered();
  expect_order_in_channels(t, lane_of_packet);
}
INSTANTIATE_TEST_SUITE_P(on, large_router, testing::Values(kernel::fast, kernel::signals),
                         [](const auto& i) { return name_of(i.param); });

struct large_routers : sc_test {};

TEST_F(large_routers, of_64_ports_with_64_channels_use_them_all) {
  router_config c = router_of(64, 64, 1);
  c.latency = 2;
  large_router_bench t(kernel::fast, c);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned i = 0; i < 64; ++i) t.send(i, (i + lane) % 64, 2, lane);
  for (lane_receiver* r : t.to) r->stopped = ~lane_mask{0};
  t.b.reset();
  run(200);
  EXPECT_EQ(t.router->level(), 64u * 64u);
  EXPECT_EQ(active_channels(t), 64u * 64u) << "a head in every channel has an output channel of its own";
  for (lane_receiver* r : t.to) r->stopped = 0;
  run(400);
  t.expect_all_delivered();
  for (const lane_receiver* r : t.to) {
    lane_mask used = 0;
    for (const passage& p : r->got) used |= lane_mask{1} << p.data.lane;
    EXPECT_EQ(used, ~lane_mask{0});
  }
}

TEST_P(twin_routers, agree_pin_for_pin) {
  std::vector<std::unique_ptr<twins>> all;
  for (unsigned n = 0; n < 8; ++n) all.push_back(std::make_unique<twins>(GetParam() * 8 + n));
  const auto rst = [&](bool high) {
    for (auto& pair : all) pair->each([&](auto& t) { t.b.rst(high); });
  };
  rst(true);
  run(2);
  rst(false);
  for (unsigned cycle = 0; cycle < 2500; ++cycle) {
    if (cycle == 1000) rst(true);  // also in the middle of packets
    if (cycle == 1003) rst(false);
    run(1);
    for (const auto& pair : all)
      ASSERT_TRUE(pair->same_pins()) << "seed " << pair->seed << " at cycle " << cycle;
  }
  std::size_t arrived = 0;
  for (const auto& pair : all) {
    EXPECT_EQ(pair->word->router->level(), pair->levels->router->level());
    EXPECT_EQ(pair->word->router->lost_in_reset(), pair->levels->router->lost_in_reset());
    arrived += pair->word->arrived();
  }
  EXPECT_GT(arrived, 4000u);
}
INSTANTIATE_TEST_SUITE_P(random, twin_routers, testing::Range(0u, 12u));
