// Lemma 1 on the running network: every pair of messages with every outcome of the coins that routers toss
// for it is sent once. The coins are not forced: each case waits for a cycle in which they fall as it needs
// them.
#include <cmath>
#include <set>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/circuit/fat_tree.hpp>
#include <spillway/tlm/circuit/circuit_transactions.hpp>
#include <support/link_bench.hpp>
#include <support/topologies.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr std::uint64_t seed = 5, gap = 128;
// From the creation of a message to the edge at which its first router sees it: taken by the interface,
// told to the barrier, round started, requested.
constexpr std::uint64_t to_first_router = 4;

/// The first message goes from terminal 0.
struct pair_of_messages {
  std::uint32_t other, to, other_to;
};

/// How the coins fall for a pair whose heads are at their first routers at `edge`: one bit a coin, and a
/// leading 1.
std::uint32_t coins_of(const fat_tree& shape, const pair_of_messages& p, std::uint64_t edge) {
  const unsigned turn_1 = fat_tree::turn(0, p.to), turn_2 = fat_tree::turn(p.other, p.other_to);
  std::uint32_t tossed = 1, router_1 = 0, router_2 = 0;
  const auto toss = [&](unsigned level, std::uint32_t node, std::uint32_t router) {
    const std::uint64_t word = draw(seed, shape.number({level, node, router}), edge + 2 * level);
    tossed = tossed << 1 | (word & 1);
    return static_cast<std::uint32_t>(word & 1);
  };
  for (unsigned level = 0; level < std::max(turn_1, turn_2); ++level) {
    const std::uint32_t node_2 = p.other >> (level + 1);
    const bool up_1 = level < turn_1, up_2 = level < turn_2;
    const bool meet = up_1 && up_2 && node_2 == 0 && router_1 == router_2;
    const std::uint32_t first = up_1 ? toss(level, 0, router_1) : 0;
    // Where both leave one router, the message at port a, the one from terminal 0, gets what the coin says.
    const std::uint32_t second = meet ? 1 - first : up_2 ? toss(level, node_2, router_2) : 0;
    router_1 |= first << level;
    router_2 |= second << level;
  }
  return tossed;
}

double chance(std::uint32_t coins) { return std::ldexp(1.0, __builtin_clz(coins) - 31); }

struct experiment {
  std::uint64_t at;  // creation of both messages
  pair_of_messages messages;
  double weight;
};

/// All pairs with all outcomes of their coins, each at a cycle at which the coins fall so.
std::vector<experiment> every_case(const fat_tree& shape) {
  struct open_case {
    pair_of_messages messages;
    std::set<std::uint32_t> seen;
    double missing = 1;
  };
  std::vector<open_case> open;
  const std::uint32_t n = shape.terminals();
  for (std::uint32_t other = 1; other < n; ++other)
    for (std::uint32_t to = 1; to < n; ++to)
      for (std::uint32_t other_to = 0; other_to < n; ++other_to)
        if (other_to != other) open.push_back({{other, to, other_to}, {}, 1});
  std::vector<experiment> all;
  for (std::uint64_t at = gap; !open.empty(); at += gap) {
    for (std::size_t i = 0; i < std::min<std::size_t>(open.size(), 64); ++i) {
      open_case& c = open[open.size() - 1 - i];
      const std::uint32_t coins = coins_of(shape, c.messages, at + to_first_router);
      if (!c.seen.insert(coins).second) continue;
      all.push_back({at, c.messages, chance(coins)});
      c.missing -= chance(coins);
      if (c.missing == 0) {
        std::swap(c, open.back());
        open.pop_back();
      }
      break;
    }
  }
  return all;
}

/// Sends so many messages, each at its cycle.
class timed_supply final : public packet_supply {
public:
  explicit timed_supply(std::vector<std::pair<std::uint64_t, std::uint32_t>> list) : list_(std::move(list)) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return next_ == list_.size() ? never : std::max(now, list_[next_].first);
  }
  packet_order take(std::uint64_t) override {
    packet_order order;
    order.destination = list_[next_++].second;
    return order;
  }

