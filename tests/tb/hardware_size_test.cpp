// What result.json says of the circuit of a network, against sums by hand.
#include <nlohmann/json.hpp>

#include "support/small_networks.hpp"
#include "support/studies.hpp"

namespace {

using nlohmann::json;

class hardware_size : public studies {
protected:
  json of(const std::string& lines, unsigned packet_length = 1) {
    write("n.yaml",
          "name: n\n" + lines + "packet: {length: " + std::to_string(packet_length) +
              "}\nchecks: {deadlock: false}\ntraffic:\n  - {pattern: uniform, rate: 0.05, cycles: 20}\n");
    const process_result r = spillway("run n.yaml --no-report --out out");
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder / "out/result.json"));
  }
  static json size(unsigned flits, unsigned bits) { return {{"flits", flits}, {"bits", bits}}; }
  const std::string butterfly =
      "topology: {kind: butterfly, radix: 2, stages: 3}\n";  // 12 switches, 32 links
};

TEST_F(hardware_size, of_plain_switches) {
  const json h = of(butterfly + "switch: {kind: packet, depth: 3}\n", 3).at("hardware");
  // An input: pointer and length of its ring, 2 + 2 bits; flits to come and their output, 2 + 1. An output:
  // who sends, of two or nobody, and whose turn it is, 2 + 1.
  EXPECT_EQ(h.at("switches"), size(12 * 6, 12 * (2 * 4 + 2 * 3 + 2 * 3)));
  EXPECT_EQ(h.at("interfaces"), size(0, 0));
  EXPECT_EQ(h.at("register_stages"), size(0, 0));
  EXPECT_EQ(h.at("wires"), size(32, 32 * 2));
}

TEST_F(hardware_size, of_a_queue_a_destination) {
  const json h =
      of(butterfly + "switch: {kind: destination_queues, queues: 8, depth: 4, gate: 4}\n").at("hardware");
  // A queue: 2 + 3 bits of its ring. A lane of an output: who sends, and whose turn, 2 + 1; an output: 3 of
  // the turn.
  EXPECT_EQ(h.at("switches"), size(12 * 64, 12 * (16 * 5 + 2 * (8 * 3 + 3))));
  // A gate, and two flits that have arrived.
  EXPECT_EQ(h.at("interfaces").at("flits"), 8 * (4 + 2));
  // Valid, and ready for each lane; a lane to a terminal.
  EXPECT_EQ(h.at("wires"), size(32, 24 * 9 + 8 * 2));
}

TEST_F(hardware_size, of_set_aside_queues) {
  const json h = of(butterfly + "switch: {kind: isolation, depth: 4, queues: 2, queue_depth: 4, gate: 4}\n")
                     .at("hardware");
  EXPECT_EQ(h.at("switches").at("flits"), 12 * 2 * (4 + 2 * 4));
  // A queue of 4: 2 + 3 bits, of those set aside also the root, 3, the output, 1, and 4 flags, and of each
  // other one how much goes before, 3; what takes the first packet, of 2 or none, and whether it is held.
  const unsigned input = 5 + 2 * (5 + 3 + 1 + 4) + 2 * 2 * 3 + 2 + 1;
  // Of 6 queues or none the one that sends, and the turn; two counts of up to 24; a root? Two roots ahead, 3
  // + 2.
  const unsigned output = 3 + 3 + 2 * 5 + 1 + 2 * (3 + 2);
  EXPECT_EQ(h.at("switches").at("bits"), 12 * 2 * (input + output));
  // And two messages beside the pins of a packet link, each of a number, 3 bits here, and two flags.
  EXPECT_EQ(h.at("wires"), size(32, 32 * (2 + 2 * (3 + 2))));
}

