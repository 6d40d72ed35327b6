// The record of packets: what is in it is what happened, and the window bounds it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/process.hpp"

namespace {

using nlohmann::json;

struct traced {
  json result, events;
};

traced run_with(const std::string& more) {
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
  const traced t = run_with("");
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

TEST(packet_trace, has_no_two_slices_at_once_in_a_row_of_a_track) {
  const traced t = run_with("");
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
  const traced t = run_with("trace: {from: 100, until: 120}\n");
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
  const traced with = run_with("");
  const traced narrow = run_with("trace: {from: 100, until: 101}\n");
  EXPECT_EQ(with.result.at("latency"), narrow.result.at("latency"));
}

}  // namespace
