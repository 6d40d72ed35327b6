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
  // And two messages beside the pins of a packet link, each of a number, 3 bits here, and two flags.
  EXPECT_EQ(h.at("wires"), size(32, 32 * (2 + 2 * (3 + 2))));
}

TEST_F(hardware_size, of_dampening_switches) {
  const json h = of(butterfly +
                    "switch: {kind: dampening, assignment: unrestricted, buffers: 4}\ninterface: {kind: "
                    "embargo, depth: 6}\n")
                     .at("hardware");
  EXPECT_EQ(h.at("switches").at("flits"), 12 * 2 * 4);
  EXPECT_EQ(h.at("interfaces").at("flits"), 8 * 6);
  // Valid, ready, interdict, place (2 bits), and of the control the terminal (3), three flags, report and its
  // place.
  // Terminals have no numbered places.
  EXPECT_EQ(h.at("wires"), size(32, 24 * (3 + 2 + 3 + 3 + 1 + 2) + 8 * (3 + 3 + 3)));
}

TEST_F(hardware_size, of_long_links_has_their_register_stages) {
  const json h =
      of(butterfly + "switch: {kind: packet, depth: 4}\nlink: {latency: 3, places: 4}\n").at("hardware");
  // Two stages each way and 4 places; valid with a flit, lane of a credit; pointer, length and credits.
  EXPECT_EQ(h.at("register_stages"), size(32 * (2 + 4), 32 * (2 * (1 + 1) + (2 + 3 + 3))));
  EXPECT_EQ(h.at("wires"), size(32, 32 * 2)) << "one end of each";
}

TEST_F(hardware_size, is_told_of_every_mechanism) {
  for (const small_network& n : small_networks()) {
    const json result = of(n.lines, n.packet_length), h = result.at("hardware");
    const std::string name = n.name;
    // A circuit router has no places but registers, and a dampening switch the register stages of its links.
    if (name != "circuits" && name != "dampening_receivers") {
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

}  // namespace
