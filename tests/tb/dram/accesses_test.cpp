// Processors and memory modules with banks in networks, as a user runs them; and what an address map does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <spillway/tb/dram/access_stream.hpp>
#include <spillway/tb/dram/module_map.hpp>
#include <tuple>

#include "support/process.hpp"

using namespace spillway;
using nlohmann::json;

namespace {

constexpr const char* memory_network =
    "name: accesses\n"
    "topology: {kind: butterfly, radix: 2, stages: 3}\n"
    "switch: {kind: packet, buffering: voq, depth: 4}\n"
    "interface: {kind: memory, module: dram, latency: 3}\n"
    "measure: {interval: 20, limit: 400000}\n";

struct memory_outcome {
  int status = 0;
  std::string output, deliveries;
  json result;
  double operator[](const char* name) const { return result.at("counters").at(name); }
};

class accesses : public testing::Test {
protected:
  memory_outcome run(const std::string& keys, const std::string& options = "") {
    std::ofstream(folder_ / "e.yaml") << memory_network << "workload: {kind: accesses, " << keys << "}\n";
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder_ / "e.yaml").string() +
                    "' --no-report --deliveries --out '" + (folder_ / "out").string() + "' " + options);
    memory_outcome o{r.status, r.output, {}, {}};
    if (r.status == 2) return o;
    o.result = json::parse(read_text(folder_ / "out" / "result.json"));
    o.deliveries = read_text(folder_ / "out" / "deliveries.csv");
    return o;
  }
  const scratch_folder folder_;
};

constexpr const char* two_modules = "modules: [0, 4], accesses: 100, space: 65536";

}  // namespace

TEST_F(accesses, are_all_answered_in_any_pattern_alike_on_both_kernels) {
  for (const char* pattern : {"uniform", "stride", "hot_page", "embedding, entries: 1000"}) {
    const std::string keys = std::string(two_modules) + ", writes: 0.3, write_length: 2, pattern: " + pattern;
    const memory_outcome fast = run(keys), signals = run(keys, "--kernel signals");
    ASSERT_EQ(fast.status, 0) << fast.output;
    EXPECT_EQ(fast["accesses.done"], 600) << pattern;
    EXPECT_EQ(fast["dram.reads"] + fast["dram.writes"], 600) << pattern;
    EXPECT_GT(fast["dram.writes"], 100) << pattern;
    EXPECT_EQ(fast.deliveries, signals.deliveries) << pattern;
    EXPECT_EQ(fast.result.at("lost"), 0);
  }
}

TEST_F(accesses, of_one_module_take_its_bus_for_each) {
  // Neighbours of one row, one module: a burst of 4 cycles each is all that it can do.
  const memory_outcome o = run("modules: [0], accesses: 300, space: 4096, pattern: stride");
  ASSERT_EQ(o.status, 0) << o.output;
  EXPECT_GT(o["accesses.end"], 7 * 300 * 4);
  EXPECT_LT(o["accesses.end"], 7 * 300 * 4 * 1.1);
  EXPECT_EQ(o["accesses.busiest"], 1);
}

TEST_F(accesses, at_a_stride_meet_one_module_unless_they_are_hashed) {
  const std::string keys = std::string(two_modules) + ", pattern: stride, stride: 2";
  const memory_outcome plain = run(keys), hashed = run(keys + ", hash: true");
  EXPECT_EQ(plain["accesses.busiest"], 1);
  EXPECT_LT(hashed["accesses.busiest"], 0.6);
  EXPECT_LT(hashed["accesses.end"], 0.75 * plain["accesses.end"]);
}

// Also where the product of an access's number and the stride has more than 64 bits.
TEST(access_stream, of_a_stride_goes_on_by_it_round_the_space) {
  access_config config;
  config.what = access_config::pattern::stride;
  config.space = 3ull << 38;
  config.stride = (1ull << 40) - 1;
  config.processors = 1u << 26;
  const auto first = [&](std::uint32_t processor) {
    return access_stream(config, nullptr, processor).next();
  };
  for (const std::uint32_t processor : {1u, 1u << 23, (1u << 24) - 1, 1u << 24, (1u << 26) - 2})
    EXPECT_EQ(first(processor + 1), (first(processor) + config.stride) % config.space) << processor;
}

