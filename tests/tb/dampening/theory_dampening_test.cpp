#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <spillway/hw/dampening/perfect_family.hpp>
#include <spillway/tb/dampening/blocking.hpp>
#include <spillway/tb/dampening/dampening.hpp>
#include <spillway/tb/dampening/hash_family.hpp>
#include <spillway/tb/dampening/sequential_butterfly.hpp>
#include <spillway/tb/dampening/thread_cache.hpp>
#include <spillway/tb/theory/crossbar.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <spillway/tb/theory/theory.hpp>

#include "support/theory_errors.hpp"
#include "support/theory_results.hpp"

using namespace spillway;
using namespace spillway::theory;

namespace {

/// g, beta and f of a small switch by going through every choice of the hotspots' jk entries.
struct enumerated {
  double g = 0, beta = 0, f = 0;
};
enumerated enumerate(const blocking_parameters& p) {
  enumerated sum;
  const auto throws = p.j * p.k;
  std::uint64_t cases = 1;
  for (std::uint32_t i = 0; i < throws; ++i) cases *= p.B;
  for (std::uint64_t code = 0; code < cases; ++code) {
    std::set<std::uint64_t> occupied;
    std::uint64_t rest = code;
    for (std::uint32_t i = 0; i < throws; ++i, rest /= p.B) occupied.insert(rest % p.B);
    const double blocked_here = std::pow(static_cast<double>(occupied.size()) / p.B, p.j);
    sum.g += static_cast<double>(p.B) - static_cast<double>(occupied.size());
    sum.beta += blocked_here;
    sum.f += std::pow(1 - blocked_here, p.P - p.k);
  }
  const auto n = static_cast<double>(cases);
  return {sum.g / n, sum.beta / n, sum.f / n};
}

/// is_k_perfect by going through every choice of k hotspots.
bool is_k_perfect_by_choices(const buffer_sets& sets, std::uint32_t k) {
  std::vector<std::uint32_t> hot;
  std::function<bool(std::uint32_t)> all_choices = [&](std::uint32_t from) {
    if (hot.size() == k) {
      std::set<std::uint32_t> full, is_hot(hot.begin(), hot.end());
      for (const auto p : hot) full.insert(sets[p].begin(), sets[p].end());
      for (std::uint32_t p = 0; p < sets.size(); ++p) {
        if (is_hot.count(p) > 0) continue;
        bool blocked_here = true;
        for (const auto b : sets[p]) blocked_here = blocked_here && full.count(b) > 0;
        if (blocked_here) return false;
      }
      return true;
    }
    for (std::uint32_t p = from; p < sets.size(); ++p) {
      hot.push_back(p);
      const bool good = all_choices(p + 1);
      hot.pop_back();
      if (!good) return false;
    }
    return true;
  };
  return all_choices(0);
}

buffer_sets random_sets(std::uint32_t P, std::uint32_t B, std::uint32_t j, std::uint32_t seed) {
  random_engine engine(seed);
  buffer_sets sets(P);
  for (auto& set : sets) {
    for (std::uint32_t i = 0; i < j; ++i) set.push_back(below(engine, B));
  }
  return sets;
}

}  // namespace

TEST(blocking, exact_values_equal_enumeration) {
  for (const auto& p :
       {blocking_parameters{5, 2, 3, 9}, blocking_parameters{3, 3, 2, 4}, blocking_parameters{7, 1, 4, 30},
        blocking_parameters{1, 2, 1, 3}, blocking_parameters{4, 2, 0, 3}}) {
    const auto expected = enumerate(p);
    EXPECT_NEAR(free_buffers(p), expected.g, 1e-12);
    EXPECT_NEAR(blocked_exact(p), expected.beta, 1e-12);
    EXPECT_NEAR(none_blocked_exact(p), expected.f, 1e-12);
  }
}

TEST(blocking, simulation_agrees_with_the_exact_values) {
  const blocking_parameters p{32, 3, 6, 100};
  const auto mc = simulate_blocking(p, 20000, 7);
  EXPECT_NEAR(mc.g, free_buffers(p), 4 * mc.g_error);
  EXPECT_NEAR(mc.beta, blocked_exact(p), 4 * mc.beta_error);
  EXPECT_NEAR(mc.f, none_blocked_exact(p), 4 * mc.f_error);
  EXPECT_LT(mc.beta_error, 0.01 * mc.beta);
}

