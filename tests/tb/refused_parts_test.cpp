// What `check` refuses as `run` would have to: stages, gates and periods that do not fit, and programs that
// could not work. Each is named with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/studies.hpp"

namespace {

using testing::HasSubstr;

constexpr const char* nine_terminals = "topology: {kind: mesh, dimensions: [3, 3]}\n";
constexpr const char* a_packet_each = "traffic: [{pattern: uniform, messages: 1}]\n";

class refused_parts : public studies {
protected:
  void says(const std::string& lines, const std::string& message) {
    write("n.yaml", "name: n\n" + lines);
    for (const char* verb : {"check", "run"}) {
      const process_result r = spillway(std::string(verb) + " n.yaml");
      EXPECT_EQ(r.status, 2) << verb << lines << r.output;
      EXPECT_THAT(r.output, HasSubstr(message)) << verb << lines;
    }
  }
  void accepts(const std::string& lines) {
    write("n.yaml", "name: n\n" + lines);
    const process_result r = spillway("check n.yaml");
    EXPECT_EQ(r.status, 0) << lines << r.output;
  }
  static std::string on_mesh(const std::string& lines) { return nine_terminals + lines + a_packet_each; }
};

TEST_F(refused_parts, that_wait_for_what_they_do_not_hear) {
  says(
      "topology: {kind: omega, radix: 2, stages: 3}\ninterface: {kind: memory}\n"
      "workload: {kind: scan, buckets: 5}\n",
      "n.yaml:4:11: workload: waits for packets of other terminals, but these interfaces serve requests and "
      "tell of replies alone");
}

TEST_F(refused_parts, that_follow_packets_where_nothing_tells_of_them) {
  says(
      "topology: {kind: fat_tree, terminals: 8}\nswitch: {kind: circuit}\n"
      "interface: {kind: circuit, retry: immediate}\n"
      "traffic: [{pattern: uniform, injection: saturated, messages: 10}]\nmeasure: {breakdown: true}\n",
      "n.yaml:6:22: measure.breakdown: links of kind 'circuit' do not tell of the packets on them");
  says(
      "topology: {kind: omega, radix: 2, stages: 3}\nlevel: transaction\n"
      "trace: {vcd: x.vcd}\n" +
          std::string(a_packet_each),
      "n.yaml:4:14: trace.vcd: the transaction level has no signals for a waveform");
}

// What signals there are is known once the network has been made.
TEST_F(refused_parts, that_trace_no_signal) {
  write("n.yaml", "name: n\n" + on_mesh("trace: {vcd: x.vcd, signals: [\"nothing*\"]}\n"));
  const process_result r = spillway("run n.yaml");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.output, HasSubstr("n.yaml:3:30: trace.signals: expected a pattern that matches some signal"));
}

TEST_F(refused_parts, that_a_program_must_drive_are_not_said_to_run) {
  write("n.yaml",
        "name: n\ntopology: {kind: omega, radix: 2, stages: 3}\ninterface: {kind: tlm}\ntraffic: []\n");
  const process_result r = spillway("check n.yaml");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("`run` refuses it: interfaces of kind 'tlm' need a program that drives "
                                  "their 8 terminals, see docs/cosimulation.md\n"));
  EXPECT_THAT(r.output, testing::Not(HasSubstr("sends traffic")));
  EXPECT_THAT(r.output, testing::Not(HasSubstr("measured:")));
}

TEST_F(refused_parts, stages_are_named_with_their_key) {
  const std::string srp = "switch: {kind: wormhole}\nstages:\n  - kind: srp\n    smallest: 1\n    largest: ";
  says(on_mesh(srp + "2\npacket: {length: 4}\n"),
       "n.yaml:7:14: stages.0.largest: a reservation must be for a whole packet and for the smallest "
       "message: it is "
       "for up to 2 flits, packets have up to 4");
  accepts(on_mesh(srp + "4\npacket: {length: 4}\n"));
  // The longest packet may come from the traffic.
  says(nine_terminals + srp + "4\ntraffic: [{pattern: uniform, messages: 1, length: [1, 5]}]\n",
       "n.yaml:7:14: stages.0.largest: a reservation must be for a whole packet");
  for (const char* place : {"interface", "stages"}) {
    const bool stage = std::string(place) == "stages";
    says(on_mesh(std::string(place) + (stage ? ":\n- kind: nifdy\n" : ":\n  kind: nifdy\n") +
                 "  timeout: 16\n  piggyback: 2\n"),
         std::string("n.yaml:6:14: ") + place + (stage ? ".0" : "") +
             ".piggyback: acknowledgements ride on packets only where none are lost: expected no timeout, "
             "found 16");
  }
  says(on_mesh("stages:\n  - kind: ecn\n    delays: [0, 5, 3]\n"),
       "n.yaml:5:13: stages.0.delays: a table of delays ascends");
  says(on_mesh("interface: {kind: nifdy}\nstages:\n  - kind: ecn\n  - kind: srp\n"),
       "n.yaml:6:5: stages.1: a stage of speculative reservation carries one logical network, found 2");
}