TEST_F(accesses, of_a_row_that_is_closed_at_once_hit_none_later) {
  const std::string keys =
      "modules: [0], processors: [1], outstanding: 1, gap: 200, accesses: 50, pattern: stride, space: 32";
  const memory_outcome open = run(keys), closed = run(keys, "--set interface.page=closed");
  EXPECT_EQ(open["dram.row_hits"], 49);
  EXPECT_EQ(closed["dram.row_hits"], 0);
  EXPECT_EQ(closed["dram.activations"], 50);
  EXPECT_EQ(closed["accesses.latency.max"], closed["accesses.latency.mean"]);
  const double hit = closed["accesses.latency.mean"] - 14;  // tRCD less
  EXPECT_NEAR(open["accesses.latency.mean"] * 50, 49 * hit + closed["accesses.latency.mean"], 1e-6);
}

TEST_F(accesses, pass_every_mechanism_at_the_edge_of_the_memory) {
  const std::string keys = std::string(two_modules) + ", pattern: hot_page, hot: 0.5, interleave: 32";
  const memory_outcome plain = run(keys);
  for (const char* options : {"--set 'switch={kind: dampening, assignment: subsets, buffers: 8, j: 4, flow: "
                              "receiver, pool: switch}'",
                              "--set 'switch={kind: packet, buffering: output, depth: 4, memory_depth: 16}' "
                              "--set interface.kind=feedback "
                              "--set interface.bleeding=round_robin --set interface.set_aside=32",
                              "--set 'interface.nifdy={pool: 16, outstanding: 8}'",
                              "--set 'switch={kind: combining, depth: 4, wait_buffer: 8}'"}) {
    const memory_outcome o = run(keys, options);
    ASSERT_EQ(o.status, 0) << options << o.output;
    EXPECT_EQ(o["accesses.done"], 600) << options;
    EXPECT_NE(o.deliveries, plain.deliveries) << options;
  }
}

TEST_F(accesses, that_read_one_line_are_one_where_switches_combine) {
  const std::string keys =
      "modules: [0, 4], accesses: 100, space: 65536, writes: 0.1, pattern: hot_page, page: 1";
  for (const char* overtakes : {"false", "true"}) {
    const std::string options =
        std::string("--set 'switch={kind: combining, depth: 4, overtakes: ") + overtakes + "}' ";
    // Modules that answer in order, so that the scoreboard looks whether it is kept where that is promised.
    for (const char* order : {"in_order", "open_row_first"}) {
      const std::string all = options + "--set interface.order=" + order;
      const memory_outcome fast = run(keys, all), signals = run(keys, all + " --kernel signals");
      ASSERT_EQ(fast.status, 0) << all << fast.output;
      EXPECT_EQ(fast["accesses.done"], 600) << all;
      EXPECT_EQ(fast.result.at("lost"), 0) << all;
      EXPECT_GT(fast["combining.merged"], 50) << all;
      EXPECT_EQ(fast["dram.reads"] + fast["dram.writes"] + fast["combining.merged"], 600) << all;
      EXPECT_EQ(fast["dram.writes"], run(keys)["dram.writes"]) << all << ": writes are not combined";
      EXPECT_EQ(fast.deliveries, signals.deliveries) << all;
    }
  }
  // What is of one module and never of one line.
  const memory_outcome apart = run("modules: [0], accesses: 100, space: 65536, pattern: stride",
                                   "--set 'switch={kind: combining, depth: 4, overtakes: true}'");
  EXPECT_EQ(apart["combining.merged"], 0);
  EXPECT_EQ(apart["dram.reads"], 700);
}

// A processor would wait for what was under way for ever: the run would go to its limit.
TEST_F(accesses, go_on_after_a_reset_with_what_has_not_been_asked_for) {
  const std::string keys = "modules: [0], processors: [1, 2], outstanding: 2, accesses: 50, pattern: uniform";
  const memory_outcome fast = run(keys, "--set 'resets=[{cycle: 300, length: 2}]'"),
                       signals = run(keys, "--set 'resets=[{cycle: 300, length: 2}]' --kernel signals");
  ASSERT_EQ(fast.status, 0) << fast.output;
  EXPECT_GE(fast["accesses.done"], 2 * (50 - 2));
  EXPECT_LT(fast["accesses.done"], 2 * 50);
  EXPECT_EQ(fast.deliveries, signals.deliveries);
}

