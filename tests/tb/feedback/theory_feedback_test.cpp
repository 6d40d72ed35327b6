#include <gtest/gtest.h>

#include <cmath>
#include <spillway/tb/feedback/bandwidth.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <spillway/tb/theory/theory.hpp>

using namespace spillway::theory;

TEST(feedback, hot_module_gets_one_request_a_cycle) {
  for (const double Ph : {0.1, 0.5, 1.0}) {
    const feedback_parameters p{64, 0.08, Ph, 0.76};
    random_engine engine(3);
    const int cycles = 20000, hot = static_cast<int>(std::lround(64 * Ph));
    const auto chance = [&](double probability) { return engine() < probability * 4294967296.0; };
    // Draw the requests of all processors and count those to module 0.
    double to_hot = 0, all = 0;
    const feedback_parameters exact{64, 0.08, hot / 64.0, 0.76};
    const double hot_rate = hot_processor_rate(exact);
    for (int c = 0; c < cycles; ++c) {
      for (int s = 0; s < 64; ++s) {
        if (!chance(s < hot ? hot_rate : p.b0)) continue;
        ++all;
        if ((s < hot && chance(p.h)) || below(engine, 64) == 0) ++to_hot;
      }
    }
    EXPECT_LE(hot_rate, p.b0);
    if (hot_rate < p.b0) {
      EXPECT_NEAR(to_hot / cycles, 1, 0.03) << Ph;
    }
    EXPECT_NEAR(all / cycles / 64, unsaturated_bandwidth(exact), 0.005) << Ph;
  }
}

TEST(feedback, limits) {
  EXPECT_DOUBLE_EQ(unsaturated_bandwidth({256, 0.02, 0, 0.76}), 0.76);
  EXPECT_DOUBLE_EQ(unsaturated_bandwidth({256, 0, 0.5, 0.76}), 0.76);
  // All processors hot: nothing but the hot module limits, with or without tree saturation.
  EXPECT_NEAR(unsaturated_bandwidth({256, 0.08, 1, 0.76}), saturated_bandwidth({256, 0.08, 1, 0.76}), 1e-12);
  EXPECT_NEAR(saturated_bandwidth({256, 0.02, 0.5, 0.76}), 1 / (1 + 0.01 * 255), 1e-12);
  EXPECT_GT(unsaturated_bandwidth({256, 0.02, 0.5, 0.76}), saturated_bandwidth({256, 0.02, 0.5, 0.76}));
}

TEST(feedback, model) {
  EXPECT_NEAR(evaluate_theory("feedback", {"b0=0.76"}).at("saturated"), 1 / 3.55, 1e-12);
}