TEST(blocking, the_papers_beta_is_too_small) {
  // Jensen: (E X/B)^j < E[(X/B)^j]; the simulation can tell the two apart here.
  const blocking_parameters p{8, 4, 2, 100};
  const auto mc = simulate_blocking(p, 20000, 3);
  EXPECT_LT(blocked(p), 0.9 * blocked_exact(p));
  EXPECT_GT(mc.beta - blocked(p), 10 * mc.beta_error);
}

TEST(blocking, f_counts_P_minus_k_coolspots) {
  const blocking_parameters p{64, 4, 8, 1000};
  EXPECT_NEAR(none_blocked(p), std::pow(1 - blocked(p), 992), 1e-9);
  EXPECT_NEAR(none_blocked_as_printed(p), std::pow(1 - blocked(p), 968), 1e-9);
  EXPECT_TRUE(std::isnan(none_blocked_as_printed({64, 200, 8, 1000})));
}

TEST(blocking, approximations_approach_the_formulas) {
  for (const std::uint32_t B : {100U, 1000U, 10000U}) {
    const blocking_parameters p{B, 4, B / 10, 1000};
    EXPECT_NEAR(free_buffers_approximation(p) / free_buffers(p), 1, 1.0 / B);
    EXPECT_NEAR(blocked_approximation(p) / blocked(p), 1, 5.0 / B);
  }
}

TEST(dampening, theorem_1_leaves_one_buffer) {
  const double k = one_free_buffer_hotspots_exact(1000, 10);
  EXPECT_NEAR(dampening_target(1000, 10, k), 1, 1e-9);
  EXPECT_NEAR(one_free_buffer_hotspots(1000, 10) / k, 1, 0.01);
  EXPECT_NEAR(one_free_buffer_hotspots(1000, 10), 690.776, 1e-3);
}

TEST(dampening, best_j_has_the_least_beta) {
  const double B = 1000, k = 50, j = best_j(B, k);
  const auto beta = [&](double x) { return std::pow(1 - std::exp(-x * k / B), x); };
  EXPECT_LT(beta(j), beta(j * 0.99));
  EXPECT_LT(beta(j), beta(j * 1.01));
  EXPECT_NEAR(beta_at_best_j(j), beta(j), 1e-12);
}

TEST(dampening, theorems_5_and_7_hold_for_the_approximate_beta) {
  const double B = 10000, j = 100;
  for (const double t : {0.0, 0.5, 1.0, 2.0}) {
    const double beta = std::pow(1 - std::exp(-j * theorem_5_hotspots(B, j, t) / B), j);
    EXPECT_LT(beta, theorem_5_bound(t));
    EXPECT_GT(beta, 0.5 * theorem_5_bound(t));  // the bound is not idle
  }
  EXPECT_TRUE(std::isnan(theorem_5_hotspots(B, j, -0.5)));
  EXPECT_TRUE(std::isnan(theorem_5_hotspots(B, j, 5)));
  const double s = 200, j7 = theorem_7_j(s);
  EXPECT_NEAR(std::pow(1 - std::exp(-j7 * theorem_7_hotspots(B, s) / B), j7), 1 / s, 1e-12);
}

TEST(dampening, theorem_9_solves_lemma_8) {
  const double B = 512, P = 1000, s = 50;
  const double k = theorem_9_hotspots(B, P, s);
  EXPECT_NEAR(lemma_8_f(P, k, best_j(B, k)), std::exp(-1 / s), 1e-9);
  const double printed = theorem_9_hotspots_as_printed(B, P, s);
  EXPECT_NEAR(lemma_8_f_as_printed(P, B, best_j(B, printed)), std::exp(-1 / s), 1e-9);
  EXPECT_GT(printed, k);  // it counts too few coolspots
  EXPECT_TRUE(std::isnan(theorem_9_hotspots_as_printed(4096, 1000, s)));
}

