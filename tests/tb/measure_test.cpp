// One run small enough to follow with a pencil pins every number that a run is measured by.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

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
  json j = {
      {"schema_version", 1},
      {"status", "ok"},
      {"name", "measured"},
      {"seed", 1},
      {"kernel", kernel},
      {"level", "pins"},
      {"partial", false},
      {"saturated", false},  // 10 delivered of 13 offered: three may be under way
      {"cycles", 40},
      {"measured_from", 10},
      {"measured_cycles", 20},
      {"terminals", 4},
      {"blocks", 12},  // 4 switches, 4 sources, 4 sinks
      {"links", 12},
      {"places", 32},  // 4 switches with 2 queues of 4
      // A queue's first place and length, 2 + 3 bits; of an output who sends and whose turn it is, 2 + 1.
      {"hardware",
       {{"switches", {{"flits", 32}, {"bits", 4 * (2 * 5 + 2 * 3)}}},
        {"register_stages", {{"flits", 0}, {"bits", 0}}},
        {"interfaces", {{"flits", 0}, {"bits", 0}}},
        {"wires", {{"flits", 12}, {"bits", 24}}}}},  // valid and ready
      {"created", 17},
      {"injected", 17},
      {"delivered", 17},
      {"hops", 2.0},
      {"forwarded_flits", 20},  // by two switches each, as many half way at the end as at the beginning
      {"throughput", 10 / 80.0},
      {"throughput_flits", 10 / 80.0},
      {"offered", 13 / 80.0},
      {"offered_flits", 13 / 80.0},
      {"confidence",
       {{"throughput", nullptr},
        {"latency", nullptr},
        {"warning",
         "no confidence intervals: the measured part has fewer than 20 intervals of 8 cycles; measure "
         "longer, or with a shorter measure.interval"}}},
      {"counters", json::object()},
      {"findings", json::array()},
      {"pictures", json::array()}};
  for (const char* none : {"lost", "duplicated", "misordered", "corrupted", "violations", "reset_dropped",
                           "reset_dropped_flits", "lost_in_reset"})
    j[none] = 0;
  j["latency"] = latency(49 / 13.0, 3, 6, 6);          // 7 of 3, 3 of 4, 2 of 5, 1 of 6
  j["network_latency"] = latency(33 / 13.0, 2, 5, 5);  // 9 of 2, 2 of 3, 1 of 4, 1 of 5
  j["classes"]["hot"] = {{"delivered", 6},
                         {"latency", latency(25 / 6.0, 4, 6, 6)},          // 3 4, 3 4 5 6
                         {"network_latency", latency(19 / 6.0, 3, 5, 5)},  // each injected after a cycle
                         {"throughput", 6 / 80.0},
                         {"throughput_flits", 6 / 80.0},
                         {"offered", 6 / 80.0},
                         {"offered_flits", 6 / 80.0}};
  j["classes"]["cool"] = {{"delivered", 4},                         // in cycles 10, 12, 15, 29
                          {"latency", latency(24 / 7.0, 3, 5, 5)},  // 3 3 3, 3 4 5, 3
                          {"network_latency", latency(2, 2, 2, 2)},
                          {"throughput", 4 / 80.0},
                          {"throughput_flits", 4 / 80.0},
                          {"offered", 7 / 80.0},
                          {"offered_flits", 7 / 80.0}};
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
    // What crosses, and leaves a switch, in cycles 10 to 29, and what is in the switches at 16 and 24.
    EXPECT_EQ(read_text(folder / "out/links.csv"),
              "link,kind,from,to,flits,utilisation,blocked\n"
              "network.link_terminal_0_0,packet,terminal_0,switch_0,3,0.15,0\n"
              "network.link_terminal_1_0,packet,terminal_1,switch_0,2,0.1,0\n"
              "network.link_terminal_2_0,packet,terminal_2,switch_1,4,0.2,0\n"
              "network.link_terminal_3_0,packet,terminal_3,switch_1,2,0.1,0\n"
              "network.link_switch_0_0,packet,switch_0,switch_2,0,0,0\n"
              "network.link_switch_0_1,packet,switch_0,switch_3,4,0.2,0\n"
              "network.link_switch_1_0,packet,switch_1,switch_2,4,0.2,0\n"
              "network.link_switch_1_1,packet,switch_1,switch_3,2,0.1,0\n"
              "network.link_switch_2_0,packet,switch_2,terminal_0,1,0.05,0\n"
              "network.link_switch_2_1,packet,switch_2,terminal_1,2,0.1,0\n"
              "network.link_switch_3_0,packet,switch_3,terminal_2,1,0.05,0\n"
              "network.link_switch_3_1,packet,switch_3,terminal_3,6,0.3,0\n");
    EXPECT_EQ(read_text(folder / "out/switches.csv"),
              "switch,stage,flits,occupancy_mean,occupancy_max,capacity,blocked_in,blocked_out,packets,"
              "delay_mean,delay_max\n"
              "switch_0,0,4,0,0,8,0,0,,,\n"
              "switch_1,0,6,0,0,8,0,0,,,\n"
              "switch_2,1,3,0,0,8,0,0,,,\n"
              "switch_3,1,7,1,2,8,0,0,,,\n");
    EXPECT_EQ(read_text(folder / "out/deliveries.csv").substr(0, 90),
              "cycle,source,destination,packet,created,injected,length,class,hops\n5,0,1,0,2,3,1,0,2\n10,1,");
    EXPECT_FALSE(std::filesystem::exists(folder / "out/flows.csv"));
  }
}

