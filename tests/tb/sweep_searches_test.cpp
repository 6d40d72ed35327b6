// Sweeps that search for the load at which a network saturates.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/sweeps.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

// A permutation without conflicts into sinks that take a flit every fourth cycle carries a quarter of the
// full rate: 95 % of what is offered get through up to 0.25/0.95 = 0.263.
constexpr const char* slow_sinks =
    "name: quarter\n"
    "topology: {kind: crossbar, terminals: 4}\n"
    "switch: {kind: packet}\n"
    "endpoint: {accept_interval: 4}\n"
    "traffic:\n"
    "  - {pattern: shift, rate: 0.2}\n"
    "measure: {warmup: 1000, cycles: 20000, drain: 0}\n";

constexpr const char* search =
    "name: quarter\n"
    "experiment: slow.yaml\n"
    "seeds: 2\n"
    "search: saturation\n"
    "saturation: {from: 0.05, to: 0.6, tolerance: 0.01}\n";

TEST_F(a_sweep, finds_the_saturation_rate) {
  write("slow.yaml", slow_sinks);
  const process_result r = run_sweep(search);
  ASSERT_EQ(r.status, 0) << r.output;
  for (std::size_t i = 1; i <= 2; ++i) {
    const std::string id = json::parse(lines("out/plan.jsonl")[i])["id"];
    const json result = json::parse(read_text(folder / "out" / "runs" / id / "result.json"));
    EXPECT_NEAR(result["saturation"]["rate"], 0.263, 0.015);
    EXPECT_EQ(result["saturation"]["limited"], true);
    EXPECT_LE(result["saturation"]["tries"], 2 + 7) << "two ends, then halves of 64 steps";
    EXPECT_LE(result["throughput"], 0.2501);
    EXPECT_GE(result["throughput"], 0.95 * result["offered"].get<double>())
        << "the result is that of the load found";
  }
  EXPECT_THAT(lines("out/results.csv")[0], HasSubstr("saturation.rate"));
  // Its tries stay: found again without them it is the same.
  const std::string before = read_text(folder / "out" / "results.csv");
  for (const auto& run : fs::directory_iterator(folder / "out" / "runs"))
    fs::remove(run.path() / "result.json");
  ASSERT_EQ(spillway("sweep out").status, 0);
  EXPECT_EQ(read_text(folder / "out" / "results.csv"), before);
}

