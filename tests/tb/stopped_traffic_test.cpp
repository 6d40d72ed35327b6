// Traffic about terminals that have stopped: which ones, to them only, and to all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <spillway/tb/traffic/traffic.hpp>

using namespace spillway;

namespace {

constexpr std::uint32_t terminals = 16;

std::vector<std::uint32_t> destinations(const traffic_entry& e, std::uint32_t terminal) {
  traffic_supply supply(std::make_shared<std::vector<traffic_entry>>(1, e), terminal, terminals, 1, 5);
  std::vector<std::uint32_t> all;
  for (std::uint64_t now = 0; now < 2000; ++now)
    while (supply.due(now, 0) <= now) all.push_back(supply.take(now).destination);
  EXPECT_TRUE(supply.exhausted());
  return all;
}

traffic_entry hundred_messages(pattern where) {
  traffic_entry e;
  e.where = where;
  e.when = injection::saturated;
  e.messages = 100;
  return e;
}

TEST(choose_stopped, gives_as_many_different_terminals_as_asked_for) {
  std::vector<unsigned> times(terminals);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto chosen = choose_stopped(4, terminals, seed);
    ASSERT_EQ(chosen.size(), 4u);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_EQ(std::set<std::uint32_t>(chosen.begin(), chosen.end()).size(), 4u);
    for (const std::uint32_t t : chosen) ++times.at(t);
  }
  for (const unsigned n : times) EXPECT_NEAR(n, 250, 60) << "each as likely as any other";
  EXPECT_EQ(choose_stopped(terminals + 1, terminals, 1).size(), terminals);
}

TEST(stopped_traffic, goes_to_all_of_them_and_nowhere_else) {
  traffic_entry e = hundred_messages(pattern::hotspot);
  e.fraction = 1;
  e.targets = {3, 7, 8};
  const auto sent = destinations(e, 0);
  EXPECT_EQ(sent.size(), 100u);
  EXPECT_EQ(std::set<std::uint32_t>(sent.begin(), sent.end()), (std::set<std::uint32_t>{3, 7, 8}));
}

TEST(stopped_traffic, is_none_when_nobody_has_stopped) {
  traffic_entry e = hundred_messages(pattern::hotspot);
  e.fraction = 1;
  EXPECT_TRUE(destinations(e, 0).empty());
}

TEST(spared_terminals, get_no_uniform_traffic) {
  for (const pattern where : {pattern::uniform, pattern::hotspot}) {
    traffic_entry e = hundred_messages(where);
    e.spared.assign(terminals, false);
    e.spared[3] = e.spared[7] = true;
    const auto sent = destinations(e, 0);
    EXPECT_EQ(sent.size(), 100u);
    EXPECT_EQ(std::count(sent.begin(), sent.end(), 3) + std::count(sent.begin(), sent.end(), 7), 0);
  }
}

}  // namespace
