#pragma once
#include <ostream>
#include <string>
#include <vector>

/// Lines of an experiment: eight terminals, joined by what a mechanism offers.
struct small_network {
  const char* name;
  std::string lines;
  unsigned packet_length = 1;
  bool draws = false;  ///< it draws at random, and goes on with that after a reset
};
inline void PrintTo(const small_network& n, std::ostream* os) { *os << n.name; }

/// One or more of every mechanism, small enough to fill up.
inline std::vector<small_network> small_networks() {
  const std::string
      butterfly = "topology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet, ",
      omega = "topology: {kind: omega, radix: 2, stages: 3}\n",
      mesh = "topology: {kind: mesh, dimensions: [4, 2]}\n",
      dampening =
          omega + "interface: {kind: embargo}\nswitch: {kind: dampening, buffers: 6, j: 2, assignment: ",
      memory =
          omega + "switch: {kind: packet, buffering: output, memory_depth: 8}\ninterface: {kind: feedback",
      cube =
          "topology: {kind: hypercube, dimension: 3}\nrouting: {kind: e_cube}\nswitch: {kind: message_node, "
          "unit: 4, length: fixed";
  return {
      {"fifo", butterfly + "depth: 3}\n", 3},
      {"voq", butterfly + "buffering: voq, depth: 2}\n", 2},
      {"stored", butterfly + "switching: store_and_forward}\n", 3},
      {"output_queues", butterfly + "buffering: output, depth: 2}\n"},
      {"shared", butterfly + "buffering: shared, depth: 8}\n"},
      {"oldest_first", butterfly + "buffering: voq, arbiter: oldest_first}\n"},
      {"wormhole", mesh + "switch: {kind: wormhole, virtual_channels: 2}\n", 3},
      {"adaptive", mesh + "switch: {kind: wormhole, virtual_channels: 3}\nrouting: {kind: adaptive}\n", 3},
      {"tree",
       "topology: {kind: xgft, children: [2, 2, 2]}\nswitch: {kind: wormhole, switching: store_and_forward, "
       "latency: 3}\n",
       3},
      {"nifdy", mesh + "switch: {kind: wormhole}\ninterface: {kind: nifdy}\n", 3},
      {"nifdy_in_turns",
       mesh + "switch: {kind: wormhole, link: {cycles: 2, multiplexing: strict}}\ninterface: {kind: nifdy, "
              "networks: 1}\n",
       3},
      {"nifdy_lossy", mesh + "switch: {kind: wormhole}\ninterface: {kind: nifdy, loss: 0.02, timeout: 300}\n",
       3, true},
      {"ecn", butterfly + "depth: 3}\nmarking: {kind: ecn, threshold: 2}\nstages: [{kind: ecn, pool: 8}]\n",
       3},
      {"ecn_nifdy",
       mesh +
           "switch: {kind: wormhole}\nmarking: {kind: ecn, threshold: 2}\ninterface: {kind: nifdy}\nstages: "
           "[{kind: ecn, pool: 8}]\n",
       3},
      {"srp",
       "topology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: wormhole, switching: cut_through, "
       "depth: 8, priority: network}\ndropping: {kind: srp, life: 12}\nstages: [{kind: srp, pool: 16, "
       "smallest: 2, largest: 8}]\n",
       3},
      {"dampening", dampening + "tuples}\n"},
      {"dampening_receivers", dampening + "tuples, flow: receiver, latency: 2}\n"},
      {"dampening_counting", dampening + "modified_counting, flow: receiver}\n"},
      {"dampening_one_pool", dampening + "counting, flow: receiver, pool: switch}\n"},
      {"dampening_tight", omega + "interface: {kind: embargo}\nswitch: {kind: dampening, buffers: 2, j: 1, "
                                  "assignment: tuples, flow: "
                                  "receiver, emergency: 1, extra: 2}\n"},
      {"dampening_tight_pool",
       omega +
           "interface: {kind: embargo}\nswitch: {kind: dampening, buffers: 3, j: 1, assignment: counting, "
           "flow: receiver, pool: switch, emergency: 1, extra: 4}\n"},
      {"combining",
       omega + "switch: {kind: combining, degree: 2, wait_buffer: 2}\ninterface: {kind: memory}\n"},
      {"feedback", memory + "}\n"},
      {"feedback_bus", memory + ", announce: bus, hot_list: 2}\n"},
      {"feedback_grants", memory + ", bleeding: round_robin}\n"},
      {"feedback_slots", memory + ", bleeding: slots, set_aside: 2, announce: bus}\n"},
      {"feedback_admission", memory + ", limit: {hot: 1, cold: 3}}\n"},
      {"message_nodes", cube + "}\n"},
      {"message_buffers", cube + ", buffers: 6}\n", 1, true},
      {"circuits",
       "topology: {kind: fat_tree, terminals: 8}\nswitch: {kind: circuit, contention: fixed}\ninterface: "
       "{kind: circuit}\n",
       3}};
}