TEST_F(hardware_size, of_dampening_switches) {
  const json h = of(butterfly +
                    "switch: {kind: dampening, assignment: unrestricted, buffers: 4}\ninterface: {kind: "
                    "embargo, depth: 6}\n")
                     .at("hardware");
  // Of 8 messages the next, 4 bits, the output, 1, and two flags; 8 reports of a terminal, 3, and a place, 3.
  const unsigned messages = 8 * (4 + 1 + 2) + 8 * (3 + 3);
  // A sender has a queue for each of 8 terminals: its number, 3, first and last message and the queues beside
  // it, 4 each, and two flags; the ends of the turns and a flag. And whose turn it is to pass through.
  const unsigned output = 8 * (3 + 4 * 4 + 2) + 2 * 4 + 1 + 1;
  // The image of 4 places: which are taken, and a list of the free.
  const unsigned image = 4 * (1 + 2) + 3;
  EXPECT_EQ(h.at("switches"), size(12 * 2 * 4, 12 * (messages + 2 * output) + 16 * image));
  // The same with 6 messages, of which the next takes 3 bits.
  EXPECT_EQ(h.at("interfaces"), size(8 * 6, 8 * (6 * 3 + 6 * (3 + 4 * 3 + 2) + 2 * 3 + 1 + image)));
  // Valid, ready, interdict, place (2 bits), and of the control the terminal (3), three flags, report and its
  // place.
  // Terminals have no numbered places.
  EXPECT_EQ(h.at("wires"), size(32, 24 * (3 + 2 + 3 + 3 + 1 + 2) + 8 * (3 + 3 + 3)));
}

TEST_F(hardware_size, of_pauses) {
  const json h =
      of(butterfly + "switch: {kind: flow_pause, queues: 2, places: 4, threshold: 2, flows: 16, gate: 4}\n")
          .at("hardware");
  // Of 8 packets of one flit and their lists: 4 bits for the number of a packet or none, and for a count.
  const unsigned lists =
      8 * (3 + 3 + 4) + 8 * 3 + 3;  // first, last, flits; the next of a slot; the first free
  const unsigned packets =
      8 * (4 + 4 + 4 + 1 + 1 + 1 + 1 + 1);  // next, line, position, lane, input, output, queue, mark
  const unsigned lanes = 2 * (4 + 2 * (4 + 1));
  const unsigned queues = 2 * 2 * (3 * 4 + 2 * 4), flows = 2 * (2 * 1 + 1 + 16 * (4 + 1));
  EXPECT_EQ(h.at("switches"), size(12 * 8, 12 * (lists + packets + lanes + queues + flows)));
  EXPECT_EQ(h.at("wires"), size(32, 24 * (1 + 2) + 8 * 2));
}

TEST_F(hardware_size, of_throttles) {
  const json h =
      of(butterfly +
         "switch: {kind: packet, depth: 4}\nmarking: {kind: ecn, threshold: 2}\nstages: [{kind: ecn, "
         "pool: 8, notifications: 4, delays: [0, 4, 8, 16]}]\n")
          .at("hardware");
  // A throttle: of a place its flits and those that are sent, 1 + 1, and its turn, 3; of each destination the
  // index, 2, and a time. A reflector: two flits, and four numbers of terminals. Two flits more wherever
  // packets come together.
  EXPECT_EQ(h.at("interfaces").at("bits"), 8 * (8 * (2 * 1 + 3) + 8 * (2 + 32) + 4 * 3));
  // Notifications have a network of their own; a marker has a time an output.
  EXPECT_EQ(h.at("switches").at("bits"), 2 * 12 * (2 * 5 + 2 * 3 + 2 * 32));
}

TEST_F(hardware_size, of_nifdy_units) {
  const json h = of("topology: {kind: mesh, dimensions: [4, 2]}\nswitch: {kind: wormhole}\ninterface: {kind: "
                    "nifdy, networks: 1, pool: 8, "
                    "dialogs: 1, window: 4, arrivals: 2}\n")
                     .at("hardware");
  const unsigned pool =
      8 * (3 + 1 + 2) + 4 * 32;      // order, length and two flags; four acknowledgements with their times
  const unsigned acks = 4 * 32 + 9;  // four more, and the dialog's epoch
  const unsigned arrivals = 2 * (1 + 1);  // flits to come, and order
  const unsigned reorder =
      3 + 10 + 3 * 3 + 32 + 4;  // the sender, three numbers below 2W, a time; four lengths
  const unsigned table = 3;     // who is asked for a dialog
  EXPECT_EQ(h.at("interfaces").at("bits"), 8 * (pool + acks + arrivals + reorder + table));
  EXPECT_EQ(h.at("interfaces").at("flits"), 8 * ((8 + 4) + (4 + 1) + 2 + 2 + (4 + 3)))
      << "pool, acknowledgements, arrivals, port, reorder";
}