// Of the 13 measured packets two wait at the source for one and two cycles, three a cycle for the other
// packet at a switch of the first stage (that of cycle 10, two of the batch), and the batch in switch 3,
// where two come in cycle 21 and two in 22 and one goes in each from 22 on, for 4 in all; 2, 0, 3, 1 take
// turns.
TEST_F(measuring, every_cycle_of_a_packet_is_somewhere) {
  write("m.yaml", experiment);
  write("m.csv", trace);
  for (const char* kernel : {"fast", "signals"}) {
    const process_result r = spillway(
        std::string(
            "run m.yaml --no-report --set measure.breakdown=true measure.flows=true --out out --kernel ") +
        kernel);
    EXPECT_EQ(r.status, 0) << r.output;
    const json found = json::parse(read_text(folder / "out/result.json"));
    EXPECT_EQ(found["breakdown"], json({{"packets", 13},
                                        {"not_followed", 0},
                                        {"source", 16 / 13.0},
                                        {"interface", 0.0},
                                        {"switches", 33 / 13.0},
                                        {"links", 0.0},
                                        {"arrival", 0.0},
                                        {"stages", {{"stage 0", 16 / 13.0}, {"stage 1", 17 / 13.0}}}}));
    EXPECT_EQ(read_text(folder / "out/switches.csv"),
              "switch,stage,flits,occupancy_mean,occupancy_max,capacity,blocked_in,blocked_out,packets,"
              "delay_mean,delay_max\n"
              "switch_0,0,4,0,0,8,0,0,8,1.25,2\n"
              "switch_1,0,6,0,0,8,0,0,5,1.2,2\n"
              "switch_2,1,3,0,0,8,0,0,4,1,1\n"
              "switch_3,1,7,1,2,8,0,0,9,1.44444444444,3\n");
    EXPECT_EQ(read_text(folder / "out/flows.csv"),
              "source,destination,packets,flits,mean,p99,max\n"
              "0,2,3,3,4,5,5\n"
              "0,3,2,2,3.5,4,4\n"
              "1,0,1,1,3,3,3\n"
              "1,3,2,2,5,6,6\n"
              "2,1,2,2,3,3,3\n"
              "2,3,1,1,3,3,3\n"
              "3,1,1,1,3,3,3\n"
              "3,3,1,1,5,5,5\n");
    EXPECT_NE(
        r.output.find("time       source 1.23, interface 0.00, switches 2.54, links 0.00, arrival 0.00"),
        std::string::npos)
        << r.output;
  }
}