TEST(dampening, theorem_9_against_the_simulation) {
  // B = 256, k = 12: s from the theorem, f from drawn functions with the nearest whole j.
  const blocking_parameters p{256, 15, 12, 500};
  const auto mc = simulate_blocking(p, 4000, 11);
  EXPECT_NEAR(mc.f, lemma_8_f(500, 12, best_j(256, 12)), 0.01);
}

TEST(dampening, theorem_10_solves_its_equation) {
  const double B = 4096, P = 1000, t = 2, k = theorem_10_hotspots(B, P, t);
  EXPECT_NEAR(k * (k + t + 1), B * std::pow(std::log(2), 2) / std::log(P), 1e-9);
  EXPECT_GT(k, 0);
}

TEST(dampening, theorem_10_for_drawn_functions) {
  // k = 2, t = 1 at P = 20: j = (B/k) ln 2. Fewer than one of 20 functions may fail to be 2-perfect.
  const double needed = 2 * 4 * std::log(20) / std::pow(std::log(2), 2);
  const auto B = static_cast<std::uint32_t>(std::ceil(needed));
  const auto j = static_cast<std::uint32_t>(std::lround(best_j(B, 2)));
  EXPECT_GE(theorem_10_hotspots(B, 20, 1), 2);
  int imperfect = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed)
    imperfect += is_k_perfect(random_sets(20, B, j, seed), 2) ? 0 : 1;
  EXPECT_LT(imperfect, 20);
}

TEST(dampening, sizes_for_unique_subsets) {
  EXPECT_EQ(unique_subset_buffers(6), 4U);
  EXPECT_EQ(unique_subset_buffers(7), 5U);
  EXPECT_EQ(unique_subset_buffers(128), 10U);
  EXPECT_EQ(unique_subset_buffers(1000), 13U);
  EXPECT_EQ(unique_subset_buffers(1024), 13U);
  EXPECT_EQ(unique_subset_buffers(4096), 15U);
  EXPECT_EQ(unique_subset_buffers(65536), 19U);
  EXPECT_EQ(unique_subset_buffers(1000000), 23U);
  for (std::uint64_t P = 2; P < 5000; ++P) {
    const std::uint32_t B = unique_subset_buffers(P);
    // Pascal's triangle beside the product
    std::vector<std::uint64_t> row{1};
    for (std::uint32_t n = 1; n <= B; ++n) {
      std::vector<std::uint64_t> next(n + 1, 1);
      for (std::uint32_t i = 1; i < n; ++i) next[i] = row[i - 1] + row[i];
      if (n == B - 1) {
        EXPECT_LT(next[n / 2], P);
      }
      row = next;
    }
    ASSERT_GE(row[B / 2], P);
    ASSERT_LE(B, unique_subset_buffers_bound(P)) << P;
  }
}

TEST(dampening, sizes_for_digits_and_random_subsets) {
  EXPECT_EQ(binary_digit_buffers(1), 1U);
  EXPECT_EQ(binary_digit_buffers(2), 2U);
  EXPECT_EQ(binary_digit_buffers(1000), 20U);
  EXPECT_EQ(binary_digit_buffers(1024), 20U);
  EXPECT_EQ(binary_digit_buffers(1025), 22U);
  // Theorem 2: C(B, B/2) >= 45/0.1 = 450 for 10 processors, so B = 11 (462) and not 10 (252).
  EXPECT_EQ(collision_free_buffers(10, 0.1), 11U);
}