// One a cycle is on its way through either end.
TEST_F(hardware_size, of_acknowledgements_that_take_their_time) {
  const auto interfaces = [this](const std::string& cycles) {
    return of("topology: {kind: mesh, dimensions: [4, 2]}\nswitch: {kind: wormhole}\n"
              "interface: {kind: nifdy, networks: 1, ack_processing: " +
              cycles + "}\n")
        .at("hardware")
        .at("interfaces");
  };
  const json least = interfaces("2"), more = interfaces("12");
  EXPECT_EQ(more.at("flits").get<int>() - least.at("flits").get<int>(), 8 * 2 * 10);
  EXPECT_EQ(more.at("bits").get<int>() - least.at("bits").get<int>(), 8 * 2 * 10 * 32);
}

// A copy of each packet that may be outstanding, whatever the pool has room for.
TEST_F(hardware_size, of_nifdy_units_on_networks_that_lose_packets) {
  const auto interfaces = [this](const std::string& keys) {
    return of("topology: {kind: mesh, dimensions: [4, 2]}\nswitch: {kind: wormhole}\n"
              "interface: {kind: nifdy, networks: 1, pool: 7, outstanding: 5, window: 4" +
                  keys + "}\n",
              3)
        .at("hardware")
        .at("interfaces");
  };
  for (const unsigned dialogs : {0u, 1u}) {
    const std::string bulk = ", dialogs: " + std::to_string(dialogs);
    const json kept = interfaces(bulk), lost = interfaces(bulk + ", timeout: 1000");
    const int copies = 5 + (dialogs ? 4 : 0);
    EXPECT_EQ(lost.at("flits").get<int>() - kept.at("flits").get<int>(), 8 * copies * 3);
    EXPECT_EQ(lost.at("bits").get<int>() - kept.at("bits").get<int>(), 8 * copies * (32 + 1));
  }
}

TEST_F(hardware_size, of_lines_that_tell_all_sources_of_hot_memories) {
  const json h = of(butterfly +
                    "switch: {kind: packet, buffering: output, depth: 4, memory_depth: 8}\ninterface: {kind: "
                    "feedback, replies: false, set_aside: 2}\n")
                     .at("hardware");
  // A lane an output of the next switch; a memory's link tells how long its queue is; and a line a memory.
  EXPECT_EQ(h.at("wires"), size(32, 24 * (1 + 2) + 8 * (2 + 16) + 8));
  // A source knows of each memory whether it is hot, and a monitor of its own.
  EXPECT_EQ(h.at("interfaces"), size(8 * 2, 8 * 8 + 8));
}

TEST_F(hardware_size, of_what_all_terminals_share) {
  const json h = of(butterfly +
                    "switch: {kind: packet, buffering: output, depth: 4, memory_depth: 8}\ninterface: {kind: "
                    "feedback, replies: false, announce: bus}\n")
                     .at("hardware");
  // The bus: a queue of 8 numbers of 3 bits, and of each memory what was said last and whether it waits.
  EXPECT_EQ(h.at("interfaces"), size(0, 8 * 8 + 8 + 8 * (3 + 2)));
  // And what it says: that it does, of which memory, and what.
  EXPECT_EQ(h.at("wires"), size(32, 24 * (1 + 2) + 8 * (2 + 16) + 8 + 1 + 3 + 1));
}

