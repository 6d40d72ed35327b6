// What the paper says of delivery rounds, on the running network: collisions of two messages, all to one, the
// fit.
#include <gtest/gtest.h>

#include <cmath>
#include <spillway/tb/circuit/fat_tree.hpp>
#include <spillway/tb/traffic/injections/batch.hpp>
#include <spillway/tb/traffic/injections/saturated.hpp>
#include <spillway/tb/traffic/patterns/all_to_one.hpp>
#include <spillway/tb/traffic/patterns/bit_complement.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <spillway/tlm/circuit/circuit_transactions.hpp>
#include <support/terminals.hpp>

using namespace spillway;
using spillway::testing_support::first_terminals;

namespace {

class ignorant final : public endpoint_observer {
public:
  void created(std::uint64_t, const flit&) override { ++created_; }
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override { ++delivered_; }
  std::uint64_t created_ = 0, delivered_ = 0;
};

/// Runs batches to their end; what the network counted.
counters run_rounds(unsigned height, retry strategy, traffic_entry entry, std::uint64_t seed,
                    unsigned length = 1) {
  circuit_network_config config;
  config.shape.height = height;
  config.policy.strategy = strategy;
  config.policy.unit = config.policy.window = config.shape.diameter_cycles();
  config.seed = config.policy.seed = seed;
  entry.lengths = static_cast<std::uint16_t>(length);
  const auto list = std::make_shared<traffic_list>(1, entry);
  std::vector<std::unique_ptr<packet_supply>> supplies;
  for (std::uint32_t t = 0; t < config.shape.terminals(); ++t)
    supplies.push_back(std::make_unique<traffic_supply>(list, t, seed));
  ignorant observer;
  circuit_transactions network(config, std::move(supplies), observer);
  while (network.next() != circuit_transactions::never) network.step(network.next());
  EXPECT_EQ(observer.delivered_, observer.created_ * length);
  EXPECT_EQ(network.held_flits(), 0u);
  counters all;
  network.count(all);
  EXPECT_EQ(all.at("circuit.collisions_up"), 0);
  EXPECT_EQ(all.at("circuit.acknowledged"), static_cast<double>(observer.created_));
  EXPECT_EQ(all.at("circuit.transmissions"), all.at("circuit.acknowledged") + all.at("circuit.rejected"));
  EXPECT_EQ(all.at("circuit.collisions"), all.at("circuit.rejected"));
  return all;
}

double two_message_collisions(unsigned height, retry strategy, std::uint32_t trials, unsigned length = 1) {
  const auto plan = std::make_shared<batch_plan>(first_terminals(1u << height), 2, trials, 11);
  const traffic_entry e{std::make_shared<uniform_pattern>(1u << height),
                        std::make_shared<batch_injection>(trials, 400, plan)};
  return run_rounds(height, strategy, e, 11, length).at("circuit.collisions") / trials;
}

class of_height : public testing::TestWithParam<unsigned> {};

TEST_P(of_height, two_messages_collide_as_often_as_lemma_1_says_when_circuits_are_held) {
  const std::uint32_t trials = 40000;
  const double p = theory::pr_c2(std::uint64_t{1} << GetParam());
  EXPECT_NEAR(two_message_collisions(GetParam(), retry::held_rounds, trials), p,
              3 * std::sqrt(p * (1 - p) / trials));
}

// Messages as long as the longest path overlap all the way, so that an acknowledgement releases nothing in
// time.
TEST_P(of_height, long_messages_collide_as_often_without_holding) {
  const std::uint32_t trials = 20000;
  const double p = theory::pr_c2(std::uint64_t{1} << GetParam());
  EXPECT_NEAR(two_message_collisions(GetParam(), retry::rounds, trials, 64), p,
              3 * std::sqrt(p * (1 - p) / trials));
}

TEST_P(of_height, heads_alone_collide_less_often_than_lemma_1_says) {
  EXPECT_LT(two_message_collisions(GetParam(), retry::rounds, 40000),
            0.9 * theory::pr_c2(std::uint64_t{1} << GetParam()));
}

INSTANTIATE_TEST_SUITE_P(circuits, of_height, testing::Values(2u, 3u, 4u, 6u, 8u));

TEST(circuit_rounds, all_to_one_delivers_one_message_a_round_where_they_overlap) {
  const traffic_entry e{std::make_shared<all_to_one_pattern>(128, 1), std::make_shared<batch_injection>()};
  EXPECT_EQ(run_rounds(7, retry::held_rounds, e, 3).at("circuit.rounds"), 127);
  EXPECT_EQ(run_rounds(7, retry::rounds, e, 3, 64).at("circuit.rounds"), 127);
  // A head alone is acknowledged before those from further away arrive.
  EXPECT_LT(run_rounds(7, retry::rounds, e, 3).at("circuit.rounds"), 127);
}

TEST(circuit_rounds, follow_the_fit_of_the_paper) {
  constexpr unsigned trials = 20;
  for (const unsigned height : {6u, 10u}) {
    const double n = std::exp2(height);
    const traffic_entry e{std::make_shared<uniform_pattern>(1u << height),
                          std::make_shared<batch_injection>(trials, 5000)};
    const double rounds = run_rounds(height, retry::rounds, e, 2).at("circuit.rounds") / trials;
    EXPECT_NEAR(rounds, theory::rounds_fit(n, n), 1.3);
    EXPECT_LT(rounds, height);
  }
}

TEST(circuit_transactions, lose_what_they_hold_once_in_a_reset_and_go_on) {
  for (const retry strategy : {retry::immediate, retry::rounds, retry::held_rounds}) {
    circuit_network_config config;
    config.shape.height = 3;
    config.policy.strategy = strategy;
    config.policy.unit = config.policy.window = config.shape.diameter_cycles();
    const auto list = std::make_shared<traffic_list>(
        1, traffic_entry{std::make_shared<uniform_pattern>(8), std::make_shared<saturated_injection>(), 3});
    std::vector<std::unique_ptr<packet_supply>> supplies;
    for (std::uint32_t t = 0; t < 8; ++t) supplies.push_back(std::make_unique<traffic_supply>(list, t, 1));
    ignorant observer;
    circuit_transactions network(config, std::move(supplies), observer);
    std::uint64_t lost = 0;
    for (const std::uint64_t cycle : {200u, 400u, 600u}) {
      const std::uint64_t before = observer.delivered_;
      while (network.next() < cycle) network.step(network.next());
      EXPECT_GT(observer.delivered_, before + 50);
      ASSERT_GT(network.held_flits(), 8u);
      lost += network.held_flits();
      network.reset(cycle);
      EXPECT_EQ(network.lost_in_reset(), lost);
      EXPECT_EQ(network.held_flits(), 0u);
    }
  }
}

TEST(circuit_rounds, one_message_over_the_diameter_takes_its_time) {
  const traffic_entry e{
      std::make_shared<bit_complement_pattern>(256),
      std::make_shared<batch_injection>(1, 1, std::make_shared<batch_plan>(first_terminals(256), 1, 1, 4))};
  const counters all = run_rounds(8, retry::immediate, e, 1);
  EXPECT_EQ(all.at("circuit.last_release") - all.at("circuit.first_request"),
            static_cast<double>(fat_tree{8}.diameter_cycles()));
}

}  // namespace
