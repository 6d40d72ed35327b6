// Conservation: whatever the topology, the buffers, the traffic and the resets, nothing is lost, duplicated
// or misordered, no link rule is broken, and both kernels deliver the same packets in the same cycles.
#include <gtest/gtest.h>

#include <cstdlib>

#include "random_experiment.hpp"

using namespace spillway::testing_support;

namespace {

struct totals {
  unsigned deadlocks = 0, with_losses = 0;
  double bulk_packets = 0, merged = 0, deferred = 0;
};

void check(std::uint32_t seed, blocks what, totals& all) {
  const scratch_folder folder;
  const random_experiment drawn(seed, what, folder);
  SCOPED_TRACE(drawn.text().dump());
  const std::string file = folder / "e.yaml";
  std::ofstream(file) << drawn.text();
  const auto run = [&](const std::string& kernel, const std::string& more = "") {
    const process_result r =
        run_process("'" SPILLWAY_COMMAND "' run '" + file + "' --deliveries --no-report --kernel " + kernel +
                    more + " --out '" + (folder / kernel).string() + "'");
    EXPECT_TRUE(r.status == 0 || (r.status == 1 && drawn.may_deadlock())) << r.output;
    auto result = json::parse(read_text(folder / kernel / "result.json"), nullptr, false);
    if (result.is_object()) result.erase("kernel");
    return result;
  };
  const json fast = run("fast");
  ASSERT_TRUE(fast.is_object());
  const std::string deliveries = read_text(folder / "fast" / "deliveries.csv");
  EXPECT_EQ(fast, run("signals"));
  EXPECT_EQ(fast, run("doubting"));
  EXPECT_EQ(fast, run("fast", " --threads 2 --set blocks_a_thread=1"));
  EXPECT_EQ(deliveries, read_text(folder / "signals" / "deliveries.csv"));
  EXPECT_EQ(deliveries, read_text(folder / "fast" / "deliveries.csv")) << "of several threads";

  const bool deadlock = fast["status"] == "deadlock";
  EXPECT_TRUE(deadlock || fast["status"] == "ok") << fast["status"];
  for (const char* fault : {"lost", "duplicated", "misordered", "corrupted", "violations"})
    EXPECT_EQ(fast[fault], 0) << fault;
  if (drawn.loses_more())
    EXPECT_LE(fast["reset_dropped_flits"], fast["lost_in_reset"]);
  else
    EXPECT_EQ(fast["reset_dropped_flits"], fast["lost_in_reset"]);
  const auto count = [&](const char* key) { return fast[key].get<std::uint64_t>(); };
  const std::uint64_t accounted = count("delivered") + count("reset_dropped");
  EXPECT_TRUE(deadlock ? count("created") > accounted : count("created") == accounted)
      << count("created") << " created, " << accounted << " accounted for";
  all.deadlocks += deadlock;
  all.with_losses += count("reset_dropped") != 0;
  all.bulk_packets += fast["counters"].value("nifdy.bulk_packets", 0.0);
  all.merged += fast["counters"].value("combining.merged", 0.0);
  if (what == blocks::last_switch) all.deferred += fast["counters"].value("srp.packets_refused", 0.0);
}

totals campaign(std::uint32_t first, std::uint32_t runs, blocks what = blocks::any) {
  totals all;
  for (std::uint32_t seed = first; seed < first + runs; ++seed) check(seed, what, all);
  EXPECT_GT(all.with_losses, runs / 10) << "the resets came when nothing was under way";
  EXPECT_LT(all.deadlocks, runs / 3) << "too few runs came to their end";
  return all;
}

}  // namespace

// What more of them deliver by the fast kernel is kept: kept_platforms_test.cpp.
TEST(random_platforms, lose_duplicate_and_reorder_nothing) { campaign(1, 10); }
TEST(random_platforms, with_nifdy_lose_duplicate_and_reorder_nothing) {
  EXPECT_GT(campaign(1, 10, blocks::nifdy).bulk_packets, 100);
}
TEST(random_platforms, of_routers_lose_duplicate_and_reorder_nothing) { campaign(1, 10, blocks::routers); }
TEST(random_platforms, of_own_topologies_lose_duplicate_and_reorder_nothing) {
  campaign(1, 10, blocks::own_topologies);
}
TEST(random_platforms, of_many_queues_lose_duplicate_and_reorder_nothing) { campaign(1, 10, blocks::queues); }
TEST(random_platforms, with_combining_lose_duplicate_and_reorder_nothing) {
  EXPECT_GT(campaign(1, 10, blocks::combining).merged, 1000);
}
TEST(random_platforms, whose_last_switches_reserve_lose_duplicate_and_reorder_nothing) {
  EXPECT_GT(campaign(1, 10, blocks::last_switch).deferred, 1000);
}

// A grant that waited for a packet to ride on was overtaken by the request to end its dialog.
TEST(random_platforms, with_nifdy_that_waits_for_riders_and_loses_patience_keep_its_rules) {
  totals all;
  check(900034, blocks::nifdy, all);
  EXPECT_EQ(all.deadlocks, 0u);
}

// Their circuits back off for longer than the watchdog waits.
TEST(random_platforms, of_circuits_that_back_off_for_long_are_no_deadlock) {
  totals all;
  check(3136, blocks::own_topologies, all);
  check(4314, blocks::own_topologies, all);
  EXPECT_EQ(all.deadlocks, 0u);
}

/// Campaigns: 1,000 platforms from number 1,000, or what SPILLWAY_PLATFORMS=COUNT or COUNT:FIRST says.
class random_platforms_campaign : public testing::TestWithParam<blocks> {};
TEST_P(random_platforms_campaign, loses_duplicates_and_reorders_nothing) {
  unsigned runs = 1000, first = 1000;
  if (const char* const many = std::getenv("SPILLWAY_PLATFORMS")) std::sscanf(many, "%u:%u", &runs, &first);
  campaign(first, runs, GetParam());
}
INSTANTIATE_TEST_SUITE_P(all, random_platforms_campaign,
                         testing::Values(blocks::any, blocks::nifdy, blocks::routers, blocks::own_topologies,
                                         blocks::queues, blocks::combining, blocks::last_switch),
                         [](const auto& test) { return name_of(test.param); });
