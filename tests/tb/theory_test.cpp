#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <spillway/tb/theory/crossbar.hpp>
#include <spillway/tb/theory/hotspot.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <spillway/tb/theory/shared_buffer.hpp>
#include <spillway/tb/theory/theory.hpp>

#include "support/theory_errors.hpp"

using namespace spillway::theory;
using testing::HasSubstr;

TEST(below, is_uniform) {
  random_engine engine(1);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) ++counts[below(engine, 7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(sample_of, mean_and_error) {
  sample s;
  EXPECT_TRUE(std::isnan(s.error()));
  for (const double v : {2.0, 4.0, 4.0, 6.0}) s.add(v);
  EXPECT_DOUBLE_EQ(s.mean(), 4);
  EXPECT_NEAR(s.error(), std::sqrt(8.0 / 3 / 4), 1e-12);
  EXPECT_EQ(s.least(), 2);
  EXPECT_EQ(s.most(), 6);
}

TEST(hotspot, pfister_and_norton) {
  EXPECT_NEAR(hotspot_bound(1000, 0.00125), 0.445, 5e-4);  // 0.125 % halves the throughput
  EXPECT_DOUBLE_EQ(hotspot_bound(256, 0), 1);
  EXPECT_NEAR(hotspot_bound(256, 1), 1.0 / 256, 1e-15);
}

TEST(dynamic_threshold, choudhury_and_hahne) {
  // All places are of some queue or free, and a queue has alpha times the free ones.
  for (const double alpha : {0.5, 1.0, 4.0})
    for (const double queues : {0.0, 1.0, 7.0}) {
      const double free = dynamic_threshold_free(240, queues, alpha);
      EXPECT_NEAR(free + queues * alpha * free, 240, 1e-9);
    }
  EXPECT_NEAR(evaluate_theory("dynamic-threshold", {"places=240", "queues=4", "alpha=1"}).at("share"), 48,
              1e-9);
}

TEST(crossbar, known_throughputs) {
  // Karol, Hluchyj, Morgan 1987, table I
  const double known[] = {1, 0.75, 0.6825, 0.6553, 0.6399, 0.6302, 0.6234, 0.6184};
  for (std::uint32_t k = 1; k <= 8; ++k) EXPECT_NEAR(crossbar_throughput(k), known[k - 1], 1e-4) << k;
  EXPECT_THROW(crossbar_throughput(21), std::invalid_argument);
}

TEST(crossbar, simulation_agrees_and_approaches_the_limit) {
  for (const std::uint32_t k : {2U, 5U, 12U}) {
    const auto batches = simulate_crossbar(k, 100000, 4);
    EXPECT_NEAR(batches.mean(), crossbar_throughput(k), 5 * batches.error()) << k;
  }
  EXPECT_NEAR(crossbar_limit(), 0.5858, 5e-5);
  EXPECT_NEAR(simulate_crossbar(512, 4000, 4).mean(), crossbar_limit(), 0.003);
}

TEST(evaluate, results_by_name) {
  EXPECT_NEAR(evaluate_theory("hotspot", {"N=1000", "fraction=0.00125"}).at("bound"), .445, 5e-4);
  EXPECT_NEAR(evaluate_theory("crossbar", {"k=2"}).at("throughput"), .75, 1e-9);
  EXPECT_EQ(evaluate_theory("crossbar", {"k=20"}).at("method"), "exact");
  EXPECT_EQ(evaluate_theory("crossbar", {"k=21", "slots=20"}).at("method"), "simulation");
}

TEST(evaluate, simulates_so_many_slots_with_the_seed) {
  const auto found = evaluate_theory("crossbar", {"k=21", "slots=200", "seed=9"});
  const sample expected = simulate_crossbar(21, 200, 9);
  EXPECT_EQ(found.at("throughput"), expected.mean());
  EXPECT_EQ(found.at("error"), expected.error());
}

TEST(evaluate, errors_name_what_was_found_and_expected) {
  EXPECT_THAT(error_of("crosbar", {}), HasSubstr("did you mean \"crossbar\"?"));
  EXPECT_THAT(error_of("crossbar", {"K=3"}), HasSubstr("unknown key \"K\""));
  EXPECT_THAT(error_of("hotspot", {"fractoin=3"}), HasSubstr("did you mean \"fraction\"?"));
  EXPECT_THAT(error_of("crossbar", {"k=two"}), HasSubstr("found \"two\", expected a whole number"));
  EXPECT_THAT(error_of("crossbar", {"k=2.5"}), HasSubstr("expected a whole number"));
  EXPECT_THAT(error_of("crossbar", {"k=2x"}), HasSubstr("found \"2x\""));
  EXPECT_THAT(error_of("crossbar", {"k="}), HasSubstr("found \"\""));
  EXPECT_THAT(error_of("crossbar", {"k"}), HasSubstr("expected key=value"));
  EXPECT_THAT(error_of("crossbar", {"k=0"}), HasSubstr("from 1 to"));
  EXPECT_THAT(error_of("crossbar", {"k=2", "k=3"}), HasSubstr("twice"));
  EXPECT_THAT(error_of("hotspot", {"fraction=nan"}), HasSubstr("expected a number from 0 to 1"));
}
