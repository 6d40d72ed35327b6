#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <spillway/tb/nifdy/nifdy.hpp>
#include <spillway/tb/theory/theory.hpp>
#include <vector>

#include "support/theory_results.hpp"

using namespace spillway::theory;

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

TEST(nifdy, model) {
  EXPECT_NEAR(evaluate_theory("nifdy", {"latency=38"}).at("t_roundtrip"), 80, 1e-12);
  const nifdy_times t{50, 30, 20, 90, 6, 12};
  EXPECT_EQ(found_by("nifdy", {"t_send=50", "t_receive=30", "t_link=20", "latency=90", "t_ackproc=6",
                               "t_tail=12", "words=5"}),
            (nlohmann::json{{"bandwidth", nifdy_bandwidth(t, 5)},
                            {"bandwidth_scalar", nifdy_scalar_bandwidth(t, 5)},
                            {"t_roundtrip", nifdy_roundtrip(t)},
                            {"scalar_suffices", false},
                            {"window_combined", nifdy_window_combined(t)},
                            {"window_each", nifdy_window_each(t)}}));
}

TEST(nifdy, one_packet_at_a_time_suffices_up_to_a_round_trip_of_the_interval) {
  EXPECT_EQ(evaluate_theory("nifdy", {"latency=28"}).at("t_roundtrip"), 60) << "as t_receive";
  EXPECT_EQ(evaluate_theory("nifdy", {"latency=28"}).at("scalar_suffices"), true);
  EXPECT_EQ(evaluate_theory("nifdy", {"latency=28.25"}).at("scalar_suffices"), false);
}
