// Programs of ranks over everything that takes their packets: each ends. What takes requests alone says so.
#include <nlohmann/json.hpp>

#include "support/small_networks.hpp"
#include "support/studies.hpp"

namespace {

std::vector<small_network> networks() {
  std::vector<small_network> all = small_networks();
  const std::string butterfly = "topology: {kind: butterfly, radix: 2, stages: 3}\nswitch: ";
  all.push_back({"isolation", butterfly + "{kind: isolation}\n", 3});
  all.push_back({"queue_a_destination", butterfly + "{kind: destination_queues}\n", 3});
  all.push_back({"pauses", butterfly + "{kind: flow_pause, queues: 4}\n", 3});
  all.push_back({"long_links", butterfly + "{kind: packet, depth: 8}\nlink: {latency: 3}\n", 3});
  all.push_back({"dragonfly",
                 "topology: {kind: dragonfly, switches: 2, terminals: 1, global_links: 2}\nrouting: {kind: "
                 "ugal}\nswitch: {kind: wormhole, virtual_channels: 6}\n",
                 3});
  all.push_back({"hyperx",
                 "topology: {kind: hyperx, sizes: [2, 2], terminals: 2}\nswitch: {kind: wormhole, "
                 "virtual_channels: 2}\n",
                 3});
  return all;
}

bool serves_requests(const small_network& n) {
  const std::string name = n.name;
  return name == "combining" || name.rfind("feedback", 0) == 0;
}

class programs : public studies, public testing::WithParamInterface<small_network> {
protected:
  /// By one line, which begins with the place of the workload.
  void refused(const std::string& command, const small_network& n) {
    const process_result r = spillway(command);
    EXPECT_EQ(r.status, 2) << r.output;
    const auto line = 4 + std::count(n.lines.begin(), n.lines.end(), '\n');
    EXPECT_THAT(r.output, testing::StartsWith("n.yaml:" + std::to_string(line) + ":"));
    EXPECT_THAT(r.output,
                testing::HasSubstr("waits for packets of other terminals, but these interfaces serve"));
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
  }
};

TEST_P(programs, of_ranks_end) {
  const small_network& n = GetParam();
  for (const char* program :
       {"operation: all_reduce, algorithm: ring, bytes: 64", "operation: all_to_all, bytes: 8"}) {
    write("n.yaml",
          "name: n\n" + n.lines + "packet: {length: " + std::to_string(n.packet_length) +
              "}\nchecks: {deadlock: false}\nworkload: {kind: collective, ranks: 8, flit_bytes: 4, " +
              program + "}\n");
    // Memories and interfaces of requests to them do not tell a rank what arrives.
    if (serves_requests(n)) {
      for (const char* command : {"check n.yaml", "run n.yaml --no-report --quiet --out out"})
        refused(command, n);
      continue;
    }
    const process_result r = spillway("run n.yaml --no-report --quiet --out out");
    EXPECT_EQ(r.status, 0) << program << ": " << r.output;
    const auto result = nlohmann::json::parse(read_text(folder / "out/result.json"), nullptr, false);
    ASSERT_TRUE(result.is_object());
    EXPECT_EQ(result["status"], "ok") << program;
    EXPECT_GT(result["delivered"], 8 * 7 - 1) << program;
    EXPECT_EQ(result["delivered"], result["created"]) << program;
    EXPECT_GT(result["counters"]["goal.completion"], 0) << program;
  }
}

using programs_that = studies;

TEST_F(programs_that, wait_for_packets_are_refused_within_a_job_and_in_a_table_too) {
  const std::string head =
      "name: n\ntopology: {kind: butterfly, radix: 2, stages: 2}\nswitch: {kind: combining}\n"
      "interface: {kind: memory}\nworkload: ";
  write("t.csv", "cycle,source,destination,size,after\n1,0,1\n3,1,0,1,1\n");
  const std::pair<const char*, const char*> wrong[]{
      {"{kind: jobs, jobs: [{name: a, count: 4, workload: {kind: collective, operation: barrier}}]}",
       "n.yaml:5:61: workload.jobs.0.workload: waits for packets"},
      {"{kind: packets, file: t.csv}", "n.yaml:5:11: workload: waits for packets"}};
  for (const auto& [workload, message] : wrong) {
    write("n.yaml", head + workload + "\n");
    const process_result r = spillway("check n.yaml");
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, testing::StartsWith(message));
  }
  write("t.csv", "cycle,source,destination\n1,0,1\n3,1,0\n");
  EXPECT_EQ(spillway("check n.yaml").status, 0) << "packets that wait for none";
}

INSTANTIATE_TEST_SUITE_P(networks, programs, testing::ValuesIn(networks()),
                         [](const auto& i) { return std::string(i.param.name); });

}  // namespace