TEST_F(accesses, that_do_not_fit_are_refused) {
  const auto says = [&](const std::string& keys, const std::string& message,
                        const std::string& options = "") {
    const memory_outcome o = run(keys, options);
    EXPECT_EQ(o.status, 2) << keys << options;
    EXPECT_NE(o.output.find(message), std::string::npos) << o.output;
  };
  const std::string some = std::string(two_modules) + ", pattern: uniform";
  says("modules: [0, 8], accesses: 1, pattern: uniform", "modules: expected terminals 0..7, found 8");
  says("modules: [0, 0], accesses: 1, pattern: uniform", "modules: terminal 0 stands here twice");
  says(std::string(two_modules) + ", pattern: embedding, entries: 65536",
       "the table lies in the space of 65536 accesses");
  const std::string page = "modules: [0], accesses: 1, pattern: hot_page, space: 64, page: ";
  says(page + "65", "the hot page lies in the space of 64 accesses: expected fewer, found 65");
  EXPECT_EQ(run(page + "64").status, 0);
  says("modules: [0], accesses: 1, pattern: uniform, space: 4294967296",
       "a module has at most 2147483647 accesses");
  says(some, "banks are a power of two, found 12", "--set interface.banks=12");
  says(some, "tRAS 3 is less than tRCD 14", "--set interface.timing.tRAS=3");
  says(some, "waits for the replies of memory modules", "--set interface.replies=false");
  says(some, "answer all requests: expected replies: true",
       "--set interface.replies=false --set 'workload=~' --set 'traffic=[{pattern: uniform, messages: 1}]'");
  for (const char* slower :
       {"accept_interval=2", "'pauses=[{terminals: [0], from: 5, until: 9}]'", "'stopped=[1]'", "stopped=1"})
    says(some, "expected no accept_interval, pauses or stopped", "--set endpoint." + std::string(slower));
}

TEST_F(accesses, take_the_timing_of_a_file_of_its_own) {
  const auto timing = [&](const std::string& text) { std::ofstream(folder_ / "module.yaml") << text; };
  const std::string some = std::string(two_modules) + ", pattern: uniform",
                    named = "--set interface.timing_file=module.yaml";
  const std::string distances =
      "tRCD: 20\ntRP: 20\ntCL: 20\ntCWL: 12\ntRAS: 44\ntCCD: 6\ntRRD: 6\ntFAW: 24\ntWTR: 8\ntRTW: 8\ntRTP: "
      "8\ntWR: 16\n";
  timing(distances);
  const memory_outcome file = run(some, named);
  ASSERT_EQ(file.status, 0) << file.output;
  const memory_outcome keys =
      run(some,
          "--set 'interface.timing={tRCD: 20, tRP: 20, tCL: 20, tCWL: 12, tRAS: 44, tCCD: "
          "6, tRRD: 6, tFAW: 24, tWR: 16}'");
  EXPECT_EQ(file.deliveries, keys.deliveries);
  EXPECT_NE(file.deliveries, run(some).deliveries) << "other distances than by default";
  EXPECT_EQ(file["dram.refreshes"], 0);

  // Of half the cycles, all even; an odd one is rounded up.
  timing(
      "period: 0.5\ntRCD: 39\ntRP: 40\ntCL: 40\ntCWL: 24\ntRAS: 88\ntCCD: 12\ntRRD: 12\ntFAW: 48\ntWTR: "
      "16\ntRTW: 16\ntRTP: 16\ntWR: 32\n");
  EXPECT_EQ(run(some, named).deliveries, file.deliveries);
  // What a run keeps names the file from where it lies.
  const process_result again =
      run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder_ / "out/config.yaml").string() +
                  "' --no-report --deliveries --out '" + (folder_ / "again").string() + "'");
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_EQ(read_text(folder_ / "again/deliveries.csv"), file.deliveries);
  // It has the distances that were used beside it: of those by default, tRP is 14.
  const std::string kept = read_text(folder_ / "out/config.yaml");
  EXPECT_NE(kept.find("tRCD: 20"), std::string::npos) << kept;
  EXPECT_NE(kept.find("tRP: 20"), std::string::npos) << kept;
  EXPECT_EQ(read_text(folder_ / "again/config.yaml").substr(0, 200), kept.substr(0, 200));

  for (const char* shipped : {"ddr4-3200", "hbm2"}) {
    const memory_outcome o = run(
        some, "--set interface.timing_file='" SPILLWAY_YAML_DIR "/dram/" + std::string(shipped) + ".yaml'");
    EXPECT_EQ(o.status, 0) << o.output;
    EXPECT_EQ(o["accesses.done"], 600) << shipped;
  }

  const auto says = [&](const std::string& text, const std::string& message, const std::string& more = "") {
    timing(text);
    const memory_outcome o = run(some, named + more);
    EXPECT_EQ(o.status, 2) << text;
    EXPECT_NE(o.output.find(message), std::string::npos) << o.output;
  };
  says(distances + "tXYZ: 4\n", "module.yaml:13:7: tXYZ: this key is not known");
  says(distances + "tREFI: 1.5\n",
       "module.yaml:13:8: tREFI: found 1.5, expected an integer from 0 to 10000000");
  says("tRCD: 0\n", "module.yaml:1:7: tRCD: found 0, expected an integer from 1 to 65535");
  says("tRCD: 20\n", "module.yaml:1:1: expected the distance tRP");
  says("[1]\n", "expected a map of distances");
  says(distances + "period: -1\n", "module.yaml:13:9: period: found -1, expected nanoseconds up to 1000");
  says(distances + "tRFC: 60000\nperiod: 2\n", "tRFC: is more than 65535 cycles of the network");
  says(distances + "tREFI: 100\n", "module.yaml:1:1: refreshes leave time for others");
  says(distances, "interface.timing.tRCD: found 9, expected the 20 of the timing_file, or none",
       " --set interface.timing.tRCD=9");
  const memory_outcome missing = run(some, "--set interface.timing_file=none.yaml");
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.output.find("--set interface.timing_file=none.yaml: interface.timing_file: "),
            std::string::npos)
      << missing.output;
  EXPECT_NE(missing.output.find("none.yaml: cannot be read"), std::string::npos) << missing.output;
}