TEST(hash_family, k_perfect_equals_all_choices) {
  int perfect = 0, cases = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    for (std::uint32_t k = 0; k <= 4; ++k) {
      const auto sets = random_sets(8, 12, 4, seed);
      const bool expected = is_k_perfect_by_choices(sets, k);
      EXPECT_EQ(is_k_perfect(sets, k), expected) << "seed " << seed << " k " << k;
      perfect += expected ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GT(perfect, cases / 10);
  EXPECT_LT(perfect, cases * 9 / 10);
}

TEST(hash_family, the_printed_family_shares_two_buffers) {
  EXPECT_EQ(pairs_sharing_two(perfect_family(8, 256, perfect_family_q_as_printed(8, 256))), 96U);
  EXPECT_GT(pairs_sharing_two(perfect_family(8, 64, perfect_family_q_as_printed(8, 64))), 0U);
  // The paper's condition lcm(q, q') > qj holds for these, and yet:
  EXPECT_GT(pairs_sharing_two(perfect_family(5, 45, {7, 8})), 0U);
  EXPECT_GT(pairs_sharing_two(perfect_family(16, 512, {19, 23})), 0U);
}

TEST(hash_family, the_corrected_family_shares_one) {
  for (const auto& [j, B] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {2, 16}, {4, 64}, {8, 64}, {5, 45}, {8, 256}, {16, 512}, {3, 81}, {1, 8}}) {
    const auto Q = perfect_family_q(j, B);
    const auto sets = perfect_family(j, B, Q);
    ASSERT_FALSE(Q.empty());
    EXPECT_EQ(sets.size(), Q.size() * (B / j));
    EXPECT_EQ(pairs_sharing_two(sets), 0U) << "j " << j << " B " << B;
    for (const auto& set : sets) EXPECT_EQ(std::set<std::uint32_t>(set.begin(), set.end()).size(), j);
    for (std::uint32_t q = 1; q <= B / j; ++q) {  // nothing can be added
      if (std::gcd(q, B) != 1 || std::count(Q.begin(), Q.end(), q) > 0) continue;
      auto larger = Q;
      larger.push_back(q);
      EXPECT_GT(pairs_sharing_two(perfect_family(j, B, larger)), 0U) << "j " << j << " B " << B << " q " << q;
    }
  }
}

TEST(hash_family, j_minus_1_hotspots_block_nobody) {
  const auto sets = perfect_family(4, 64, perfect_family_q(4, 64));
  EXPECT_GT(sets.size(), 64U);
  EXPECT_TRUE(is_k_perfect(sets, 3));
  EXPECT_FALSE(is_k_perfect(sets, 4));
  EXPECT_THROW(perfect_family_q(3, 64), std::invalid_argument);
}

TEST(dampening_models, results_by_name) {
  EXPECT_EQ(evaluate_theory("dampening-sizes", {"P=1000"}).at("unique_subset_B"), 13);
  const auto family = evaluate_theory("dampening-sizes", {"j=8", "B=256"}).at("family");
  EXPECT_EQ(family.at("pairs_sharing_two"), 0);
  EXPECT_EQ(family.at("pairs_sharing_two_as_printed"), 96);
  const auto blocking = evaluate_theory("blocking", {"P=200", "seed=3"});
  EXPECT_NEAR(blocking.at("beta_mc").get<double>(), blocking.at("beta_exact").get<double>(),
              5 * blocking.at("beta_mc_error").get<double>());
}

TEST(dampening, storage_and_what_oblivious_routing_needs) {
  for (const auto& [P, root] : std::map<std::uint64_t, std::uint32_t>{
           {1, 1}, {2, 2}, {4, 2}, {5, 3}, {64, 8}, {1000, 32}, {1024, 32}, {1025, 33}})
    EXPECT_EQ(square_root_buffers(P), root) << P;
  EXPECT_EQ(square_root_buffers(1000000000000), 1000000u);
  EXPECT_DOUBLE_EQ(oblivious_routing_bound(1024, 4), 4);
  EXPECT_LT(oblivious_routing_bound(1024, 2), square_root_buffers(1024));
  EXPECT_DOUBLE_EQ(storage_bytes(1e6, 10, 10240), 1.024e11);
}

TEST(dampening_models, more_hotspots_than_processors) {
  EXPECT_THAT(error_of("blocking", {"k=2000"}), testing::HasSubstr("at most P=1000"));
}