TEST_F(hardware_size, of_long_links_has_their_register_stages) {
  const json h =
      of(butterfly + "switch: {kind: packet, depth: 4}\nlink: {latency: 3, places: 4}\n").at("hardware");
  // Two stages each way and 4 places; valid with a flit, lane of a credit; pointer, length and credits.
  EXPECT_EQ(h.at("register_stages"), size(32 * (2 + 4), 32 * (2 * (1 + 1) + (2 + 3 + 3))));
  EXPECT_EQ(h.at("wires"), size(32, 32 * 2)) << "one end of each";
}

TEST_F(hardware_size, of_output_buffers_has_their_places) {
  const json h =
      of(butterfly + "switch: {kind: packet, depth: 4}\nlink: {buffer: 4, cycles: 2}\n").at("hardware");
  // Four places; pointer, length, whether it is open and whether a flit has arrived; the time of the link.
  EXPECT_EQ(h.at("register_stages"), size(32 * 4, 32 * (2 + 3 + 2 + 2)));
  EXPECT_EQ(h.at("wires"), size(32, 32 * 2)) << "one end of each";
}

TEST_F(hardware_size, is_told_of_every_mechanism) {
  for (const small_network& n : small_networks()) {
    const json result = of(n.lines, n.packet_length), h = result.at("hardware");
    const std::string name = n.name;
    // A circuit router has no places but registers, a dampening switch the register stages of its links;
    // message nodes without a bound have as many as they hold.
    if (name != "circuits" && name != "dampening_receivers" && name != "message_nodes") {
      EXPECT_EQ(h.at("switches").at("flits"), result.at("places")) << name;
    }
    EXPECT_GT(h.at("switches").at("bits"), 0) << name;
    EXPECT_GT(h.at("wires").at("flits"), 0) << name;
    EXPECT_GT(h.at("wires").at("bits"), h.at("wires").at("flits")) << name << ": two of each link at least";
    for (const char* kept : {"nifdy", "dampening", "feedback", "ecn", "srp", "circuits"})
      if (name.rfind(kept, 0) == 0) {
        EXPECT_GT(h.at("interfaces").at("bits"), 0) << name;
      }
  }
}

TEST_F(hardware_size, of_what_has_no_bound_does_not_depend_on_the_traffic) {
  for (const char* network :
       {"topology: {kind: omega, radix: 2, stages: 3}\nswitch: {kind: combining, depth: 4, return_depth: 4, "
        "degree: 0, wait_buffer: 0}\ninterface: {kind: memory, latency: 4}\n",
        "topology: {kind: hypercube, dimension: 3}\nrouting: {kind: shortest_paths}\nswitch: {kind: "
        "message_node, unit: 4, buffers: 0}\n"}) {
    write("n.yaml",
          std::string("name: n\n") + network +
              "traffic:\n  - {pattern: hotspot, targets: [0], fraction: 0.9, rate: 0.8, cycles: 200}\n");
    json idle, loaded;
    for (const auto& [rate, h] : {std::pair{"0.001", &idle}, std::pair{"0.8", &loaded}}) {
      const process_result r =
          spillway(std::string("run n.yaml --no-report --out out --set traffic.0.rate=") + rate);
      ASSERT_EQ(r.status, 0) << r.output;
      *h = json::parse(read_text(folder / "out/result.json")).at("hardware");
    }
    EXPECT_EQ(idle, loaded) << network;
  }
}

TEST_F(hardware_size, of_feedback_has_a_clock_only_where_slots_are_given_by_it) {
  const auto bits = [this](const std::string& bleeding) {
    return of("topology: {kind: omega, radix: 2, stages: 3}\nswitch: {kind: packet, buffering: output, "
              "memory_depth: 4}\ninterface: {kind: feedback, bleeding: " +
              bleeding + "}\n")
        .at("hardware")
        .at("interfaces")
        .at("bits")
        .get<unsigned>();
  };
  EXPECT_EQ(bits("slots"), bits("none") + 8 * 3);
  EXPECT_EQ(bits("random"), bits("none"));
  EXPECT_EQ(bits("round_robin"), bits("none") + 3) << "whose turn it is";
}

}  // namespace
