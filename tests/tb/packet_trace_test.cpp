// The record of packets: what is in it is what happened, and the window bounds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "support/process.hpp"

namespace {

using nlohmann::json;

struct traced {
  json result, events;
};

traced traced_run(const std::string& more) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml")
      << "name: traced\n"
         "topology: {kind: butterfly, radix: 2, stages: 2}\n"
         "switch: {kind: packet, depth: 8}\n"
         "packet: {length: 2}\n"
         "traffic:\n"
         "  - {pattern: hotspot, targets: [0], rate: 0.3, cycles: 300, fraction: 0.5}\n"
      << more;
  const process_result run =
      run_process("'" SPILLWAY_COMMAND "' run '" + (folder / "e.yaml").string() + "' --trace '" +
                  (folder / "t.json").string() + "' --out '" + (folder / "out").string() + "'");
  EXPECT_EQ(run.status, 0) << run.output;
  return {json::parse(read_text(folder / "out" / "result.json")),
          json::parse(read_text(folder / "t.json")).at("traceEvents")};
}

/// Slices by the kind of their track.
std::map<std::string, std::vector<json>> by_kind(const json& events) {
  std::map<unsigned, std::string> names;
  for (const json& e : events)
    if (e.at("name") == "process_name") names[e.at("pid")] = e.at("args").at("name");
  std::map<std::string, std::vector<json>> all;
  for (const json& e : events) {
    if (e.at("ph") != "X") continue;
    const std::string& name = names.at(e.at("pid"));
    all[name.substr(0, name.find_first_of(" _"))].push_back(e);
  }
  return all;
}

TEST(packet_trace, has_every_packet_on_every_track_that_it_passes) {
  const traced t = traced_run("");
  auto kinds = by_kind(t.events);
  const std::size_t packets = t.result.at("delivered");
  ASSERT_GT(packets, 100u);
  EXPECT_EQ(kinds["terminal"].size(), 2 * packets) << "source queue and arrival";
  EXPECT_EQ(kinds["switch"].size(), 2 * packets) << "two stages";
  EXPECT_EQ(kinds["link"].size(), 3 * packets);
  double waited = 0, latency = 0;
  bool behind = false, not_ready = false;
  for (const json& hop : kinds["switch"]) {
    waited += hop.at("args").at("wait").get<double>();
    behind = behind || !hop.at("args").at("behind").empty();
    not_ready = not_ready || hop.at("args").at("not_ready") > 0;
  }
  EXPECT_TRUE(behind) << "somebody waited behind somebody";
  EXPECT_TRUE(not_ready);
  for (const json& end : kinds["terminal"])
    if (end.at("args").at("what") == "arrival") latency += end.at("args").at("latency").get<double>();
  EXPECT_NEAR(latency / static_cast<double>(packets), t.result.at("latency").at("mean").get<double>(), 1e-3);
  EXPECT_GT(waited, 0);
}

// What an interface holds back is told to who stands behind the record, too.
TEST(packet_trace, changes_no_number) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml")
      << "name: e\ntopology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet, depth: 4}\n"
         "interface: {kind: nifdy}\n"
         "traffic: [{pattern: hotspot, fraction: 0.6, rate: 0.6, cycles: 400}]\n"
         "resets: [{cycle: 100}]\nmeasure: {pending: true, interval: 5}\n";
  for (const char* more : {"--out plain", "--out traced --trace t.json"})
    ASSERT_EQ(run_process("cd '" + folder.path().string() +
                          "'; '" SPILLWAY_COMMAND "' run e.yaml --no-report " + more)
                  .status,
              0);
  const auto held = json::parse(read_text(folder / "plain/result.json")).at("counters").at("held_back_most");
  EXPECT_GT(held, 0);
  for (const char* file : {"/result.json", "/series.csv"})
    EXPECT_EQ(read_text(folder / ("plain" + std::string(file))),
              read_text(folder / ("traced" + std::string(file))));
}