// Links of three cycles and packets of four flits, many: all parts but the interface have something, and add
// up to the latency; all kernels and several threads say the same.
TEST_F(measuring, where_time_went_is_the_same_on_every_kernel) {
  write("b.yaml",
        "name: b\ntopology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet, depth: 8}\n"
        "packet: {length: 4}\nlink: {latency: 3}\ntraffic: [{pattern: uniform, rate: 0.5}]\n"
        "measure: {warmup: 100, cycles: 1000, breakdown: true, flows: true}\n");
  json first;
  std::string tables;
  for (const char* kernel : {"fast", "signals", "doubting", "fast --threads 3 --set blocks_a_thread=1"}) {
    const process_result r = spillway(std::string("run b.yaml --deliveries --out out --kernel ") + kernel);
    EXPECT_EQ(r.status, 0) << r.output;
    json found = json::parse(read_text(folder / "out/result.json"));
    found.erase("kernel");
    const json& where = found["breakdown"];
    const auto part = [&where](const char* name) { return where[name].get<double>(); };
    EXPECT_EQ(where["not_followed"], 0);
    EXPECT_GT(where["packets"], 500);
    EXPECT_GE(part("links"), 4 * 2) << "four links, each two cycles longer than a plain one";
    EXPECT_LT(part("links"), 4 * 2 + 2) << "few wait at their ends";
    EXPECT_GT(part("source"), 1);
    EXPECT_GT(part("switches"), 3);
    EXPECT_GE(part("arrival"), 3);
    EXPECT_NEAR(part("source") + part("interface") + part("switches") + part("links") + part("arrival"),
                found["latency"]["mean"].get<double>(), 1e-9);
    const std::string text = read_text(folder / "out/deliveries.csv") + read_text(folder / "out/flows.csv") +
                             read_text(folder / "out/switches.csv");
    EXPECT_EQ(text.find(",0,\n"), std::string::npos) << "hops are known of every packet";
    if (first.is_null()) first = found, tables = text;
    EXPECT_EQ(found, first) << kernel;
    EXPECT_EQ(text, tables) << kernel;
    const std::string page = read_text(folder / "out/report.html");
    EXPECT_NE(page.find("Where the time of packets went, measured part"), std::string::npos);
    EXPECT_NE(page.find("<th scope=\"row\">switches, stage 2</th>"), std::string::npos);
  }
  const process_result blind = spillway("check b.yaml --set checks.links=false");
  EXPECT_EQ(blind.status, 2);
  EXPECT_NE(blind.output.find("b.yaml:7:49: measure.breakdown: the checkers of links follow the packets"),
            std::string::npos)
      << blind.output;
}

// A link of two cycles with a buffer before it is three, one behind the other.
TEST_F(measuring, packets_are_followed_through_buffers_and_stages_of_links) {
  write("l.yaml",
        "name: l\ntopology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet, depth: 8}\n"
        "link: {latency: 2, buffer: 8}\ntraffic: [{pattern: uniform, rate: 0.2}]\n"
        "measure: {cycles: 500, breakdown: true}\n");
  const process_result r = spillway("run l.yaml --no-report --deliveries --out out");
  ASSERT_EQ(r.status, 0) << r.output;
  const json found = json::parse(read_text(folder / "out/result.json")), &where = found["breakdown"];
  EXPECT_EQ(where["not_followed"], 0);
  ASSERT_GT(where["packets"], 300);
  const auto part = [&where](const char* name) { return where[name].get<double>(); };
  EXPECT_GE(part("links"), 4 * 2) << "four links with a cycle in the buffer and one in the stages";
  EXPECT_NEAR(part("source") + part("interface") + part("switches") + part("links") + part("arrival"),
              found["latency"]["mean"].get<double>(), 1e-9);
  const std::string packets = read_text(folder / "out/deliveries.csv");
  EXPECT_EQ(packets.find(",0,\n"), std::string::npos) << "hops are known of every packet";
}

