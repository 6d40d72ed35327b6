// One run small enough to follow with a pencil pins every number that a run is measured by.
#include <nlohmann/json.hpp>

#include "support/studies.hpp"

namespace {

using nlohmann::json;

// Four terminals, two stages; a packet takes a cycle to its first link and one each over three links.
// Measured are the packets created in cycles 10 to 29, and what is delivered in those cycles. Created, and
// delivered:
//   before    2->5  7->10  9->12
//   to 3     10->13, 10->14 (the other waits a cycle)   19->22, 23, 24, 25 (a batch of all four terminals)
//   to others 12->15  26->29  27->30  28->31, 32, 33 (from one terminal, a link for one a cycle)  29->32
//   after    30->33
constexpr const char* experiment =
    "name: measured\n"
    "topology: {kind: butterfly, radix: 2, stages: 2}\n"
    "switch: {kind: packet, depth: 4}\n"
    "traffic:\n"
    "  - {pattern: trace, file: m.csv}\n"
    "  - {pattern: hotspot, targets: [3], fraction: 1, injection: batch, start: 19, stream: 1}\n"
    "measure: {warmup: 10, cycles: 20, interval: 8}\n";
constexpr const char* trace =
    "cycle,source,destination\n"
    "2,0,1\n7,1,2\n9,2,0\n10,0,3\n10,1,3\n12,2,1\n26,2,1\n27,3,1\n28,0,2\n28,0,2\n28,0,2\n29,1,0\n30,1,0\n";

/// Latency from creation and from injection, which comes a cycle later, but for those that wait at the
/// source.
json latency(double mean, int p50, int p99, int max) {
  return {{"mean", mean}, {"p50", p50}, {"p99", p99}, {"max", max}};
}

class measuring : public studies {
protected:
  json result(const std::string& kernel) {
    write("m.yaml", experiment);
    write("m.csv", trace);
    const process_result r = spillway("run m.yaml --no-report --deliveries --out out --kernel " + kernel);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder / "out/result.json"));
  }
};

json expected(const std::string& kernel) {
  json j = {{"schema_version", 1},
            {"status", "ok"},
            {"name", "measured"},
            {"seed", 1},
            {"kernel", kernel},
            {"level", "pins"},
            {"partial", false},
            {"saturated", true},  // 10 delivered of 13 offered
            {"cycles", 40},
            {"measured_from", 10},
            {"measured_cycles", 20},
            {"terminals", 4},
            {"blocks", 12},  // 4 switches, 4 sources, 4 sinks
            {"links", 12},
            {"created", 17},
            {"injected", 17},
            {"delivered", 17},
            {"hops", 2.0},
            {"throughput", 10 / 80.0},
            {"offered", 13 / 80.0},
            {"counters", json::object()},
            {"findings", json::array()},
            {"pictures", json::array()}};
  for (const char* none : {"lost", "duplicated", "misordered", "corrupted", "violations", "reset_dropped",
                           "reset_dropped_flits", "lost_in_reset"})
    j[none] = 0;
  j["latency"] = latency(49 / 13.0, 3, 6, 6);          // 7 of 3, 3 of 4, 2 of 5, 1 of 6
  j["network_latency"] = latency(33 / 13.0, 2, 5, 5);  // 9 of 2, 2 of 3, 1 of 4, 1 of 5
  j["classes"]["hot"] = {{"delivered", 6},
                         {"latency", latency(25 / 6.0, 4, 6, 6)},           // 3 4, 3 4 5 6
                         {"network_latency", latency(19 / 6.0, 3, 5, 5)}};  // each injected after a cycle
  j["classes"]["cool"] = {{"delivered", 4},                                 // in cycles 10, 12, 15, 29
                          {"latency", latency(24 / 7.0, 3, 5, 5)},          // 3 3 3, 3 4 5, 3
                          {"network_latency", latency(2, 2, 2, 2)}};
  return j;
}

TEST_F(measuring, every_number_of_a_run_is_what_a_pencil_finds) {
  for (const char* kernel : {"fast", "signals"}) {
    EXPECT_EQ(result(kernel), expected(kernel));
    // At cycle 24 two of the batch are in the last stage, 2 of its 16 places; at 32 there are two in each
    // stage.
    EXPECT_EQ(read_text(folder / "out/series.csv"),
              "cycle,created,delivered,delivered_hot,in_flight,occupancy.stage 0,occupancy.stage 1\n"
              "8,2,1,0,0,0,0\n"
              "16,4,5,2,0,0,0\n"
              "24,4,2,2,2,0,0.125\n"
              "32,7,5,2,4,0.125,0.125\n"
              "40,0,4,0,0,0,0\n");
    EXPECT_EQ(read_text(folder / "out/histogram.csv"), "latency,packets,width\n3,7,1\n4,3,1\n5,2,1\n6,1,1\n");
  }
}

}  // namespace
