#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <spillway/tb/circuit/fat_tree.hpp>
#include <spillway/tb/theory/occupancy.hpp>
#include <spillway/tb/theory/theory.hpp>

#include "support/theory_errors.hpp"
#include "support/theory_results.hpp"

using namespace spillway::theory;

namespace {

unsigned level_of_turn(unsigned source, unsigned destination) {
  unsigned level = 0;
  while ((source >> (level + 1)) != (destination >> (level + 1))) ++level;
  return level;
}

/// Do two messages collide? `up` are their choices, bit l the one at level l; at a router that both leave
/// upwards the second takes the port that is left. Router r of level l leads to router r or r + 2^l above it.
bool collide(unsigned s1, unsigned d1, unsigned up1, unsigned s2, unsigned d2, unsigned up2) {
  const unsigned t1 = level_of_turn(s1, d1), t2 = level_of_turn(s2, d2);
  unsigned r1 = 0, r2 = 0;
  for (unsigned l = 0; l < std::max(t1, t2); ++l) {
    const bool same = l < t1 && l < t2 && (s1 >> (l + 1)) == (s2 >> (l + 1)) && r1 == r2;
    const unsigned c1 = (up1 >> l) & 1, c2 = same ? 1 - c1 : (up2 >> l) & 1;
    if (l < t1) r1 += c1 << l;
    if (l < t2) r2 += c2 << l;
  }
  for (unsigned v = 0; v <= std::min(t1, t2); ++v) {
    const unsigned mask = (1U << v) - 1;
    if ((d1 >> v) == (d2 >> v) && (r1 & mask) == (r2 & mask)) return true;
  }
  return false;
}

/// Pr[C2] over all sources, destinations and choices.
double pr_c2_by_enumeration(unsigned n) {
  const unsigned choices = n / 2;
  double collisions = 0, cases = 0;
  for (unsigned s2 = 1; s2 < n; ++s2) {
    for (unsigned d1 = 1; d1 < n; ++d1) {
      for (unsigned d2 = 0; d2 < n; ++d2) {
        if (d2 == s2) continue;
        for (unsigned up1 = 0; up1 < choices; ++up1) {
          for (unsigned up2 = 0; up2 < choices; ++up2) {
            collisions += collide(0, d1, up1, s2, d2, up2) ? 1 : 0;
            ++cases;
          }
        }
      }
    }
  }
  return collisions / cases;
}

/// Mean rounds of Model I from the occupancy distribution: R(m) = 1 + sum_x Pr[X = x] R(m - x).
double model_1_mean(std::uint32_t b, std::uint32_t m) {
  std::vector<double> rounds(m + 1, 0.0);
  for (std::uint32_t left = 1; left <= m; ++left) {
    const auto delivered = occupancy(b, left);
    rounds[left] = 1;
    for (std::size_t x = 1; x < delivered.size(); ++x) rounds[left] += delivered[x] * rounds[left - x];
  }
  return rounds[m];
}

template <class Game>
sample play(unsigned trials, std::uint32_t seed, const Game& game) {
  random_engine engine(seed);
  sample rounds;
  for (unsigned t = 0; t < trials; ++t) rounds.add(game(engine));
  return rounds;
}

}  // namespace

TEST(collision, closed_form_equals_triple_sum) {
  for (std::uint64_t n = 2; n <= 1U << 20; n *= 2)
    EXPECT_NEAR(pr_c2(n), pr_c2_sum(n), 1e-12 + 1e-9 * pr_c2_sum(n)) << n;
}

TEST(collision, values) {
  EXPECT_NEAR(pr_c2(2), 0, 1e-12);
  EXPECT_NEAR(pr_c2(4), .22222, 5e-6);
  EXPECT_NEAR(pr_c2(8), .15743, 5e-6);
  EXPECT_NEAR(pr_c2(16), .10133, 5e-6);
  EXPECT_NEAR(pr_c2(64), .03822, 5e-6);
  EXPECT_NEAR(pr_c2(256), .01317, 5e-6);
  EXPECT_NEAR(pr_c2(1024), .00424, 5e-6);
  EXPECT_NEAR(pr_c2(4096), .00130, 5e-6);
}

TEST(collision, every_case_of_the_network_counted) {
  for (const unsigned n : {2U, 4U, 8U, 16U, 32U}) EXPECT_NEAR(pr_c2_by_enumeration(n), pr_c2(n), 1e-12) << n;
}