TEST(packet_trace, forgets_in_a_reset_who_was_under_way) {
  const traced t = traced_run("resets: [{cycle: 150, length: 4}]\nendpoint: {accept_interval: 3}\n");
  std::set<std::string> after;  // names of those that have come into the network since
  for (const json& e : t.events)
    if (e.at("ph") == "X" && e.at("args").value("what", "") == "source queue" &&
        e.at("ts").get<double>() + e.at("dur").get<double>() > 0.150)
      after.insert(e.at("name"));
  unsigned ahead = 0;
  const auto kinds = by_kind(t.events);
  for (const json& hop : kinds.at("switch"))
    if (hop.at("ts").get<double>() > 0.154)
      for (const auto* of : {"ahead", "behind"})
        for (const std::string name : hop.at("args").at(of)) {
          EXPECT_EQ(after.count(name), 1u) << name << ' ' << of << ' ' << hop;
          ++ahead;
        }
  EXPECT_GT(ahead, 20u);
}

TEST(packet_trace, has_no_two_slices_at_once_in_a_row_of_a_track) {
  const traced t = traced_run("");
  std::map<std::pair<unsigned, unsigned>, std::set<std::pair<double, double>>> rows;
  for (const json& e : t.events)
    if (e.at("ph") == "X") {
      const double from = e.at("ts"), until = from + e.at("dur").get<double>();
      auto& row = rows[std::make_pair(e.at("pid").get<unsigned>(), e.at("tid").get<unsigned>())];
      EXPECT_TRUE(row.emplace(from, until).second);
    }
  for (const auto& [row, slices] : rows) {
    double end = 0;
    for (const auto& [from, until] : slices) {
      EXPECT_GE(from, end - 1e-9);
      end = until;
    }
  }
}

TEST(packet_trace, keeps_to_its_window) {
  const traced t = traced_run("trace: {from: 100, until: 120}\n");
  unsigned slices = 0;
  for (const json& e : t.events) {
    if (e.at("ph") != "X") continue;
    ++slices;
    EXPECT_LT(e.at("args").at("cycle"), 120u);
    EXPECT_GT(e.at("ts").get<double>() + e.at("dur").get<double>(), 0.1);
  }
  EXPECT_GT(slices, 10u);
}

TEST(packet_trace, changes_nothing) {
  const traced with = traced_run("");
  const traced narrow = traced_run("trace: {from: 100, until: 101}\n");
  EXPECT_EQ(with.result.at("latency"), narrow.result.at("latency"));
}

/// Runs a whole experiment.
json events_of(const std::string& experiment, const std::string& packets = "") {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << experiment;
  std::ofstream(folder / "p.csv") << packets;
  const process_result run = run_process("'" SPILLWAY_COMMAND "' run '" + (folder / "e.yaml").string() +
                                         "' --trace '" + (folder / "t.json").string() + "'");
  EXPECT_EQ(run.status, 0) << run.output;
  return json::parse(read_text(folder / "t.json")).at("traceEvents");
}

/// What arrives, with the cycle and the latency: as the record has it, and as deliveries.csv has it.
struct told_arrivals {
  std::multiset<std::string> recorded, delivered;
};

std::string arrival_line(const std::string& name, std::uint64_t cycle, std::uint64_t latency) {
  return name + " at " + std::to_string(cycle) + " after " + std::to_string(latency);
}

told_arrivals arrivals_of(const std::string& experiment) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << experiment;
  const process_result run =
      run_process("'" SPILLWAY_COMMAND "' run '" + (folder / "e.yaml").string() + "' --trace '" +
                  (folder / "t.json").string() + "' --deliveries --out '" + (folder / "out").string() + "'");
  EXPECT_EQ(run.status, 0) << run.output;
  told_arrivals all;
  const json record = json::parse(read_text(folder / "t.json"));
  for (const json& e : record.at("traceEvents"))
    if (e.at("ph") == "X" && e.at("args").value("what", "") == "arrival") {
      const auto end = std::llround((e.at("ts").get<double>() + e.at("dur").get<double>()) * 1000);
      all.recorded.insert(arrival_line(e.at("name"), static_cast<std::uint64_t>(end - 1),
                                       e.at("args").at("latency").get<std::uint64_t>()));
    }
  std::ifstream log(folder / "out/deliveries.csv");
  std::string line;
  for (std::getline(log, line); std::getline(log, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    std::uint64_t cycle = 0, source = 0, destination = 0, packet = 0, created = 0;
    in >> cycle >> source >> destination >> packet >> created;
    all.delivered.insert(arrival_line(
        std::to_string(source) + '>' + std::to_string(destination) + " #" + std::to_string(packet), cycle,
        cycle - created));
  }
  EXPECT_GT(all.delivered.size(), 100u);
  return all;
}

