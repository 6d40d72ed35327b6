#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/nifdy/nifdy.hpp>
#include <spillway/tb/theory/crossbar.hpp>
#include <spillway/tb/theory/hotspot.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <spillway/tb/theory/theory.hpp>

using namespace spillway::theory;
using spillway::config_error;
using testing::HasSubstr;

namespace {

std::string error_of(const std::string& name, const std::vector<std::string>& key_value) {
  try {
    evaluate_theory(name, key_value);
  } catch (const config_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

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

TEST(nifdy, examples_of_the_paper) {
  nifdy_times mesh;
  mesh.latency = 4 * 14 + 14;
  EXPECT_DOUBLE_EQ(nifdy_roundtrip(mesh), 144);
  EXPECT_NEAR(nifdy_window_combined(mesh), 2.8, 1e-12);
  EXPECT_NEAR(nifdy_window_each(mesh), 2.4, 1e-12);
  EXPECT_DOUBLE_EQ(nifdy_bandwidth(mesh, 6), 0.1);
  EXPECT_DOUBLE_EQ(nifdy_scalar_bandwidth(mesh, 6), 6.0 / 144);
  mesh.t_tail = 30;
  EXPECT_NEAR(nifdy_window_combined(mesh), 3.8, 1e-12);
  EXPECT_NEAR(nifdy_window_each(mesh), 2.9, 1e-12);
  EXPECT_DOUBLE_EQ(nifdy_scalar_bandwidth(mesh, 6), 6.0 / 144);
  mesh.latency = 4 * 6 + 14;
  EXPECT_DOUBLE_EQ(nifdy_roundtrip(mesh), 80);
  nifdy_times tree;
  tree.latency = 5 * 6 + 2;
  EXPECT_DOUBLE_EQ(nifdy_roundtrip(tree), 68);
  EXPECT_NEAR(nifdy_window_combined(tree), 0.27, 5e-3);
}

// Section 2.4.3 chooses O, B, D, W for these two by hand. Its tree has W = 4 in Table 3, found by trial.
TEST(nifdy, advice_of_the_paper) {
  nifdy_times mesh;
  mesh.latency = 4 * 14 + 14;
  const nifdy_advice few = nifdy_advise(mesh, 1, false);
  EXPECT_EQ(few.outstanding, 4u);
  EXPECT_EQ(few.pool, 4u);
  EXPECT_EQ(few.dialogs, 1u);
  EXPECT_EQ(few.window, 2u);
  EXPECT_EQ(nifdy_advise(mesh, 4, false).window, 4u);  // "possibly 3 or 4 if we can afford to be generous"
  EXPECT_EQ(nifdy_advise(mesh, 4, true).window, 3u);   // 144 / 60 packets, one ack each
  nifdy_times tree;
  tree.latency = 5 * 6 + 2;
  const nifdy_advice many = nifdy_advise(tree, 10, false);
  EXPECT_EQ(many.outstanding, 8u);
  EXPECT_EQ(many.pool, 8u);
  EXPECT_EQ(many.dialogs, 1u);
  EXPECT_EQ(many.window, 2u);
  tree.latency = 28;  // a round trip of 60: one packet at a time loses nothing
  EXPECT_EQ(nifdy_advise(tree, 10, false).dialogs, 0u);
  nifdy_times slow_senders;
  slow_senders.t_send = 200;
  slow_senders.latency = 100;
  EXPECT_EQ(nifdy_advise(slow_senders, 10, false).dialogs, 3u);
}

TEST(nifdy, window_is_the_least_that_never_stalls) {
  // Packets leave every `interval` cycles unless W are unacknowledged; packet i is acknowledged a round trip
  // after it left (each), or with the last of its half window (combined: packets in groups of W/2).
  const auto gap = [](const nifdy_times& t, int W, bool combined) {
    std::vector<double> sent;
    const int group = combined ? std::max(1, W / 2) : 1;
    for (int i = 0; i < 2000; ++i) {
      double at = sent.empty() ? 0 : sent.back() + t.interval();
      if (i >= W) {
        const int acked =
            (i - W) / group * group + group - 1;  // the last packet of the ack that frees a slot
        at = std::max(at, sent[static_cast<std::size_t>(acked)] + nifdy_roundtrip(t));
      }
      sent.push_back(at);
    }
    return (sent[1999] - sent[999]) / 1000;
  };
  for (const double latency : {70.0, 100.0, 150.0, 400.0}) {
    nifdy_times t;
    t.latency = latency;
    const int each = static_cast<int>(std::ceil(nifdy_window_each(t)));
    EXPECT_NEAR(gap(t, each, false), t.interval(), 1e-9);
    EXPECT_GT(gap(t, each - 1, false), t.interval() + 1e-9);
    const int half = static_cast<int>(std::ceil(nifdy_window_combined(t) / 2));
    EXPECT_NEAR(gap(t, 2 * half, true), t.interval(), 1e-9);
    EXPECT_GT(gap(t, 2 * half - 2, true), t.interval() + 1e-9);
  }
}

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

TEST(hotspot, pfister_and_norton) {
  EXPECT_NEAR(hotspot_bound(1000, 0.00125), 0.445, 5e-4);  // 0.125 % halves the throughput
  EXPECT_DOUBLE_EQ(hotspot_bound(256, 0), 1);
  EXPECT_NEAR(hotspot_bound(256, 1), 1.0 / 256, 1e-15);
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

TEST(evaluate, every_model_runs_on_its_defaults) {
  const auto models = theory_models();
  EXPECT_EQ(models.size(), 9U);
  for (const auto& m : models) {
    const auto result = evaluate_theory(m.name, {});
    ASSERT_TRUE(result.is_object()) << m.name;
    EXPECT_EQ(result.at("model"), m.name);
    EXPECT_EQ(result.at("parameters").size(), m.parameters.size());
    EXPECT_GT(result.size(), 2U);
    EXPECT_FALSE(m.description.empty());
    for (const auto& p : m.parameters) EXPECT_FALSE(p.description.empty()) << p.name;
    EXPECT_EQ(result, evaluate_theory(m.name, {})) << "not the same twice";
  }
}

TEST(evaluate, results_by_name) {
  EXPECT_NEAR(evaluate_theory("collision", {"n=64"}).at("pr_c2"), .03822, 5e-6);
  EXPECT_EQ(evaluate_theory("collision", {"n=64"}).at("bins"), 21);
  EXPECT_NEAR(evaluate_theory("hotspot", {"N=1000", "fraction=0.00125"}).at("bound"), .445, 5e-4);
  EXPECT_NEAR(evaluate_theory("crossbar", {"k=2"}).at("throughput"), .75, 1e-9);
  EXPECT_NEAR(evaluate_theory("hypercube", {"network=bh", "mu_ncl=1.4"}).at("lambda_sat"), .4035, 5e-5);
  EXPECT_NEAR(evaluate_theory("nifdy", {"latency=38"}).at("t_roundtrip"), 80, 1e-12);
  EXPECT_EQ(evaluate_theory("dampening-sizes", {"P=1000"}).at("unique_subset_B"), 13);
  EXPECT_EQ(evaluate_theory("dampening-sizes", {"j=8", "B=256"}).at("family").at("pairs_sharing_two"), 0);
  EXPECT_EQ(
      evaluate_theory("dampening-sizes", {"j=8", "B=256"}).at("family").at("pairs_sharing_two_as_printed"),
      96);
  const auto rounds = evaluate_theory("rounds", {"n=1024", "m=8"});
  EXPECT_EQ(rounds.at("lg_m"), 3);
  const auto blocking = evaluate_theory("blocking", {"P=200", "seed=3"});
  EXPECT_NEAR(blocking.at("beta_mc").get<double>(), blocking.at("beta_exact").get<double>(),
              5 * blocking.at("beta_mc_error").get<double>());
  EXPECT_NEAR(evaluate_theory("feedback", {"b0=0.76"}).at("saturated"), 1 / 3.55, 1e-12);
}

TEST(evaluate, saturated_delays_are_null) {
  const auto result = evaluate_theory("hypercube", {"lambda=2"});
  EXPECT_TRUE(result.at("r_avg").is_null());
  EXPECT_TRUE(result.at("saturated"));
  EXPECT_TRUE(result.at("lambda_sat").is_number());
}

TEST(evaluate, a_large_game_is_fast) {
  const auto result = evaluate_theory("rounds", {"n=1048576", "m=1048576", "trials=3", "model=II"});
  EXPECT_GT(result.at("mean"), 8);
}

TEST(evaluate, errors_name_what_was_found_and_expected) {
  EXPECT_THAT(error_of("blockin", {}), HasSubstr("did you mean \"blocking\"?"));
  EXPECT_THAT(error_of("crossbar", {"K=3"}), HasSubstr("unknown key \"K\""));
  EXPECT_THAT(error_of("hypercube", {"lamda=3"}), HasSubstr("did you mean \"lambda\"?"));
  EXPECT_THAT(error_of("crossbar", {"k=two"}), HasSubstr("found \"two\", expected a whole number"));
  EXPECT_THAT(error_of("crossbar", {"k=2.5"}), HasSubstr("expected a whole number"));
  EXPECT_THAT(error_of("crossbar", {"k=2x"}), HasSubstr("found \"2x\""));
  EXPECT_THAT(error_of("crossbar", {"k="}), HasSubstr("found \"\""));
  EXPECT_THAT(error_of("crossbar", {"k"}), HasSubstr("expected key=value"));
  EXPECT_THAT(error_of("crossbar", {"k=0"}), HasSubstr("from 1 to"));
  EXPECT_THAT(error_of("crossbar", {"k=2", "k=3"}), HasSubstr("twice"));
  EXPECT_THAT(error_of("hotspot", {"fraction=nan"}), HasSubstr("expected a number from 0 to 1"));
  EXPECT_THAT(error_of("hypercube", {"network=mesh"}), HasSubstr("expected bh or bhbh"));
  EXPECT_THAT(error_of("hypercube", {"d=8"}), HasSubstr("less than D=8"));
  EXPECT_THAT(error_of("hypercube", {"h=0.3"}), HasSubstr("at most 1 - alpha"));
  EXPECT_THAT(error_of("rounds", {"n=48"}), HasSubstr("power of two"));
  EXPECT_THAT(error_of("rounds", {"n=32"}), HasSubstr("at most n=32"));
  EXPECT_THAT(error_of("blocking", {"k=2000"}), HasSubstr("at most P=1000"));
}