private:
  const std::vector<std::pair<std::uint64_t, std::uint32_t>> list_;
  std::size_t next_ = 0;
};

std::vector<std::unique_ptr<packet_supply>> supplies_for(const std::vector<experiment>& all,
                                                         std::uint32_t terminals) {
  std::vector<std::vector<std::pair<std::uint64_t, std::uint32_t>>> lists(terminals);
  for (const experiment& e : all) {
    lists[0].emplace_back(e.at, e.messages.to);
    lists[e.messages.other].emplace_back(e.at, e.messages.other_to);
  }
  std::vector<std::unique_ptr<packet_supply>> supplies;
  supplies.reserve(lists.size());
  for (auto& list : lists) supplies.push_back(std::make_unique<timed_supply>(std::move(list)));
  return supplies;
}

class counting final : public endpoint_observer {
public:
  void created(std::uint64_t, const flit&) override { ++created_; }
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override { ++delivered_; }
  std::uint64_t created_ = 0, delivered_ = 0;
};

/// Pr[C2] as the network has it. `finish(experiment)` runs to the end of one, and says how often messages
/// have collided so far.
template <class Finish>
double collisions_of(const std::vector<experiment>& all, std::uint32_t terminals, const Finish& finish) {
  double sum = 0, before = 0;
  for (const experiment& e : all) {
    const double now = finish(e);
    EXPECT_LE(now - before, 1);
    sum += e.weight * (now - before);
    before = now;
  }
  return sum / std::pow(terminals - 1, 3);
}

class two_messages : public testing::TestWithParam<unsigned> {};

TEST_P(two_messages, collide_in_exactly_the_cases_that_lemma_1_counts) {
  circuit_network_config config;
  config.shape.height = GetParam();
  config.policy.strategy = retry::held_rounds;
  config.seed = config.policy.seed = seed;
  const std::uint32_t n = config.shape.terminals();
  const auto all = every_case(config.shape);
  counting seen;
  circuit_transactions network(config, supplies_for(all, n), seen);
  counters counted;
  const double found = collisions_of(all, n, [&](const experiment& e) {
    while (network.next() < e.at + gap) network.step(network.next());
    counted.clear();
    network.count(counted);
    return counted.at("circuit.collisions");
  });
  EXPECT_NEAR(found, theory::pr_c2(n), 1e-9);
  EXPECT_EQ(counted.at("circuit.first_request"), static_cast<double>(all.front().at + to_first_router));
  EXPECT_EQ(seen.created_, 2 * all.size());
  EXPECT_EQ(seen.delivered_, seen.created_);
}

INSTANTIATE_TEST_SUITE_P(of_height, two_messages, testing::Values(2u, 3u, 4u));

class two_messages_on_pins : public sc_test {};

TEST_F(two_messages_on_pins, collide_in_exactly_the_cases_that_lemma_1_counts) {
  const fat_tree shape{3};
  const std::uint32_t n = shape.terminals();
  const auto all = every_case(shape);
  auto supplies = supplies_for(all, n);
  network_plan plan;
  plan.shape = make_fat_tree(n);
  plan.routes = make_routing(plan.shape, "auto");
  plan.config.seed = seed;
  plan.config.switches = {{"kind", "circuit"}, {"contention", "random"}};
  plan.config.interfaces = {{"kind", "circuit"}, {"retry", "held_rounds"}, {"doublings", 10}};
  counting seen;
  platform network(
      "network", plan, platform_catalogue(),
      {[&](unsigned t) { return std::move(supplies[t]); }, [](unsigned) { return sink_config{}; }, seen});
  std::uint64_t now = 0;
  const double found = collisions_of(all, n, [&](const experiment& e) {
    network.run(e.at + gap - now);
    now = e.at + gap;
    return network.count().at("circuit.collisions");
  });
  EXPECT_NEAR(found, theory::pr_c2(n), 1e-9);
  EXPECT_EQ(seen.delivered_, 2 * all.size());
}

}  // namespace