// A module numbers its replies as those whom it answers number their requests.
TEST(packet_trace, tells_replies_to_several_terminals_apart) {
  const told_arrivals all = arrivals_of(
      "name: r\ntopology: {kind: omega, radix: 4, stages: 2}\nendpoint: {replies: true}\n"
      "traffic: [{pattern: all_to_one, rate: 0.05, messages: 10}]\n");
  EXPECT_EQ(all.recorded, all.delivered);
}

constexpr const char* combined =
    "name: c\ntopology: {kind: omega, radix: 2, stages: 4}\nswitch: {kind: combining}\n"
    "interface: {kind: memory}\ntraffic: [{pattern: all_to_one, rate: 0.5, messages: 30}]\n";

// Nodes of few buffers, which refuse requests that wait behind others.
constexpr const char* combined_in_nodes =
    "name: n\ntopology: {kind: hierarchical_hypercube, dimension: 6, cluster: 3}\n"
    "routing: {kind: shortest_paths}\nendpoint: {replies: true, queue: 1}\n"
    "switch: {kind: message_node, cluster_rate: 1.4, other_rate: 2.8, buffers: 12, choice: shortest_queue, "
    "combining: {wait_buffer: 4}}\n"
    "traffic: [{pattern: locality, cluster: 8, local: 0.75, fraction: 0.16, lambda: 0.6, injection: "
    "blocking, "
    "cycles: 1500}]\n";

TEST(packet_trace, has_the_latency_of_replies_that_switches_split_off) {
  const told_arrivals all = arrivals_of(combined);
  EXPECT_EQ(all.recorded, all.delivered);
}

// A request that has become part of another is in no queue.
void expect_whole_packets_ahead(const char* experiment) {
  const json events = events_of(experiment);
  std::map<std::string, double> last;  // end of the last slice, by packet
  for (const json& e : events)
    if (e.at("ph") == "X") {
      double& end = last[e.at("name")];
      end = std::max(end, e.at("ts").get<double>() + e.at("dur").get<double>());
    }
  unsigned seen = 0;
  for (const json& e : events) {
    if (e.at("ph") != "X" || !e.at("args").contains("ahead")) continue;
    for (const std::string name : e.at("args").at("ahead")) {
      EXPECT_GT(last[name], e.at("ts").get<double>() + 1e-9) << name << " is ahead of " << e.at("name");
      ++seen;
    }
  }
  EXPECT_GT(seen, 20u);
}

TEST(packet_trace, has_nobody_ahead_who_has_been_combined) {
  expect_whole_packets_ahead(combined);
  expect_whole_packets_ahead(combined_in_nodes);
}

