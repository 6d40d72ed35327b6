#include <gtest/gtest.h>

#include <cmath>
#include <spillway/tb/feedback/bandwidth.hpp>
#include <spillway/tb/feedback/costs.hpp>
#include <spillway/tb/feedback/sequential_omega.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <spillway/tb/theory/theory.hpp>

#include "support/theory_results.hpp"

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

TEST(feedback, tree_saturation_never_gains) {
  for (const double b0 : {0.3, 0.684, 1.0})
    for (const double h : {0.0, 0.001, 0.02, 0.08})
      for (double Ph = 0; Ph <= 1; Ph += 0.0625) {
        const feedback_parameters p{256, h, Ph, b0};
        EXPECT_LE(saturated_bandwidth(p), unsaturated_bandwidth(p) + 1e-12) << b0 << ' ' << h << ' ' << Ph;
        EXPECT_LE(saturated_bandwidth(p), b0);
      }
}

TEST(feedback, costs) {
  const auto of = [](std::uint64_t N, std::uint64_t list) { return costs_of({N, 4, 32, list, 256}); };
  EXPECT_EQ(of(256, 4).bus_wires, 10u);
  EXPECT_EQ(of(512, 4).bus_wires, 11u) << "O(lg N)";
  EXPECT_EQ(of(300, 4).bus_wires, 11u) << "rounded up";
  EXPECT_EQ(of(256, 4).line_wires, 256u);
  EXPECT_EQ(of(256, 4).length_bits, 6u) << "0 to 32";
  EXPECT_EQ(of(256, 4).list_bits, 36u);
  EXPECT_EQ(of(256, 256).list_bits, 256u) << "a bit a module is less";
  EXPECT_EQ(of(256, 4).counter_bits, 8u);
  EXPECT_EQ(of(256, 4).queue_bits, 28u * 256);
  EXPECT_EQ(of(256, 4).network_bits, 256u * (6 + 36 + 8 + 28 * 256));
  EXPECT_EQ(of(256, 4).plain_bits, 256u * 8 * 4 * 256);
  EXPECT_EQ(costs_of({256, 4, 4, 4, 256}).queue_bits, 0u);
}

TEST(feedback_models, have_the_bandwidths_and_costs_of_their_parameters) {
  EXPECT_NEAR(evaluate_theory("feedback", {"b0=0.76"}).at("saturated"), 1 / 3.55, 1e-12);
  const feedback_parameters p{64, 0.1, 0.25, 0.7};
  EXPECT_EQ(found_by("feedback", {"N=64", "h=0.1", "Ph=0.25", "b0=0.7"}),
            (nlohmann::json{{"bound", unsaturated_bandwidth(p)},
                            {"hot_rate", hot_processor_rate(p)},
                            {"saturated", saturated_bandwidth(p)}}));
  const feedback_costs c = costs_of({512, 5, 40, 7, 100});
  EXPECT_EQ(
      found_by("feedback-costs", {"N=512", "depth=5", "memory_depth=40", "hot_list=7", "flit_bits=100"}),
      (nlohmann::json{{"line_wires", c.line_wires},
                      {"bus_wires", c.bus_wires},
                      {"length_bits", c.length_bits},
                      {"list_bits", c.list_bits},
                      {"counter_bits", c.counter_bits},
                      {"queue_bits", c.queue_bits},
                      {"network_bits", c.network_bits},
                      {"plain_bits", c.plain_bits}}));
}

namespace {

/// A small network without a hot module, whose queues never fill.
omega_parameters roomy() {
  omega_parameters p;
  p.stages = 2;
  p.depth = p.memory_depth = 4000;
  p.threshold = 0;
  p.h = 0;
  return p;
}

}  // namespace

TEST(sequential_omega, carries_all_that_its_queues_hold_and_one_request_a_cycle_to_one_module) {
  EXPECT_GT(simulate_omega(roomy(), 3, 1).mean, 0.96);
  omega_parameters p = roomy();
  p.h = p.Ph = 1;
  EXPECT_NEAR(simulate_omega(p, 2, 1).mean, 0.25, 1e-9);
}
TEST(sequential_omega, takes_half_where_a_queue_of_one_place_is_refilled_a_cycle_later) {
  omega_parameters p = roomy();
  p.stages = 1;
  p.depth = p.memory_depth = 1;
  p.h = p.Ph = 1;
  EXPECT_NEAR(simulate_omega(p, 2, 1).mean, 0.5, 1e-9) << "one of two processors, every cycle";
  p.registered = true;
  EXPECT_NEAR(simulate_omega(p, 2, 1).mean, 0.25, 1e-9);
}
TEST(sequential_omega, gains_from_feedback_and_bleeding_and_loses_by_their_delay) {
  omega_parameters plain;
  plain.stages = 6;
  plain.h = 0.2;
  omega_parameters feedback = plain, late = plain, bleeding = plain;
  plain.threshold = 0;
  late.delay = 20;
  bleeding.bleeding = program_bleeding::round_robin;
  const auto of = [](const omega_parameters& p) { return simulate_omega(p, 3, 1).mean; };
  EXPECT_GT(of(feedback), 1.2 * of(plain));
  EXPECT_GT(of(bleeding), 1.2 * of(feedback));
  EXPECT_LT(of(late), 0.97 * of(feedback));
}
// Of random numbers: the same only if every parameter is.
TEST(sequential_omega, is_the_model_by_its_name_with_each_of_its_parameters) {
  const std::pair<const char*, program_bleeding> every[] = {{"none", program_bleeding::none},
                                                            {"round_robin", program_bleeding::round_robin},
                                                            {"slots", program_bleeding::slots},
                                                            {"random", program_bleeding::random}};
  for (const auto& [name, bleeding] : every)
    for (const bool registered : {false, true}) {
      const omega_parameters p{3, 2, 9, 5, 0.2, 0.75, bleeding, registered, 7};
      const omega_bandwidth expected = simulate_omega(p, 2, 11);
      EXPECT_EQ(found_by("feedback-sequential", {"stages=3", "depth=2", "memory_depth=9", "threshold=5",
                                                 "h=0.2", "Ph=0.75", std::string("bleeding=") + name,
                                                 registered ? "places=registered" : "places=at_once",
                                                 "delay=7", "trials=2", "seed=11"}),
                (nlohmann::json{{"bandwidth", expected.mean}, {"error", expected.error}}))
          << name << registered;
    }
}