TEST_F(a_sweep, does_not_pass_over_the_range_of_a_search_that_is_not_asked_for) {
  write("slow.yaml", slow_sinks);
  const process_result r = run_sweep(with(search, "search: saturation\n", ""));
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(
      r.output,
      HasSubstr("s.yaml:4:13: saturation: found the range of a search, expected 'search: saturation'"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(a_sweep, searches_within_its_bounds) {
  write("slow.yaml", slow_sinks);
  ASSERT_EQ(run_sweep(with(search, "to: 0.6", "to: 0.2"), "--out below").status, 0);
  ASSERT_EQ(run_sweep(with(search, "from: 0.05", "from: 0.4"), "--out above").status, 0);
  ASSERT_EQ(run_sweep(with(search, "tolerance: 0.01", "tolerance: 0.01, latency: 12"), "--out fast").status,
            0);
  const auto found = [&](const std::string& out) {
    const std::string id = json::parse(lines(out + "/plan.jsonl")[1])["id"];
    return json::parse(read_text(folder / out / "runs" / id / "result.json"));
  };
  EXPECT_EQ(found("below")["saturation"]["rate"], 0.2);
  EXPECT_EQ(found("below")["saturation"]["limited"], false);
  EXPECT_TRUE(found("above")["saturation"]["rate"].is_null());
  EXPECT_EQ(found("above")["saturation"]["sustained"], false);
  EXPECT_LE(found("fast")["latency"]["mean"], 12);
  EXPECT_LT(found("fast")["saturation"]["rate"], 0.26);
  expect_wrong(run_sweep(with(search, "to: 0.6", "to: 0.01")),
               "s.yaml:5:", "expected more than 0.05, found 0.01");
  expect_wrong(run_sweep(with(search, "tolerance: 0.01", "tolerance: 1e-19")),
               "s.yaml:5:46: saturation.tolerance: ",
               "expected at least 5.5e-07, of which 1000000 lead from 0.05 to 0.6, found 1e-19");
  expect_wrong(run_sweep(with(search, "{from", "{over: traffic.0.raet, from")),
               "s.yaml:5:", "did you mean 'rate'?");
  expect_wrong(run_sweep(std::string(search) + "grid: {traffic.0.rate: [0.1]}\n"), "s.yaml:5:", "grid");
  expect_wrong(run_sweep(with(search, "{from", "{over: seed, from")),
               "s.yaml:5:20: saturation.over: ", "found 'seed', expected a load");
}

TEST_F(a_sweep, sustains_no_load_whatever_its_latency_may_be) {
  write("slow.yaml", slow_sinks);
  ASSERT_EQ(run_sweep(with(search, "from: 0.05, to: 0.6, tolerance: 0.01",
                           "from: 0, to: 0.6, tolerance: 0.1, latency: 500"))
                .status,
            0);
  const std::string id = json::parse(lines("out/plan.jsonl")[1])["id"];
  const json result = json::parse(read_text(folder / "out/runs" / id / "result.json"));
  EXPECT_EQ(result["saturation"]["sustained"], true);
  EXPECT_EQ(result["saturation"]["rate"], 0.2);
}

TEST_F(a_sweep, searches_for_the_share_that_is_wanted) {
  write("slow.yaml", slow_sinks);
  ASSERT_EQ(run_sweep(with(search, "tolerance: 0.01", "tolerance: 0.01, accepted: 0.5")).status, 0);
  const std::string id = json::parse(lines("out/plan.jsonl")[1])["id"];
  const json result = json::parse(read_text(folder / "out/runs" / id / "result.json"));
  EXPECT_NEAR(result["saturation"]["rate"], 0.5, 0.015) << "of which a quarter of the full rate is half";
}

// A ring of buffers that can deadlock, and at the high load does.
TEST_F(a_sweep, that_searches_ends_at_a_fault) {
  write("slow.yaml",
        "name: ring\ntopology: {kind: ring, terminals: 6, bidirectional: false}\nswitch: {kind: packet, "
        "depth: 1}\n"
        "traffic:\n  - {pattern: uniform, rate: 0.2}\nmeasure: {cycles: 1000, drain: 0}\n"
        "checks: {deadlock: false, watchdog: 100}\n");
  const process_result r =
      run_sweep(with(with(search, "seeds: 2", "seeds: 1"), "{from: 0.05", "{from: 0.01"));
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_THAT(r.output, HasSubstr("): deadlock"));
  const std::string id = json::parse(lines("out/plan.jsonl")[1])["id"];
  const json result = json::parse(read_text(folder / "out/runs" / id / "result.json"));
  EXPECT_EQ(result["status"], "deadlock");
  EXPECT_EQ(result["saturation"]["sustained"], true);
  EXPECT_EQ(result["saturation"]["tries"], 2) << "no more once there is a fault";
}

// Of another build, which let it be: 2^45 steps, through which a search would go with some 47 tries.
TEST_F(a_sweep, that_would_hardly_end_is_refused_by_who_carries_it_out) {
  write("slow.yaml", with(slow_sinks, "cycles: 20000", "cycles: 100"));
  const process_result listed = run_sweep(search, "--out out --list-commands | head -n 1 >command");
  ASSERT_EQ(listed.status, 0) << listed.output;
  const std::string plan = read_text(folder / "out/plan.jsonl");
  write("out/plan.jsonl", with(plan, R"("tolerance":0.01)", R"("tolerance":1.5e-14)"));
  const process_result r = run_process("cd '" + folder.path().string() + "'; sh command");
  EXPECT_THAT(r.output, HasSubstr("found a tolerance of 1.5e-14, too small for a search from 0.05 to 0.6"));
}

}  // namespace