TEST(sequential_butterfly, is_a_crossbar_of_fifos_where_pools_have_one_buffer) {
  // A place that is filled in the cycle in which it is freed is the head of a saturated queue.
  const auto found = simulate_butterfly({1, 1, 1, report_delay::at_once}, 40, 1);
  EXPECT_NEAR(found.hashing, 2 * crossbar_throughput(2), 0.01);
  EXPECT_NEAR(found.counting, 2 * crossbar_throughput(2), 0.01);
}
TEST(sequential_butterfly, a_registered_report_halves_what_one_buffer_takes) {
  const auto found = simulate_butterfly({3, 1, 1, report_delay::registered}, 4, 1);
  EXPECT_LE(found.hashing, 4);
  EXPECT_GT(found.hashing, 2);
  const auto one = simulate_butterfly({3, 1, 1, report_delay::one_a_cycle}, 4, 1);
  EXPECT_EQ(found.hashing, one.hashing) << "of one buffer there is one report at most";
}
TEST(sequential_butterfly, counting_pays_for_every_delay_of_reports) {
  double last = 1;
  for (const auto reports : {report_delay::at_once, report_delay::registered, report_delay::one_a_cycle}) {
    const auto found = simulate_butterfly({5, 13, 6, reports}, 6, 2);
    EXPECT_GT(found.ratio, last + 2 * found.ratio_error);
    last = found.ratio;
  }
}