TEST_F(measuring, packets_that_cannot_be_followed_are_some_of_all) {
  write("c.yaml",
        "name: c\ntopology: {kind: omega, radix: 2, stages: 3}\n"
        "switch: {kind: combining, depth: 4, degree: 2, wait_buffer: 16}\n"
        "interface: {kind: memory, latency: 4}\n"
        "traffic: [{pattern: hotspot, targets: [0], fraction: 0.5, rate: 0.5, cycles: 300}]\n"
        "measure: {breakdown: true}\n");
  const process_result r = spillway("run c.yaml --no-report --out out");
  ASSERT_EQ(r.status, 0) << r.output;
  const json found = json::parse(read_text(folder / "out/result.json"));
  const auto followed = found["breakdown"]["packets"].get<std::uint64_t>(),
             merged = found["breakdown"]["not_followed"].get<std::uint64_t>();
  EXPECT_GT(merged, 0u);
  EXPECT_EQ(found["delivered"], followed + merged);
  EXPECT_EQ(found["tables"][0]["caption"], "Where the time of packets went, measured part; " +
                                               std::to_string(merged) + " packets of " +
                                               std::to_string(followed + merged) + " could not be followed");
}

// A terminal that takes a flit every four cycles from one that always has some: the last link is busy or
// blocked in every cycle, and all queues before it are full.
TEST_F(measuring, a_slow_terminal_blocks_every_link_to_it) {
  write("s.yaml",
        "name: slow\ntopology: {kind: butterfly, radix: 2, stages: 2}\nswitch: {kind: packet, depth: 4}\n"
        "endpoint: {accept_interval: 4}\n"
        "traffic: [{pattern: hotspot, targets: [3], fraction: 1, injection: saturated, terminals: [0]}]\n"
        "measure: {warmup: 100, cycles: 400, drain: 100, interval: 20}\n");
  for (const char* kernel : {"fast", "signals"}) {
    const process_result r = spillway(std::string("run s.yaml --no-report --out out --kernel ") + kernel);
    EXPECT_EQ(r.status, 0) << r.output;
    const std::string links = read_text(folder / "out/links.csv"),
                      switches = read_text(folder / "out/switches.csv");
    for (const char* way : {"terminal_0_0,packet,terminal_0,switch_0", "switch_0_1,packet,switch_0,switch_3",
                            "switch_3_1,packet,switch_3,terminal_3"})
      EXPECT_NE(links.find(std::string("network.link_") + way + ",100,0.25,300\n"), std::string::npos)
          << links;
    EXPECT_NE(links.find("network.link_terminal_1_0,packet,terminal_1,switch_0,0,0,0\n"), std::string::npos);
    EXPECT_NE(switches.find("switch_0,0,100,4,4,8,300,300,,,\n"), std::string::npos) << switches;
  }
}

// An interval a cycle: of a thousand moments every eighth is kept. In each the last link is used in a quarter
// of the cycles, 16 of 63, and blocked in the others.
TEST_F(measuring, the_network_over_time_stays_small) {
  write("s.yaml",
        "name: slow\ntopology: {kind: butterfly, radix: 2, stages: 2}\nswitch: {kind: packet, depth: 4}\n"
        "endpoint: {accept_interval: 4}\n"
        "traffic: [{pattern: hotspot, targets: [3], fraction: 1, injection: saturated, terminals: [0]}]\n"
        "measure: {cycles: 1000, drain: 0, interval: 1}\n");
  ASSERT_EQ(spillway("run s.yaml --out out").status, 0);
  const json network = json::parse(read_text(folder / "out/network.json")), &history = network["history"];
  ASSERT_EQ(history["cycles"].size(), 125u);
  for (std::size_t i = 0; i < 125; ++i) EXPECT_EQ(history["cycles"][i], 8 * (i + 1));
  std::size_t last = 0;
  while (history["links"][last] != json::array({3, -4})) ++last;  // to terminal 3
  const auto at = [&](const char* what, std::size_t moment, std::size_t place) {
    return history[what][moment].get<std::string>()[place];
  };
  for (std::size_t i = 1; i < 125; ++i) {
    EXPECT_EQ(at("used", i, last), 'Q') << i;
    EXPECT_EQ(at("blocked", i, last), 'v') << i;
  }
  EXPECT_EQ(at("fullest", 60, 0), '_') << "the queue of the first switch is full";
  EXPECT_EQ(at("fullest", 60, 1), 'A') << "nothing goes through the second";
  EXPECT_FALSE(history.contains("stopped"));
  EXPECT_FALSE(network.contains("left_out"));
}

