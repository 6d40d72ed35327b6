// Networks of wormhole routers: latency without contention as the NIFDY paper states it, and random traffic.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <spillway/platforms/topology/analysis.hpp>
#include <support/topologies.hpp>

#include "router_network_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;
using nlohmann::json;

namespace {

using test_kernel = spillway::testing_support::kernel;

// A network of the NIFDY paper (Table 3), with its latency as the paper states it.
struct table_row {
  std::string name;
  std::function<topology()> shape;
  json switches;
  unsigned distance_kind;  // 0: links between switches of a grid, 1: links from terminal to terminal
  unsigned slope, constant;
  bool tail = false;
  unsigned wait = 0;
  bool at_most = false;
};
void PrintTo(const table_row& r, std::ostream* os) { *os << r.name; }

const json narrow_link = {{"cycles", 4}};
const json tree_router = {
    {"switching", "cut_through"}, {"depth", 16}, {"latency", 2}, {"entry_latency", 1}, {"link", narrow_link}};

json changed(json what, const json& patch) {
  what.merge_patch(patch);
  return what;
}

std::vector<table_row> table() {
  const json grid = {{"link", narrow_link}, {"entry_latency", 4}};
  return {
      {"fat_tree",
       [] {
         return make_xgft({{4, 4, 4}, {4, 4}});
       },
       tree_router, 1, 5, 2},
      {"cm5",
       [] {
         return make_xgft({{4, 4, 4}, {2, 2}});
       },
       changed(tree_router, {{"entry_latency", 2}, {"link", {{"multiplexing", "strict"}}}}), 1, 9, 2, false,
       1},
      // A head waits for a turn in its first router anyway: 3 cycles there take as long as 2.
      {"cm5_of_an_odd_entry",
       [] {
         return make_xgft({{4, 4, 4}, {2, 2}});
       },
       changed(tree_router, {{"entry_latency", 3}, {"link", {{"multiplexing", "strict"}}}}), 1, 9, 2, false,
       1},
      {"store_and_forward",
       [] {
         return make_xgft({{4, 4, 4}, {4, 4}});
       },
       changed(tree_router, {{"switching", "store_and_forward"}, {"entry_latency", 2}}), 1, 33, 3, true},
      {"mesh",
       [] {
         return make_mesh({8, 8});
       },
       changed(grid, {{"depth", 2}}), 0, 4, 14},
      // Turns follow each other from column to column, not within one.
      {"mesh_by_turns",
       [] {
         return make_mesh({8, 8});
       },
       changed(grid, {{"latency", 2}, {"link", {{"multiplexing", "strict"}}}}), 0, 9, 22, false, 1, true},
      // Modulo 2 they do, there and back, but those of a terminal's link are followed at every other router
      // only.
      {"row_by_turns", [] { return make_mesh({64}); },
       changed(grid,
               {{"latency", 2}, {"entry_latency", 1}, {"link", {{"cycles", 1}, {"multiplexing", "strict"}}}}),
       0, 3, 7, false, 1, true},
      {"torus",
       [] {
         return make_torus({8, 8});
       },
       changed(grid, {{"virtual_channels", 2}}), 0, 4, 14},
      {"mesh_3d",
       [] {
         return make_mesh({4, 4, 4});
       },
       changed(grid, {{"virtual_channels", 2}, {"entry_latency", 8}}), 0, 4, 18},
      {"butterfly",
       [] {
         return make_butterfly({4, 3, 64});
       },
       tree_router, 1, 5, 2},
      {"multibutterfly", [] { return make_multibutterfly(4, 3, 2, 1); }, tree_router, 1, 5, 2},
  };
}

// Links by a formula of the topology's own.
unsigned distance(const topology& t, unsigned a, unsigned b) {
  if (const auto* const grid = t.facts<grid_shape>()) {
    unsigned sum = 0;
    for (const std::uint64_t k : grid->dimensions) {
      const auto size = static_cast<unsigned>(k);
      const unsigned there = b % size, here = a % size;
      const unsigned apart = here > there ? here - there : there - here;
      sum += grid->wraps ? std::min(apart, size - apart) : apart;
      a /= size, b /= size;
    }
    return sum;
  }
  if (const auto* const stages = t.facts<multistage_shape>()) return stages->stages + 1;
  unsigned levels = 0;
  for (const unsigned c : t.facts<xgft_shape>()->children) {
    ++levels;
    a /= c, b /= c;
    if (a == b) break;
  }
  return 2 * levels;
}

class table_of_networks : public sc_test, public testing::WithParamInterface<table_row> {};

}  // namespace