TEST(collision, bounds_hold_from_four_nodes) {
  EXPECT_GT(pr_c2_lower(2), pr_c2(2));  // the paper has them for n > 0
  for (std::uint64_t n = 4; n <= 1U << 30; n *= 2) {
    EXPECT_LE(pr_c2_lower(n), pr_c2(n)) << n;
    EXPECT_GE(pr_c2_upper(n), pr_c2(n)) << n;
    EXPECT_LE(model_1_bins(n), 1 / pr_c2(n) + 0.5) << n;
  }
  EXPECT_EQ(model_1_bins(64), 21U);
  EXPECT_EQ(model_2_bins(64), 26U);
}

TEST(rounds, model_1_has_its_exact_mean) {
  for (const auto& [b, m] : {std::pair{8U, 16U}, {21U, 64U}, {21U, 5U}, {1U, 7U}}) {
    const auto rounds = play(20000, 5, [b = b, m = m](auto& engine) { return model_1_rounds(engine, b, m); });
    EXPECT_NEAR(rounds.mean(), model_1_mean(b, m), 4 * rounds.error() + 1e-12) << b << ' ' << m;
  }
}

TEST(rounds, model_2_has_its_exact_mean_for_two_and_three) {
  const double n = 16, b = 10;
  // Two balls: two rounds when they share the destination or the first round's bin.
  const double mean_2 = 1 + 1 / n + (1 - 1 / n) / b;
  const auto two = play(40000, 5, [](auto& engine) { return model_2_rounds(engine, 16, 10, 2); });
  EXPECT_NEAR(two.mean(), mean_2, 4 * two.error());
  // Three: all to one destination, 3; two to one, where the first round leaves either two balls of one
  // destination (sure to take two more) or two of different ones; all different, where it leaves 0, 1 or 2 of
  // different ones.
  const double apart = 1 + 1 / b;  // rounds of two balls with different destinations
  const double pair = (1 - 1 / b) * 2 + 1 / b * (1 + 2.0 / 3 * apart + 1.0 / 3 * 2);
  const double different = 1 + 3 * (1 / b) * (1 - 1 / b) + apart / (b * b);
  const double mean_3 =
      1 / (n * n) * 3 + 3 * (1 / n) * (1 - 1 / n) * pair + (1 - 1 / n) * (1 - 2 / n) * different;
  const auto three = play(40000, 6, [](auto& engine) { return model_2_rounds(engine, 16, 10, 3); });
  EXPECT_NEAR(three.mean(), mean_3, 4 * three.error());
}

TEST(rounds, model_2_follows_the_fullest_destination) {
  // One destination: a ball a round.
  random_engine engine(1);
  EXPECT_EQ(model_2_rounds(engine, 1, 30, 9), 9U);
}

TEST(rounds, ratio_of_the_models_is_about_constant) {
  for (const unsigned n : {16U, 64U, 256U, 1024U, 4096U}) {
    for (const unsigned m : {n / 8, n}) {
      const auto one = play(200, 9, [&](auto& e) { return model_1_rounds(e, model_1_bins(n), m); });
      const auto two = play(200, 10, [&](auto& e) { return model_2_rounds(e, n, model_2_bins(n), m); });
      EXPECT_GE(one.mean() / two.mean(), 0.8) << n << ' ' << m;
      EXPECT_LE(one.mean() / two.mean(), 1.05) << n << ' ' << m;
    }
  }
}

TEST(rounds, expected_delivery_is_the_mean_occupancy) {
  double mean = 0;
  const auto delivered = occupancy(21, 40);
  for (std::size_t x = 0; x < delivered.size(); ++x) mean += static_cast<double>(x) * delivered[x];
  EXPECT_NEAR(expected_delivered(21, 40), mean, 1e-10);
  EXPECT_EQ(expected_delivered(1, 40), 1);
}