// A ring of full buffers: by cycle 20 nothing can move any more.
TEST_F(measuring, a_deadlock_is_one_once_nothing_has_moved_for_as_long_as_the_watchdog_waits) {
  write("d.yaml",
        "name: d\ntopology: {kind: ring, terminals: 6, bidirectional: false}\nswitch: {kind: packet, depth: "
        "1}\n"
        "traffic: [{pattern: uniform, injection: saturated, cycles: 3000}]\n"
        "measure: {interval: 10}\nchecks: {deadlock: false, watchdog: 200}\n");
  const process_result r = spillway("run d.yaml --no-report --out out");
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_EQ(lines("out/series.csv")[2].substr(0, 9), "20,7,4,0,") << "the last that is delivered";
  const json found = json::parse(read_text(folder / "out/result.json"));
  EXPECT_EQ(found["status"], "deadlock");
  EXPECT_EQ(found["cycles"], 20 + 200);
  EXPECT_EQ(found["findings"][0], "no flit has moved for 200 cycles and 12 packets are in the network");
}

// Wherever it stands in the list.
TEST_F(measuring, the_watchdog_waits_for_the_longest_pause) {
  write("p.yaml",
        "name: p\ntopology: {kind: crossbar, terminals: 4}\nswitch: {kind: packet, depth: 1}\n"
        "traffic: [{pattern: all_to_one, target: 0, messages: 20}]\n"
        "endpoint:\n  pauses:\n    - {terminals: [0], from: 5, until: 3000}\n"
        "    - {terminals: [1], from: 5, until: 20}\nmeasure: {interval: 10}\nchecks: {watchdog: 100}\n");
  const process_result r = spillway("run p.yaml --no-report --out out");
  EXPECT_EQ(r.status, 0) << r.output;
}

TEST_F(measuring, packets_lost_in_resets_are_in_the_series) {
  write(
      "r.yaml",
      "name: r\ntopology: {kind: omega, radix: 2, stages: 4}\nresets: [{cycle: 110, length: 3}, {cycle: 270, "
      "length: 3}]\n"
      "traffic: [{pattern: uniform, rate: 0.4, cycles: 400}]\n");
  ASSERT_EQ(spillway("run r.yaml --no-report --out out").status, 0);
  const json found = json::parse(read_text(folder / "out/result.json"));
  const std::vector<std::string> rows = lines("out/series.csv");
  EXPECT_EQ(rows[0].rfind("cycle,created,delivered,delivered_hot,in_flight,reset_dropped,", 0), 0u)
      << rows[0];
  std::uint64_t waiting = 0, lost = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::uint64_t cycle = 0, created = 0, delivered = 0, hot = 0, in_flight = 0, dropped = 0;
    ASSERT_EQ(std::sscanf(rows[i].c_str(), "%lu,%lu,%lu,%lu,%lu,%lu", &cycle, &created, &delivered, &hot,
                          &in_flight, &dropped),
              6)
        << rows[i];
    EXPECT_EQ(dropped != 0, cycle == 150 || cycle == 300) << rows[i];
    lost += dropped;
    waiting += created - delivered - dropped;
    EXPECT_GE(waiting, in_flight) << rows[i];
    EXPECT_LT(waiting, 100u) << rows[i];
  }
  EXPECT_EQ(waiting, 0u);
  EXPECT_EQ(found["reset_dropped"], lost);
}

// Of a sum that goes from terminal to terminal hardly ever one has something to send, and nothing takes long.
TEST_F(measuring, what_nifdy_holds_back_is_not_under_way_wherever_it_stands) {
  const std::string plain = "switch: {kind: packet, depth: 4}\n",
                    feedback = "switch: {kind: packet, buffering: output, depth: 4, memory_depth: 8}\n";
  for (const std::string& unit :
       {plain + "interface: {kind: nifdy}\n", plain + "stages: [{kind: nifdy}]\n",
        feedback +
            "interface: {kind: feedback, latency: 4, threshold: 3, nifdy: {outstanding: 8, pool: 8}}\n"}) {
    write("n.yaml", "name: n\ntopology: {kind: omega, radix: 2, stages: 3}\n" + unit +
                        "traffic: [{pattern: hotspot, targets: [0], fraction: 1, rate: 0.5, cycles: 200}]\n"
                        "measure: {pending: true, interval: 1}\n");
    const process_result r = spillway("run n.yaml --no-report --out out");
    ASSERT_EQ(r.status, 0) << unit << r.output;
    const json counters = json::parse(read_text(folder / "out/result.json")).at("counters");
    EXPECT_GT(counters.at("held_back_most"), 8) << unit;
    EXPECT_LE(counters.at("pending_most"), 8) << unit << "one of each sender";
  }
}