TEST(thread_cache, plain_lru_is_no_better_than_itself) {
  thread_cache_parameters p;
  p.cache = {64, 4, eviction_limit::none, 32, 1};
  p.rounds = 300;
  const auto found = simulate_thread_cache(p, 3, 1);
  EXPECT_EQ(found.others_hit, found.others_hit_plain);
  EXPECT_EQ(found.least_gain, 0);
}
TEST(thread_cache, hits_all_or_nothing_where_that_is_known) {
  thread_cache_parameters p;
  p.cache = {64, 2, eviction_limit::none, 32, 1};
  p.rounds = 300;
  p.pace = 64;  // a stream that fills the cache between two accesses of the other
  EXPECT_EQ(simulate_thread_cache(p, 2, 1).others_hit, 0);
  p.pace = 1;
  p.working_sets = 1.0 / 64;  // one line
  EXPECT_EQ(simulate_thread_cache(p, 2, 1).others_hit, 1);
  p.working_sets = 0.4;
  p.pace = 64;
  p.cache.limit = eviction_limit::assigned;
  const auto limited = simulate_thread_cache(p, 2, 1);
  EXPECT_EQ(limited.others_hit, 1);
  EXPECT_EQ(limited.least_gain, 1);
  EXPECT_NEAR(limited.stream_share, 0.6, 0.02) << "what the working set leaves";
}
TEST(dampening_models, sizes_are_those_of_the_theorems) {
  const std::uint32_t j = 16, B = 512;
  const double P = 1000, k = 8, t = 2, s = 50, best = best_j(B, k);
  const auto found = evaluate_theory("dampening-sizes", {"P=1000", "j=16", "B=512", "k=8", "t=2", "s=50",
                                                         "eps=0.1", "degree=6", "message_bytes=100"});
  const std::map<std::string, double> expected{
      {"dampening_target", dampening_target(B, j, k)},
      {"theorem_1_k", one_free_buffer_hotspots(B, j)},
      {"theorem_1_k_exact", one_free_buffer_hotspots_exact(B, j)},
      {"best_j", best},
      {"beta_at_best_j", beta_at_best_j(best)},
      {"theorem_5_k", theorem_5_hotspots(B, j, t)},
      {"theorem_5_beta_bound", theorem_5_bound(t)},
      {"theorem_7_j", theorem_7_j(s)},
      {"theorem_7_k", theorem_7_hotspots(B, s)},
      {"lemma_8_f", lemma_8_f(P, k, best)},
      {"lemma_8_f_as_printed", lemma_8_f_as_printed(P, B, best)},
      {"theorem_9_k", theorem_9_hotspots(B, P, s)},
      {"theorem_9_k_as_printed", theorem_9_hotspots_as_printed(B, P, s)},
      {"theorem_10_k", theorem_10_hotspots(B, P, t)},
      {"unique_subset_B", unique_subset_buffers(1000)},
      {"unique_subset_B_bound", unique_subset_buffers_bound(1000)},
      {"binary_digit_B", binary_digit_buffers(1000)},
      {"square_root_B", square_root_buffers(1000)},
      {"oblivious_bound", oblivious_routing_bound(P, 6)},
      {"p_buffer_bytes", storage_bytes(P, 1, 100)},
      {"ten_p_buffer_bytes", storage_bytes(P, 10, 100)},
      {"theorem_2_B", collision_free_buffers(1000, 0.1)}};
  for (const auto& [key, value] : expected) EXPECT_EQ(found.at(key), value) << key;
}
TEST(dampening_models, blocking_is_that_of_the_lemmas_and_of_drawn_functions) {
  const blocking_parameters p{16, 2, 3, 20};
  const blocking_estimate drawn = simulate_blocking(p, 50, 6);
  EXPECT_EQ(found_by("blocking", {"B=16", "j=2", "k=3", "P=20", "trials=50", "seed=6"}),
            (nlohmann::json{{"g", free_buffers(p)},
                            {"g_approximation", free_buffers_approximation(p)},
                            {"g_mc", drawn.g},
                            {"g_mc_error", drawn.g_error},
                            {"beta", blocked(p)},
                            {"beta_approximation", blocked_approximation(p)},
                            {"beta_exact", blocked_exact(p)},
                            {"beta_mc", drawn.beta},
                            {"beta_mc_error", drawn.beta_error},
                            {"f", none_blocked(p)},
                            {"f_as_printed", none_blocked_as_printed(p)},
                            {"f_exact", none_blocked_exact(p)},
                            {"f_mc", drawn.f},
                            {"f_mc_error", drawn.f_error}}));
}
TEST(dampening_models, reports_are_those_of_the_program) {
  const std::pair<const char*, report_delay> every[] = {{"at_once", report_delay::at_once},
                                                        {"registered", report_delay::registered},
                                                        {"one_a_cycle", report_delay::one_a_cycle}};
  for (const auto& [name, when] : every) {
    const auto expected = simulate_butterfly({3, 5, 2, when}, 3, 8);
    EXPECT_EQ(found_by("dampening-reports",
                       {"stages=3", "B=5", "j=2", std::string("reports=") + name, "trials=3", "seed=8"}),
              (nlohmann::json{{"hashing", expected.hashing},
                              {"counting", expected.counting},
                              {"ratio", expected.ratio},
                              {"ratio_error", expected.ratio_error}}))
        << name;
  }
}
TEST(dampening_models, a_shared_cache_is_the_one_that_is_run) {
  const std::pair<const char*, eviction_limit> every[] = {{"none", eviction_limit::none},
                                                          {"counting", eviction_limit::counting},
                                                          {"assigned", eviction_limit::assigned}};
  for (const auto& [name, limit] : every)
    for (const auto& [order, choice] :
         {std::pair{"oldest", eviction_choice::oldest}, {"hottest", eviction_choice::hottest}}) {
      thread_cache_parameters p;
      p.cache.lines = 48, p.cache.threads = 5, p.cache.j = 12;
      p.cache.limit = limit, p.cache.choice = choice;
      p.working_sets = 0.7, p.pace = 9, p.rounds = 60;
      const thread_cache_rates expected = simulate_thread_cache(p, 3, 4);
      EXPECT_EQ(found_by("shared-cache", {"lines=48", "threads=5", "j=12", std::string("limit=") + name,
                                          std::string("choice=") + order, "working_sets=0.7", "pace=9",
                                          "rounds=60", "trials=3", "seed=4"}),
                (nlohmann::json{{"others_hit", expected.others_hit},
                                {"others_hit_plain", expected.others_hit_plain},
                                {"least_gain", expected.least_gain},
                                {"stream_share", expected.stream_share},
                                {"lone_share", expected.lone_share}}))
          << name << ' ' << order;
    }
}
TEST(dampening_models, refuse_what_a_pool_or_cache_cannot_have) {
  EXPECT_THAT(error_of("dampening-sizes", {"P=4"}), testing::HasSubstr("at most P=4 hotspots"));
  EXPECT_THAT(error_of("dampening-reports", {"j=14"}), testing::HasSubstr("at most B=13"));
  EXPECT_THAT(error_of("shared-cache", {"j=300"}), testing::HasSubstr("at most lines=256"));
}
