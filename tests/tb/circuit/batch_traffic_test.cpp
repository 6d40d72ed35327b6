#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <spillway/tb/traffic/injections/batch.hpp>
#include <spillway/tb/traffic/patterns/all_to_one.hpp>
#include <spillway/tb/traffic/patterns/bit_complement.hpp>
#include <spillway/tb/traffic/patterns/shift.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <support/terminals.hpp>

using namespace spillway;
using spillway::testing_support::first_terminals;

namespace {

using sent = std::pair<std::uint64_t, std::uint32_t>;  // cycle, destination

std::vector<sent> played(const std::shared_ptr<const traffic_list>& list, std::uint32_t terminal,
                         std::uint64_t cycles) {
  traffic_supply supply(list, terminal, 5);
  std::vector<sent> all;
  for (std::uint64_t now = 0; now < cycles; ++now)
    while (supply.due(now, 0) <= now) all.emplace_back(now, supply.take(now).destination);
  EXPECT_TRUE(supply.exhausted());
  return all;
}

TEST(batch_plan, senders_of_a_batch_are_distinct_and_equally_likely) {
  constexpr std::uint32_t terminals = 10, senders = 3, batches = 6000;
  const batch_plan plan(first_terminals(terminals), senders, batches, 9);
  std::map<std::uint32_t, std::set<std::uint32_t>> by_batch;
  for (std::uint32_t t = 0; t < terminals; ++t) {
    EXPECT_NEAR(plan.count(t), batches * 0.3, 4 * std::sqrt(batches * 0.3 * 0.7));
    for (std::uint64_t i = 0; i < plan.count(t); ++i) {
      EXPECT_TRUE(i == 0 || plan.batch(t, i - 1) < plan.batch(t, i));
      by_batch[plan.batch(t, i)].insert(t);
    }
  }
  ASSERT_EQ(by_batch.size(), batches);
  for (const auto& [batch, chosen] : by_batch) EXPECT_EQ(chosen.size(), senders);
}

TEST(batch_traffic, all_terminals_send_at_the_start_of_every_batch) {
  const auto list = std::make_shared<traffic_list>(
      1, traffic_entry{std::make_shared<uniform_pattern>(8), std::make_shared<batch_injection>(3, 40)});
  for (std::uint32_t t = 0; t < 8; ++t) {
    const std::vector<sent> all = played(list, t, 200);
    ASSERT_EQ(all.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_EQ(all[i].first, 40u * i);
      EXPECT_NE(all[i].second, t);
    }
  }
}

TEST(batch_traffic, those_that_are_chosen_send_and_then_the_next_entry_follows) {
  const auto plan = std::make_shared<batch_plan>(first_terminals(16), 4, 50, 1);
  const auto list = std::make_shared<traffic_list>(traffic_list{
      {std::make_shared<bit_complement_pattern>(16), std::make_shared<batch_injection>(50, 7, plan)},
      {std::make_shared<shift_pattern>(16, 1), std::make_shared<batch_injection>()}});
  std::map<std::uint64_t, unsigned> at;
  for (std::uint32_t t = 0; t < 16; ++t) {
    const std::vector<sent> all = played(list, t, 1000);
    ASSERT_EQ(all.size(), plan->count(t) + 1);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      EXPECT_EQ(all[i].second, 15 - t);
      EXPECT_EQ(all[i].first % 7, 0u);
      ++at[all[i].first];
    }
    EXPECT_EQ(all.back().second, (t + 1) % 16);
  }
  EXPECT_EQ(at.size(), 50u);
  for (const auto& [cycle, senders] : at) EXPECT_EQ(senders, 4u);
}

TEST(batch_traffic, all_to_one_leaves_the_target_silent) {
  const auto list = std::make_shared<traffic_list>(
      1, traffic_entry{std::make_shared<all_to_one_pattern>(8, 3), std::make_shared<batch_injection>()});
  for (std::uint32_t t = 0; t < 8; ++t)
    EXPECT_EQ(played(list, t, 10), t == 3 ? std::vector<sent>{} : (std::vector<sent>{{0, 3}}));
}

}  // namespace
