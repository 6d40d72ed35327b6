// Parts that do not fit each other: what a user is told, and at which key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/studies.hpp"

namespace {

using testing::HasSubstr;

constexpr const char* butterfly = "topology: {kind: butterfly, radix: 2, stages: 3}\n";
constexpr const char* uniform = "traffic: [{pattern: uniform, messages: 1}]\n";

class refused_networks : public studies {
protected:
  void says(const std::string& lines, const std::string& message) {
    write("n.yaml", "name: n\n" + lines);
    const process_result r = spillway("check n.yaml");
    EXPECT_EQ(r.status, 2) << lines << r.output;
    EXPECT_THAT(r.output, HasSubstr(message)) << lines;
  }
};

TEST_F(refused_networks, whose_switches_do_not_fit_their_interfaces_or_topology) {
  const auto switches = [&](const std::string& keys, const std::string& message,
                            const std::string& topology = butterfly) {
    says(topology + "switch: {kind: " + keys + "}\n" + uniform, message);
  };
  switches("combining",
           "interface: switches of kind combining need an interface with requests and replies, such as "
           "`interface: "
           "{kind: memory}`");
  switches(
      "reduction",
      "interface: switches of kind reduction need terminals that contribute: expected `interface: {kind: "
      "reduction}`");
  switches("reduction}\ninterface: {kind: memory",
           "interface: switches of kind reduction need terminals that contribute");
  switches(
      "packet}\ninterface: {kind: reduction",
      "n.yaml:4:12: interface: interfaces of kind reduction contribute to rounds: expected switches that "
      "reduce, `switch: {kind: reduction}`, found 'packet'");
  switches("message_node, buffers: 12, length: fixed}\nlink: {latency: 2",
           "n.yaml:4:17: link.latency: the links of such switches of kind 'message_node' have no register "
           "stages or buffers: expected 1, found 2",
           "topology: {kind: ring, terminals: 5}\n");
  switches("packet}\ninterface: {kind: feedback",
           "n.yaml:4:12: interface: feedback needs queues that tell their length: `switch: {kind: packet, "
           "buffering: "
           "output, memory_depth: N}`");
  switches("circuit, contention: fixed}\ninterface: {kind: circuit",
           "n.yaml:2:18: topology.kind: found 'butterfly', expected fat_tree, which switches of kind circuit "
           "are made "
           "for");
  switches(
      "destination_queues",
      "n.yaml:3:9: switch: a queue a destination is a lane of its link, which has 1 to 64: expected up to 64 "
      "terminals, or `queues` that destinations share, found 128 terminals",
      "topology: {kind: butterfly, radix: 2, stages: 7}\n");
  switches("message_node, unit: 4, length: fixed, combining: {}",
           "n.yaml:4:65: switch.combining: combining needs replies: `endpoint: {replies: true}`",
           "topology: {kind: hypercube, dimension: 3}\nrouting: {kind: e_cube}\n");
  switches("wormhole}\nrouting: {kind: adaptive",
           "n.yaml:4:10: routing: adaptive routing needs 2 or more virtual channels, one of them to escape "
           "by, found 1",
           "topology: {kind: mesh, dimensions: [2, 2]}\n");
}

TEST_F(refused_networks, whose_dampening_lacks_a_key_or_has_one_too_many) {
  const auto dampening = [&](const std::string& keys, const std::string& message) {
    says(butterfly + ("switch: {kind: dampening, buffers: 8, " + keys + "}\ninterface: {kind: embargo}\n") +
             uniform,
         "n.yaml:3:9: switch: " + message);
  };
  dampening("assignment: tuples", "assignment 'tuples' needs the key 'j'");
  dampening("assignment: tuples, j: 2, emergency: 1",
            "flow 'sender' has no emergency buffers and does not use the key 'emergency'");
}

TEST_F(refused_networks, whose_terminals_do_not_fit_what_is_sent) {
  says(std::string(butterfly) + "switch: {kind: packet}\ntraffic: [{pattern: transpose, messages: 1}]\n",
       "n.yaml:4:21: traffic.0.pattern: transpose needs an even power of two of terminals, found 8");
  says(
      "topology: {kind: crossbar, terminals: 6}\nswitch: {kind: packet}\ntraffic: [{pattern: bit_reversal, "
      "messages: "
      "1}]\n",
      "n.yaml:4:21: traffic.0.pattern: bit_reversal needs a power of two of terminals, found 6");
  for (const char* terminals : {"", "count: 2, terminals: [0, 1], "})
    says(butterfly + (std::string("switch: {kind: packet}\nworkload: {kind: jobs, jobs: [{name: a, ") +
                      terminals + "workload: {kind: cshift, words: 2}}]}\n"),
         "n.yaml:4:31: workload.jobs.0: a job has terminals: expected either 'terminals' or 'count'");
}

}  // namespace