TEST_F(refused_parts, stages_that_write_into_heads_are_not_there_twice) {
  for (const char* kind : {"ecn", "srp"})
    says(on_mesh(std::string("switch: {kind: wormhole}\nstages:\n  - kind: ") + kind + "\n  - kind: " + kind +
                 "\n"),
         std::string("n.yaml:6:5: stages.1: a terminal has one part of kind '") + kind + "'");
  says(on_mesh("stages: [{kind: nifdy, networks: 1}, {kind: nifdy}]\n"),
       "n.yaml:3:38: stages.1: a terminal has one part of kind 'nifdy'");
  says(on_mesh("interface: {kind: nifdy, networks: 1}\nstages: [{kind: nifdy}]\n"),
       "n.yaml:4:10: stages.0: a terminal has one part of kind 'nifdy'");
  accepts(on_mesh("stages: [{kind: nifdy}, {kind: ecn}]\n"));
}

TEST_F(refused_parts, gates_hold_whole_packets) {
  says(on_mesh("packet: {length: 2}\nswitch: {kind: flow_pause, gate: 1}\n"),
       "n.yaml:4:34: switch.gate: of the gate: an input must hold a whole packet: it has places for 1 flits, "
       "packets have up to 2");
  accepts(on_mesh("packet: {length: 2}\nswitch: {kind: flow_pause, gate: 2}\n"));
  says(on_mesh("packet: {length: 4}\nswitch: {kind: isolation, stop: 2, go: 1, gate: 1}\n"),
       "n.yaml:4:49: switch.gate: of the gate: every queue must hold a whole packet: the smallest has room "
       "for 2 "
       "flits, packets have up to 4");
  accepts(on_mesh("packet: {length: 4}\nswitch: {kind: isolation, stop: 2, go: 1, gate: 4}\n"));
}

// Of as many packets as the interface asks for.
TEST_F(refused_parts, gates_have_65535_flits_at_most) {
  for (const char* kind :
       {"destination_queues, depth: 16", "isolation, depth: 16, queue_depth: 16", "flow_pause"}) {
    const std::string lines =
        std::string("packet: {length: 16}\nswitch: {kind: ") + kind + "}\nstages: [{kind: ecn, pool: ";
    says(on_mesh(lines + "4096}]\n"), "switch.gate: of the gate: a ");
    accepts(on_mesh(lines + "64}]\n"));
  }
}

TEST_F(refused_parts, a_period_has_a_half) {
  says(on_mesh("period: 0.001\n"),
       "n.yaml:3:9: period: half of a clock period of 0.001 ns is no multiple of SystemC's time resolution "
       "of 1 ps: "
       "expected an even number of these");
  accepts(on_mesh("period: 0.002\n"));
}

TEST_F(refused_parts, accesses_need_modules_that_reply) {
  const std::string accesses = "workload: {kind: accesses, pattern: uniform, modules: [0], accesses: 4}\n";
  for (const char* interface :
       {"", "interface: {kind: memory, replies: false}\n", "interface: {kind: nifdy}\n"})
    says(nine_terminals + (interface + accesses), "workload: waits for the replies of memory modules");
  accepts(nine_terminals + ("interface: {kind: memory}\n" + accesses));
}

TEST_F(refused_parts, programs_that_go_by_data_need_switches_that_leave_them_alone) {
  const auto cube = [](const std::string& length) {
    return "topology: {kind: hypercube, dimension: 3}\nswitch: {kind: message_node, unit: 4, length: " +
           length + "}\n";
  };
  const std::string reduce =
      "workload: {kind: collective, operation: all_reduce, algorithm: ring, bytes: 64}\n";
  for (const char* length : {"exponential", "redrawn"})
    says(cube(length) + reduce,
         "n.yaml:4:11: workload: its terminals go by the data of packets, but switches of kind "
         "'message_node' let a "
         "message bear its length as data: expected `length: fixed`, found '" +
             std::string(length) + "'");
  accepts(cube("fixed") + reduce);
  says(cube("redrawn") +
           "interface: {kind: memory}\n"
           "workload: {kind: accesses, pattern: uniform, modules: [0], accesses: 4}\n",
       "workload: its terminals go by the data of packets");
}

}  // namespace