/// `track [from, until) name`, in cycles of 1 ns, with what it waited for.
std::vector<std::string> event_lines(const json& events) {
  std::map<unsigned, std::string> names;
  std::vector<std::string> all;
  for (const json& e : events) {
    if (e.at("name") == "process_name") names[e.at("pid")] = e.at("args").at("name");
    if (e.at("ph") != "X") continue;
    const auto from = std::llround(e.at("ts").get<double>() * 1000),
               until = from + std::llround(e.at("dur").get<double>() * 1000);
    std::string line = names.at(e.at("pid")) + " [" + std::to_string(from) + ", " + std::to_string(until) +
                       ") " + e.at("name").get<std::string>();
    for (const char* const key : {"wait", "behind", "not_ready", "ahead"})
      if (e.at("args").contains(key)) line += std::string(" ") + key + ' ' + e.at("args").at(key).dump();
    all.push_back(line);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Two packets of two flits are made at edge 0 and cross their first links at edges 1 and 2. A switch takes a
// cycle, so one crosses to the terminal at edges 2 and 3, and the other behind it at 4 and 5.
TEST(packet_trace, is_made_by_one_thread) {
  const scratch_folder folder;
  const auto spillway = [&](const std::string& what) {
    return run_process("cd '" + folder.path().string() + "' && '" SPILLWAY_COMMAND "' " + what +
                       " storm-plain --trace t.json --threads 2 --set measure.limit=100");
  };
  const std::string why = "1: a record of packets is made by one thread\n";
  EXPECT_THAT(spillway("check").output, testing::HasSubstr("  threads: " + why));
  EXPECT_THAT(spillway("run").output, testing::HasSubstr("  threads    " + why));
  EXPECT_TRUE(std::filesystem::exists(folder / "t.json"));
}

TEST(packet_trace, of_two_packets_is_as_computed_by_hand) {
  const auto found = event_lines(
      events_of("name: two\ntopology: {kind: crossbar, terminals: 3}\nswitch: {kind: packet, depth: 4}\n"
                "packet: {length: 2}\ntraffic: [{pattern: trace, file: p.csv}]\n",
                "0,0,2,2\n0,1,2,2\n"));
  const std::string free = R"( wait 0 behind [] not_ready 0 ahead [])";
  EXPECT_THAT(found,
              testing::ElementsAre("link_switch_0_2 [2, 4) 0>2 #0", "link_switch_0_2 [4, 6) 1>2 #0",
                                   "link_terminal_0_0 [1, 3) 0>2 #0", "link_terminal_1_0 [1, 3) 1>2 #0",
                                   "switch_0 [1, 2) 0>2 #0" + free,
                                   R"(switch_0 [1, 4) 1>2 #0 wait 2 behind ["0>2 #0"] not_ready 0 ahead [])",
                                   "terminal 0 [0, 1) 0>2 #0 wait 1", "terminal 1 [0, 1) 1>2 #0 wait 1",
                                   "terminal 2 [2, 4) 0>2 #0", "terminal 2 [4, 6) 1>2 #0"));
}

/// What is said on the tracks whose names begin so, by its first word.
std::map<std::string, unsigned> said_on(const json& events, const std::string& begin) {
  std::map<unsigned, std::string> names;
  std::map<std::string, unsigned> said;
  for (const json& e : events) {
    if (e.at("name") == "process_name") names[e.at("pid")] = e.at("args").at("name");
    if (e.at("ph") != "X" || names.at(e.at("pid")).rfind(begin, 0) != 0) continue;
    const std::string name = e.at("name");
    ++said[name.find('>') == std::string::npos ? name.substr(0, name.find(' ')) : "packet"];
  }
  return said;
}

constexpr const char* storm =
    "traffic: [{pattern: hotspot, targets: [0], fraction: 0.6, rate: 0.6, cycles: 400}]\n";

TEST(packet_trace, has_embargoes_and_the_emergency_bank) {
  const json events = events_of(
      std::string("name: d\ntopology: {kind: omega, radix: 2, stages: 3}\n"
                  "switch: {kind: dampening, assignment: tuples, buffers: 8, j: 2, flow: receiver}\n") +
      storm);
  auto links = said_on(events, "link_switch");
  EXPECT_GT(links["packet"], 100u);
  EXPECT_GT(links["control"], 10u) << "embargo 0 and release 0";
  unsigned spilled = 0, refilled = 0;
  for (const json& e : events)
    if (e.at("name") == "process_name") {
      const std::string track = e.at("args").at("name");
      if (track.find(".spill_") != std::string::npos) spilled += said_on(events, track)["packet"];
      if (track.find(".refill_") != std::string::npos) refilled += said_on(events, track)["packet"];
    }
  EXPECT_GT(spilled, 10u);
  EXPECT_EQ(spilled, refilled);
}

TEST(packet_trace, has_circuits) {
  auto links =
      said_on(events_of("name: c\ntopology: {kind: fat_tree, terminals: 8}\nswitch: {kind: circuit}\n"
                        "interface: {kind: circuit, retry: immediate}\n"
                        "traffic: [{pattern: uniform, injection: saturated, messages: 10}]\n"),
              "link_");
  EXPECT_GT(links["packet"], 80u);
  EXPECT_GE(links["acknowledge"], 80u) << "every message, on its last link at least";
}

}  // namespace
