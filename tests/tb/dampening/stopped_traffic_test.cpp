// Traffic about terminals that have stopped: which ones, to them only, and to all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <spillway/tb/hypercube/locality.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/injections/burst.hpp>
#include <spillway/tb/traffic/injections/exponential.hpp>
#include <spillway/tb/traffic/injections/saturated.hpp>
#include <spillway/tb/traffic/patterns/hotspot.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>

using namespace spillway;

namespace {

constexpr std::uint32_t nodes = 16;

std::vector<std::uint32_t> sent_to(const traffic_entry& e, std::uint32_t terminal) {
  traffic_supply supply(std::make_shared<traffic_list>(1, e), terminal, 5);
  std::vector<std::uint32_t> all;
  for (std::uint64_t now = 0; now < 2000; ++now)
    while (supply.due(now, 0) <= now) all.push_back(supply.take(now).destination);
  EXPECT_TRUE(supply.exhausted());
  return all;
}

traffic_entry hundred_messages_to(std::shared_ptr<const pattern> where) {
  traffic_entry e{std::move(where), std::make_shared<saturated_injection>()};
  e.messages = 100;
  return e;
}
template <class Pattern, class... Arguments>
traffic_entry hundred_messages(Arguments&&... arguments) {
  return hundred_messages_to(std::make_shared<Pattern>(nodes, std::forward<Arguments>(arguments)...));
}
using list = std::vector<std::uint32_t>;

TEST(choose_stopped, gives_as_many_different_terminals_as_asked_for) {
  std::vector<unsigned> times(nodes);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto chosen = choose_stopped(4, nodes, seed);
    ASSERT_EQ(chosen.size(), 4u);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_EQ(std::set<std::uint32_t>(chosen.begin(), chosen.end()).size(), 4u);
    for (const std::uint32_t t : chosen) ++times.at(t);
  }
  for (const unsigned n : times) EXPECT_NEAR(n, 250, 60) << "each as likely as any other";
  EXPECT_EQ(choose_stopped(nodes + 1, nodes, 1).size(), nodes);
}

TEST(stopped_traffic, goes_to_all_of_them_and_nowhere_else) {
  const auto sent = sent_to(hundred_messages<hotspot_pattern>(1.0, list{3, 7, 8}), 0);
  EXPECT_EQ(sent.size(), 100u);
  EXPECT_EQ(std::set<std::uint32_t>(sent.begin(), sent.end()), (std::set<std::uint32_t>{3, 7, 8}));
}

TEST(stopped_traffic, is_none_when_nobody_has_stopped) {
  EXPECT_TRUE(sent_to(hundred_messages<hotspot_pattern>(1.0, list{}), 0).empty());
}

TEST(slow_traffic, has_gaps_beyond_what_is_counted) {
  for (const double rate : {1e-25, 1e-300}) {
    const offered_load load{rate, 1};
    const std::shared_ptr<const injection> all[] = {std::make_shared<bernoulli_injection>(load),
                                                    std::make_shared<exponential_injection>(load),
                                                    std::make_shared<burst_injection>(load, 16)};
    for (const auto& when : all) {
      traffic_entry e = hundred_messages<uniform_pattern>();
      e.when = when;
      traffic_supply supply(std::make_shared<traffic_list>(1, e), 0, 5);
      unsigned sent = 0;
      for (std::uint64_t now = 0; now < 1000; ++now)
        for (; supply.due(now, 0) <= now; ++sent) supply.take(now);
      EXPECT_EQ(sent, 0u) << rate;
    }
  }
}

// A hot spot is told by its class only in locality traffic: another entry's target is not one to measure.
TEST(locality_traffic, marks_its_own_hot_messages_and_no_later_ones) {
  const auto local = [](double fraction, std::uint32_t cluster) {
    const std::vector<std::uint32_t> clusters(nodes / cluster, cluster);
    return hundred_messages_to(
        std::make_shared<locality_pattern>(locality_config{1, 1, 0, clusters, fraction, {3}}));
  };
  auto entries = std::make_shared<traffic_list>();
  entries->push_back(local(1, 1));
  entries->push_back(local(0, 4));
  entries->push_back(hundred_messages<uniform_pattern>());
  // The last message before an entry that makes no marks of its own is a hot one.
  entries->push_back(entries->front());
  entries->push_back(hundred_messages<hotspot_pattern>(1.0, list{3}));
  traffic_supply supply(entries, 0, 5);
  std::vector<int> classes;
  for (std::uint64_t now = 0; now < 2000; ++now)
    while (supply.due(now, 0) <= now) classes.push_back(supply.take(now).traffic_class);
  std::vector<int> expected(500, 0);
  for (const unsigned first : {0u, 300u}) std::fill_n(expected.begin() + first, 100, int{hot_message});
  EXPECT_EQ(classes, expected);
}

// Of a cluster's terminals each gets its share of what is local, all others theirs of the rest, whatever
// sizes there are.
TEST(locality_traffic, knows_clusters_of_several_sizes) {
  const list sizes{8, 1, 3, 4};
  const double local = 0.5;
  const unsigned messages = 20000;
  const locality_pattern where({1, 1, local, sizes, 0, {}});
  for (std::uint32_t begin = 0, c = 0; c < sizes.size(); begin += sizes[c++])
    for (std::uint32_t sender = begin; sender < begin + sizes[c]; ++sender) {
      random_stream random(sender + 1);
      std::vector<double> times(nodes);
      for (unsigned i = 0; i < messages; ++i) {
        packet_order order;
        where.address(order, sender, i, random);
        times.at(order.destination) += 1;
      }
      for (std::uint32_t t = 0; t < nodes; ++t) {
        const bool own = t >= begin && t < begin + sizes[c];
        const double share = own ? local / sizes[c] : (1 - local) / (nodes - sizes[c]);
        EXPECT_NEAR(times[t], messages * share, 6 * std::sqrt(messages * share)) << sender << " to " << t;
      }
    }
}

TEST(spared_terminals, get_no_uniform_traffic) {
  std::vector<bool> spared(nodes);
  spared[3] = spared[7] = true;
  for (const traffic_entry& e :
       {hundred_messages<uniform_pattern>(false, spared),
        hundred_messages<hotspot_pattern>(0.0, list{}, std::vector<bool>(), spared)}) {
    const auto sent = sent_to(e, 0);
    EXPECT_EQ(sent.size(), 100u);
    EXPECT_EQ(std::count(sent.begin(), sent.end(), 3) + std::count(sent.begin(), sent.end(), 7), 0);
  }
}

}  // namespace
