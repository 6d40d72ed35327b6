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

class programs : public studies, public testing::WithParamInterface<small_network> {};

TEST_P(programs, of_ranks_end) {
  const small_network& n = GetParam();
  for (const char* program :
       {"operation: all_reduce, algorithm: ring, bytes: 64", "operation: all_to_all, bytes: 8"}) {
    write("n.yaml",
          "name: n\n" + n.lines + "packet: {length: " + std::to_string(n.packet_length) +
              "}\nchecks: {deadlock: false}\nworkload: {kind: collective, ranks: 8, flit_bytes: 4, " +
              program + "}\n");
    const process_result r = spillway("run n.yaml --no-report --quiet --out out");
    // Memories and interfaces of requests to them do not tell a rank what arrives.
    if (serves_requests(n)) {
      EXPECT_EQ(r.status, 1) << r.output;
      EXPECT_THAT(r.output, testing::HasSubstr("a program whose ranks wait for messages does not fit them"));
      continue;
    }
    EXPECT_EQ(r.status, 0) << program << ": " << r.output;
    const auto result = nlohmann::json::parse(read_text(folder / "out/result.json"), nullptr, false);
    ASSERT_TRUE(result.is_object());
    EXPECT_EQ(result["status"], "ok") << program;
    EXPECT_GT(result["delivered"], 8 * 7 - 1) << program;
    EXPECT_EQ(result["delivered"], result["created"]) << program;
    EXPECT_GT(result["counters"]["goal.completion"], 0) << program;
  }
}

INSTANTIATE_TEST_SUITE_P(networks, programs, testing::ValuesIn(networks()),
                         [](const auto& i) { return std::string(i.param.name); });

}  // namespace