// Made before the measured part, and arrived in it: no packet of this class has a latency.
TEST_F(measuring, replies_on_their_way_when_it_begins_are_a_class) {
  write("r.csv", "cycle,source,destination\n0,0,1\n");
  write("r.yaml",
        "name: r\ntopology: {kind: crossbar, terminals: 2}\nendpoint: {replies: true}\n"
        "traffic:\n  - {pattern: trace, file: r.csv}\nmeasure: {warmup: 4, cycles: 20}\n");
  const process_result r = spillway("run r.yaml --no-report --deliveries --out out");
  ASSERT_EQ(r.status, 0) << r.output;
  const json j = json::parse(read_text(folder / "out/result.json"));
  ASSERT_EQ(j.at("throughput"), 1.0 / 40) << read_text(folder / "out/deliveries.csv");
  ASSERT_TRUE(j.at("classes").contains("reply"));
  EXPECT_EQ(j.at("classes").at("reply").at("throughput"), 1.0 / 40);
  EXPECT_EQ(j.at("classes").at("reply").at("offered"), 0);
}

TEST_F(measuring, what_goes_on_when_something_arrives_is_waited_for) {
  write("s.yaml",
        "name: scan\ntopology: {kind: omega, radix: 2, stages: 6}\nworkload: {kind: scan, buckets: 1}\n"
        "measure: {drain: 100, interval: 10}\n");
  const process_result r = spillway("run s.yaml --no-report --out out");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(json::parse(read_text(folder / "out/result.json"))["delivered"], 63);
}

TEST_F(measuring, the_network_over_time_is_left_out_where_it_is_too_large) {
  write("l.yaml",
        "name: large\ntopology: {kind: butterfly, radix: 2, stages: 10}\nchecks: {deadlock: false}\n"
        "traffic: [{pattern: shift, messages: 1, terminals: [0]}]\n");
  ASSERT_EQ(spillway("run l.yaml --out out").status, 0);
  EXPECT_EQ(json::parse(read_text(folder / "out/network.json"))["left_out"],
            "there are 5120 switches and 11264 links, and it is kept for up to 4096 and 16384");
}

// A network that is full from a batch at the beginning: what it takes to get rid of that is the warm-up.
TEST_F(measuring, a_warmup_is_found) {
  write("w.yaml",
        "name: w\ntopology: {kind: butterfly, radix: 2, stages: 3}\n"
        "traffic:\n  - {pattern: uniform, injection: batch, batch: {count: 60}}\n"
        "  - {pattern: uniform, rate: 0.1, stream: 1}\n"
        "measure: {warmup: auto, cycles: 4000, interval: 20}\n");
  std::string first;
  for (const char* kernel : {"fast", "signals"}) {
    const process_result r = spillway(std::string("run w.yaml --no-report --out out --kernel ") + kernel);
    EXPECT_EQ(r.status, 0) << r.output;
    json found = json::parse(read_text(folder / "out/result.json"));
    EXPECT_EQ(found["warmup_rule"], "MSER-5");
    EXPECT_GE(found["measured_from"], 100);
    EXPECT_LE(found["measured_from"], 600);
    EXPECT_EQ(found["measured_from"].get<int>() + found["measured_cycles"].get<int>(), 4000);
    EXPECT_EQ(found["confidence"]["warning"], "");
    EXPECT_NEAR(found["throughput"], 0.1, 0.01);
    EXPECT_LT(found["confidence"]["throughput"], 0.01);
    EXPECT_LT(found["latency"]["max"], 60) << "none of the batch is in it";
    EXPECT_NE(r.output.find("by MSER-5"), std::string::npos) << r.output;
    found.erase("kernel");
    if (first.empty()) first = found.dump();
    EXPECT_EQ(found.dump(), first);
  }
  const process_result endless = spillway("run w.yaml --set measure.cycles=~ --set measure.limit=100");
  EXPECT_EQ(endless.status, 2);
  EXPECT_NE(endless.output.find("w.yaml:6:19: measure.warmup: auto finds the warm-up within measure.cycles"),
            std::string::npos)
      << endless.output;
  const process_result word = spillway("run w.yaml --set measure.warmup=soon");
  EXPECT_EQ(word.status, 2);
  EXPECT_NE(word.output.find("measure.warmup"), std::string::npos) << word.output;
}