TEST_P(table_of_networks, has_the_latency_of_the_paper) {
  const table_row& row = GetParam();
  constexpr unsigned pause = 301;  // odd, so that packets start in the turns of both networks
  const std::vector<unsigned> senders{0, 21, 63};
  network_bench t("n", row.shape(), "auto", row.switches, 2, 8, test_kernel::fast, [&](unsigned terminal) {
    std::vector<planned> list;
    for (unsigned s = 0; s < senders.size(); ++s)
      for (std::uint32_t d = 0; senders[s] == terminal && d < 64; ++d)
        list.push_back({20 + (s * 64 + d) * pause, d, 8, static_cast<std::uint8_t>(d / 3 % 2)});
    return list;
  });
  t.network->run(20 + 3 * 64 * pause + 400);
  t.expect_all_delivered();
  EXPECT_EQ(t.log.packets.size(), 3u * 64);

  int earliest = std::numeric_limits<int>::max(),
      latest = std::numeric_limits<int>::min();  // beside the formula
  for (const auto& [key, p] : t.log.packets) {
    const unsigned d = distance(t.plan.shape, std::get<1>(key), p.destination);
    const std::uint64_t latency = (row.tail ? p.tail : p.head) - p.created,
                        stated = row.slope * d + row.constant;
    if (!row.at_most) {
      ASSERT_GE(latency, stated) << "from " << std::get<1>(key) << " to " << p.destination;
    }
    ASSERT_LE(latency, stated + row.wait) << "from " << std::get<1>(key) << " to " << p.destination;
    earliest = std::min(earliest, static_cast<int>(latency) - static_cast<int>(stated));
    latest = std::max(latest, static_cast<int>(latency) - static_cast<int>(stated));
  }
  EXPECT_EQ(std::max(earliest, 0), 0);
  EXPECT_EQ(earliest < 0, row.at_most);
  EXPECT_EQ(latest, static_cast<int>(row.wait));

  // What `spillway check` prints.
  const zero_load z = t.latency();
  const bool grid = row.distance_kind == 0;
  EXPECT_EQ(z.per_switch, row.slope);
  EXPECT_EQ(grid ? z.fixed + z.per_switch : z.fixed - z.per_switch, row.constant);
  EXPECT_EQ(z.tail, row.tail);
  EXPECT_EQ(z.wait, row.wait);
  EXPECT_EQ(z.at_most, row.at_most);
}

INSTANTIATE_TEST_SUITE_P(nifdy, table_of_networks, testing::ValuesIn(table()),
                         [](const auto& i) { return i.param.name; });

namespace {

struct load_case {
  std::string name;
  std::function<topology()> shape;
  routing_choice routes;
  json switches;
  unsigned networks;
};
void PrintTo(const load_case& c, std::ostream* os) { *os << c.name; }

routing_choice hashed() { return {"nearest_ancestor", 1, {{"up", "hashed"}}}; }

std::vector<load_case> loads() {
  const json two = {{"virtual_channels", 2}};
  const json strict = changed(tree_router, {{"link", {{"multiplexing", "strict"}}}});
  return {
      {"mesh",
       [] {
         return make_mesh({4, 4});
       },
       "auto", json::object(), 1},
      {"mesh_of_two_channels",
       [] {
         return make_mesh({4, 4});
       },
       "auto", two, 2},
      {"mesh_of_one_flit",
       [] {
         return make_mesh({3, 4});
       },
       "auto",
       {{"depth", 1}},
       2},
      {"torus",
       [] {
         return make_torus({4, 5});
       },
       "auto", changed(two, {{"depth", 2}}), 1},
      {"torus_of_four_channels",
       [] {
         return make_torus({4, 4});
       },
       "auto",
       {{"virtual_channels", 4}},
       2},
      {"ring", [] { return make_ring(8, false); }, "auto", two, 1},
      {"torus_3d",
       [] {
         return make_torus({3, 3, 3});
       },
       "auto", changed(two, {{"latency", 3}}), 1},
      {"adaptive",
       [] {
         return make_mesh({4, 4});
       },
       "adaptive",
       {{"virtual_channels", 3}},
       2},
      {"adaptive_3d",
       [] {
         return make_mesh({3, 2, 3});
       },
       "adaptive", changed(two, {{"depth", 2}}), 1},
      {"fat_tree",
       [] {
         return make_xgft({{4, 4}, {4}});
       },
       "auto", tree_router, 2},
      {"fat_tree_in_order",
       [] {
         return make_xgft({{2, 3, 2}, {2, 2}});
       },
       hashed(), tree_router, 1},
      {"fat_tree_drawn",
       [] {
         return make_xgft({{4, 4}, {4}});
       },
       "auto", changed(tree_router, {{"choice", "random"}, {"switching", "store_and_forward"}}), 1},
      {"cm5",
       [] {
         return make_xgft({{4, 4, 2}, {2, 2}});
       },
       "auto", strict, 2},
      {"multibutterfly", [] { return make_multibutterfly(2, 4, 2, 5); }, "auto", two, 2},
      {"butterfly",
       [] {
         return make_butterfly({4, 2, 16});
       },
       "auto", tree_router, 2},
  };
}

class network_under_load : public sc_test, public testing::WithParamInterface<load_case> {
protected:
  // More than the network can carry for a while, packets of 1 to 5 flits.
  static std::unique_ptr<network_bench> make(test_kernel k, const sink_config& service = {}) {
    const load_case& c = GetParam();
    topology shape = c.shape();
    const auto terminals = static_cast<unsigned>(shape.terminals.size());
    const auto plans = [terminals, networks = c.networks](unsigned terminal) {
      dice d(terminal + 7);
      std::vector<planned> list;
      for (std::uint64_t cycle = 10; cycle < 500; cycle += d.below(12))
        list.push_back({cycle, d.below(terminals), static_cast<std::uint16_t>(1 + d.below(5)),
                        static_cast<std::uint8_t>(d.below(networks))});
      return list;
    };
    return std::make_unique<network_bench>(name_of(k), std::move(shape), c.routes, c.switches, c.networks, 5,
                                           k, plans, service);
  }
  static void run_both(const network_bench& t, unsigned cycles) {
    sc_core::sc_start(cycles * t.plan.config.period());
  }
};

}  // namespace