// The shipped experiment, with another file and with none.
TEST(timing_files, make_the_difference_that_the_page_tells_of) {
  const scratch_folder folder;
  const std::string page = read_text(SPILLWAY_EXPERIMENTS "/../../docs/dram.md");
  for (const auto& [option, said, refreshes] :
       {std::tuple{"", "13,071 with DDR4", 64}, std::tuple{"../dram/hbm2.yaml", "9,254 with HBM2", 128},
        std::tuple{"~", "10,878 with the model's own", 0}}) {
    const std::string set = *option ? std::string(" --set interface.timing_file=") + option : "";
    const process_result r = run_process(SPILLWAY_COMMAND " run '" SPILLWAY_EXPERIMENTS
                                                          "/dram-ddr4.yaml' --quiet --no-report --out '" +
                                         (folder / "out").string() + "'" + set);
    ASSERT_EQ(r.status, 0) << r.output;
    const json counters = json::parse(read_text(folder / "out" / "result.json")).at("counters");
    std::string end = std::to_string(std::lround(counters.at("accesses.end").get<double>()));
    end.insert(end.size() - 3, ",");
    EXPECT_EQ(std::string(said).substr(0, end.size()), end);
    EXPECT_EQ(counters.at("dram.refreshes"), refreshes) << said;
    EXPECT_NE(page.find(said), std::string::npos) << said;
  }
}

TEST(module_map, gives_every_access_a_place_of_its_own) {
  for (const std::uint32_t modules : {1U, 3U, 8U})
    for (const std::uint64_t interleave : {1U, 4U})
      for (const bool hash : {false, true}) {
        const module_map map{modules, interleave, hash};
        std::set<std::pair<std::uint32_t, std::uint64_t>> places;
        const std::uint64_t all = 50 * modules * interleave;
        for (std::uint64_t a = 0; a < all; ++a) {
          const module_place p = map.place(a);
          EXPECT_LT(p.module, modules);
          EXPECT_LT(p.access, 50 * interleave);
          places.insert({p.module, p.access});
        }
        EXPECT_EQ(places.size(), all);
        EXPECT_EQ(map.place(0).module, map.place(interleave - 1).module);
      }
}

TEST(embedding, has_entries_as_popular_as_zipfs_law_says) {
  access_config c;
  c.what = access_config::pattern::embedding;
  c.entries = 100, c.entry = 4, c.space = 400, c.skew = 1;
  const auto table = std::make_shared<const embedding_table>(c);
  access_stream stream(c, table, 0);
  std::vector<unsigned> reads(100);
  constexpr unsigned lookups = 50000;
  for (unsigned i = 0; i < lookups; ++i) {
    const std::uint64_t first = stream.next();
    ASSERT_EQ(first % 4, 0u);
    for (std::uint64_t k = 1; k < 4; ++k) ASSERT_EQ(stream.next(), first + k) << "an entry is read whole";
    ++reads[first / 4];
  }
  std::sort(reads.rbegin(), reads.rend());
  double all = 0;
  for (unsigned k = 1; k <= 100; ++k) all += 1.0 / k;
  for (const unsigned k : {1U, 2U, 5U, 20U})
    EXPECT_NEAR(reads[k - 1], lookups / (k * all), 5 * std::sqrt(lookups / (k * all))) << "entry " << k;
}