// Nobody looks at the links: what crossed them is not known, and not 0.
// Of which nothing need be left out: what is said is what was done.
TEST_F(measuring, a_warmup_is_not_looked_for_in_a_few_intervals) {
  for (const unsigned cycles : {40u, 1000u, 2500u}) {
    write("w.yaml",
          "name: w\ntopology: {kind: crossbar, terminals: 2}\ntraffic: [{pattern: uniform, rate: 0.3}]\n"
          "measure: {warmup: auto, interval: 50, cycles: " +
              std::to_string(cycles) + "}\n");
    ASSERT_EQ(spillway("run w.yaml --no-report --out out").status, 0);
    const json j = json::parse(read_text(folder / "out/result.json"));
    const std::string warning = j.at("confidence").at("warning");
    const std::string words = " intervals of 50 cycles are too few to find the warm-up in, so " +
                              std::to_string(j.at("measured_from").get<unsigned>()) +
                              " cycles were taken for it";
    EXPECT_EQ(warning.find(words) != std::string::npos, cycles < 2500) << cycles << warning;
    EXPECT_EQ(warning.find("settled"), std::string::npos) << warning;
    EXPECT_EQ(j.at("measured_from"), cycles == 1000 ? 500 : 0);
  }
}

TEST_F(measuring, links_that_nobody_watches_have_no_numbers) {
  write("m.yaml", experiment);
  write("m.csv", trace);
  ASSERT_EQ(spillway("run m.yaml --no-report --out out --set checks.links=false").status, 0);
  const std::string links = read_text(folder / "out/links.csv");
  EXPECT_NE(links.find("network.link_switch_3_1,packet,switch_3,terminal_3,,,\n"), std::string::npos)
      << links;
  EXPECT_NE(read_text(folder / "out/switches.csv").find("switch_3,1,7,1,2,8,,,,,\n"), std::string::npos);
}

// A link of several cycles is two rows, each with what was blocked at its end: a switch counts what is at its
// own.
TEST_F(measuring, a_switch_is_blocked_at_its_own_end_of_long_links) {
  write("l.yaml",
        "name: long\ntopology: {kind: butterfly, radix: 2, stages: 2}\nswitch: {kind: packet, depth: 4}\n"
        "link: {latency: 3}\ntraffic: [{pattern: hotspot, targets: [0], fraction: 0.6, rate: 0.6}]\n"
        "measure: {cycles: 2000}\n");
  const process_result r = spillway("run l.yaml --no-report --out out");
  EXPECT_EQ(r.status, 0) << r.output;
  const auto rows_of = [this](const char* file) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(read_text(folder / "out" / file));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream cells(line);
      rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    rows.erase(rows.begin());
    return rows;
  };
  std::map<std::string, double> in, out, far;  // by switch
  for (const auto& link : rows_of("links.csv")) {
    const bool is_end = link[0].size() > 4 && link[0].substr(link[0].size() - 4) == "_end";
    const double blocked = std::stod(link[6]);
    if (is_end)
      in[link[3]] += blocked;
    else
      out[link[2]] += blocked, far[link[3]] += blocked;
  }
  const auto switches = rows_of("switches.csv");
  ASSERT_EQ(switches.size(), 4u);
  for (const auto& row : switches) {
    EXPECT_EQ(std::stod(row[6]), in[row[0]]) << row[0];
    EXPECT_EQ(std::stod(row[7]), out[row[0]]) << row[0];
  }
  EXPECT_NE(in["switch_0"], far["switch_0"]);
  EXPECT_GT(in["switch_2"], 0);
}

}  // namespace