TEST_P(network_under_load, delivers_all_alike_on_both_kernels_and_in_order_if_promised) {
  const auto signals = make(test_kernel::signals), fast = make(test_kernel::fast);
  run_both(*fast, 12000);
  for (const auto* t : {signals.get(), fast.get()}) t->expect_all_delivered();
  EXPECT_GT(fast->log.packets.size(), 500u);
  EXPECT_TRUE(fast->log.packets == signals->log.packets);
  if (fast->plan.routes->in_order())
    EXPECT_EQ(fast->log.overtaken, 0u);
  else
    EXPECT_GT(fast->log.overtaken, 0u) << "it could promise order";
}

TEST_P(network_under_load, counts_what_a_reset_in_mid_run_loses) {
  const auto signals = make(test_kernel::signals), fast = make(test_kernel::fast);
  run_both(*fast, 300);
  for (auto* t : {signals.get(), fast.get()}) t->network->drive_reset(true);
  run_both(*fast, 3);
  for (auto* t : {signals.get(), fast.get()}) {
    EXPECT_EQ(t->network->held_flits(), 0u);
    EXPECT_GT(t->network->lost_in_reset(), 50u);
    EXPECT_EQ(t->log.taken + t->network->lost_in_reset(), t->log.made);
    t->network->drive_reset(false);
  }
  run_both(*fast, 12000);
  for (auto* t : {signals.get(), fast.get()}) {
    EXPECT_TRUE(t->violations.empty()) << t->violations.front().message;
    EXPECT_EQ(t->log.faults, 0u);
    EXPECT_EQ(t->log.taken + t->network->lost_in_reset(), t->log.made);
  }
  EXPECT_TRUE(fast->log.packets == signals->log.packets);
}

INSTANTIATE_TEST_SUITE_P(every, network_under_load, testing::ValuesIn(loads()),
                         [](const auto& i) { return i.param.name; });

namespace {

std::vector<load_case> loads_of_two_networks() {
  std::vector<load_case> all = loads();
  all.erase(std::remove_if(all.begin(), all.end(), [](const load_case& c) { return c.networks < 2; }),
            all.end());
  return all;
}

class logical_networks : public network_under_load {};

}  // namespace

// Or requests and replies could wait for each other.
TEST_P(logical_networks, carry_all_while_the_other_stands) {
  sink_config stopped;
  stopped.pauses = {{0, packet_supply::never}};
  const auto t = make(test_kernel::fast, stopped);
  t->network->run(12000);
  EXPECT_TRUE(t->violations.empty()) << t->violations.front().message;
  EXPECT_EQ(t->log.faults, 0u);
  unsigned stand = 0, came = 0;
  for (const auto& [key, p] : t->log.packets) {
    const unsigned network = std::get<0>(key);
    EXPECT_EQ(p.arrived, network ? p.length : 0) << "from " << std::get<1>(key) << " to " << p.destination;
    ++(network ? came : stand);
  }
  EXPECT_GT(stand, 200u);
  EXPECT_GT(came, 200u);
}

// The same packets under different seeds: of the outputs on the way up another one is drawn.
TEST(drawn_outputs, follow_the_seed_of_the_run) {
  const auto make = [](const std::string& name, std::uint64_t seed) {
    return std::make_unique<network_bench>(
        name, make_xgft({{4, 4}, {4}}), "auto", changed(tree_router, {{"choice", "random"}}), 1, 5,
        test_kernel::fast,
        [](unsigned terminal) {
          std::vector<planned> list;
          for (unsigned i = 0; i < 20; ++i) list.push_back({10 + i, (terminal * 5 + i) % 16, 5, 0});
          return list;
        },
        sink_config{}, seed);
  };
  const auto one = make("one", 1), same = make("same", 1), other = make("other", 2);
  sc_core::sc_start(5000 * one->plan.config.period());
  for (const auto* t : {one.get(), same.get(), other.get()}) t->expect_all_delivered();
  EXPECT_TRUE(one->log.packets == same->log.packets);
  EXPECT_FALSE(one->log.packets == other->log.packets);
}

INSTANTIATE_TEST_SUITE_P(every, logical_networks, testing::ValuesIn(loads_of_two_networks()),
                         [](const auto& i) { return i.param.name; });