// By hand for n = 64: b = 64/3 bins, S = (3 - 1) / (1 - 2/e) = 7.5689; ln(1/200) = -5.2983.
TEST(theorem_1, bounds_the_rounds_of_model_1) {
  EXPECT_NEAR(phase_1_successes(64, 64), 7.5689, 1e-4);
  EXPECT_EQ(phase_1_successes(64, 21), 0);
  EXPECT_NEAR(rounds_bound(64, 21, 0.01), (2 * std::log2(21) + 4 * 5.298317) / 0.264241, 1e-3);
  EXPECT_NEAR(rounds_bound(64, 64, 0.01),
              2 * (2 * 7.5689 + 4 * 5.298317) + (2 * std::log2(64 / 3.0) + 4 * 5.298317) / 0.264241, 1e-2);
  EXPECT_EQ(phase_1_observed(64, 64), 3);
  random_engine engine(7);
  for (const std::uint32_t m : {1u, 8u, 64u, 512u, 4096u}) {
    sample rounds;
    for (unsigned trial = 0; trial < 100; ++trial) rounds.add(model_1_rounds(engine, model_1_bins(4096), m));
    EXPECT_LE(rounds.most(), rounds_bound(4096, m, 0.01)) << m;
  }
  // A Chernoff bound is generous, and tighter for a bound that may fail more often.
  EXPECT_GT(rounds_bound(4096, 4096, 0.01), 10 * rounds_fit(4096, 4096));
  EXPECT_LT(rounds_bound(4096, 4096, 0.5), rounds_bound(4096, 4096, 0.01));
}

TEST(rounds, fit) {
  EXPECT_NEAR(rounds_fit(64, 64), 0.6 + 3 + 1, 1e-12);
  for (const unsigned m : {8U, 16U, 32U, 64U}) {
    const auto one = play(500, 12, [&](auto& e) { return model_1_rounds(e, 21, m); });
    EXPECT_NEAR(one.mean(), rounds_fit(64, m), 0.6) << m;
  }
}

TEST(fat_tree_models, results_by_name) {
  const auto collision = evaluate_theory("collision", {"n=64"});
  EXPECT_NEAR(collision.at("pr_c2"), .03822, 5e-6);
  EXPECT_EQ(collision.at("pr_c2_sum"), pr_c2_sum(64));
  EXPECT_EQ(collision.at("lower"), pr_c2_lower(64));
  EXPECT_EQ(collision.at("upper"), pr_c2_upper(64));
  EXPECT_EQ(collision.at("bins"), 21);
  EXPECT_EQ(collision.at("bins_model_2"), 26);
  EXPECT_TRUE(evaluate_theory("collision", {"n=2"}).at("bins_model_2").is_null());
  EXPECT_EQ(evaluate_theory("rounds", {"n=1024", "m=8"}).at("lg_m"), 3);
}

TEST(fat_tree_models, rounds_are_those_of_the_game_and_its_bounds) {
  const std::uint32_t n = 64, m = 40;
  for (const bool first : {true, false}) {
    const std::uint32_t b = first ? model_1_bins(n) : model_2_bins(n);
    const sample played = play(40, 5, [&](auto& engine) {
      return first ? model_1_rounds(engine, b, m) : model_2_rounds(engine, n, b, m);
    });
    EXPECT_LT(played.least(), played.most());
    const nlohmann::json expected{
        {"mean", played.mean()},
        {"min", played.least()},
        {"max", played.most()},
        {"error", played.error()},
        {"lg_m", std::log2(m)},
        {"fit", rounds_fit(n, m)},
        {"bound", rounds_bound(n, m, 0.25)},
        {"phase_1_successes", phase_1_successes(n, m)},
        {"phase_1_observed", phase_1_observed(n, m)},
        {"bins", b},
        {"delivered_first_round", first ? nlohmann::json(expected_delivered(b, m)) : nlohmann::json()}};
    EXPECT_EQ(found_by("rounds", {"n=64", "m=40", first ? "model=I" : "model=II", "trials=40", "epsilon=0.25",
                                  "seed=5"}),
              expected);
  }
}

TEST(fat_tree_models, a_large_game_is_fast) {
  const auto result = evaluate_theory("rounds", {"n=1048576", "m=1048576", "trials=3", "model=II"});
  EXPECT_GT(result.at("mean"), 8);
}

TEST(fat_tree_models, numbers_of_nodes_and_messages) {
  EXPECT_THAT(error_of("rounds", {"n=48"}), testing::HasSubstr("power of two"));
  EXPECT_THAT(error_of("rounds", {"n=32"}), testing::HasSubstr("at most n=32"));
}
