// Whoever contends for the same has the same share of it, and in turn: one bench for the switches of all
// mechanisms. Three terminals send to terminal 0 as fast as they can.
#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "support/studies.hpp"

namespace {

struct contest {
  const char* name;
  const char* network;     ///< lines of the experiment
  std::size_t turn = 3;    ///< so many packets in a row to a terminal have as many of each source; 0: not so
  unsigned off = 1;        ///< packets that the sources may differ by
  bool answered = false;   ///< replies go back, which contend, too
  unsigned cycles = 3000;  ///< in which packets are counted
  const char* senders = "[1, 2, 3]";
};

void PrintTo(const contest& c, std::ostream* os) { *os << c.name; }

class fairness : public studies, public testing::WithParamInterface<contest> {
protected:
  struct delivery {
    unsigned cycle, source, destination;
  };
  std::vector<delivery> deliveries(const contest& c) {
    write("f.yaml",
          std::string("name: f\n") + c.network +
              "traffic: [{pattern: hotspot, targets: [0], fraction: 1, injection: saturated, terminals: " +
              c.senders + ", cycles: " + std::to_string(c.cycles + 1000) + "}]\n");
    const process_result r = spillway("run f.yaml --no-report --deliveries --out out");
    EXPECT_EQ(r.status, 0) << r.output;
    std::vector<delivery> all;
    const std::vector<std::string> log = lines("out/deliveries.csv");
    for (std::size_t i = 1; i < log.size(); ++i) {
      delivery d{};
      std::sscanf(log[i].c_str(), "%u,%u,%u", &d.cycle, &d.source, &d.destination);
      if (d.cycle >= 500 && d.cycle < 500 + c.cycles) all.push_back(d);
    }
    return all;
  }
  /// As many of each, over all and within any turn.
  void expect_even(const std::vector<unsigned>& who, const contest& c, const char* what) {
    std::map<unsigned, unsigned> count;
    for (const unsigned one : who) ++count[one];
    ASSERT_EQ(count.size(), 3u) << what;
    unsigned least = ~0u, most = 0;
    for (const auto& [one, n] : count) least = std::min(least, n), most = std::max(most, n);
    EXPECT_GT(least, c.cycles / 20) << what;
    EXPECT_LE(most - least, c.off) << what;
    for (std::size_t i = 0; c.turn && i + c.turn <= who.size(); ++i) {
      std::map<unsigned, std::size_t> turn;
      for (std::size_t k = i; k < i + c.turn; ++k) ++turn[who[k]];
      for (const auto& [one, n] : turn) ASSERT_EQ(n, c.turn / 3) << what << ", packet " << i;
    }
  }
};

TEST_P(fairness, contenders_share_evenly_and_in_turn) {
  const contest& c = GetParam();
  std::vector<unsigned> requests, replies;
  for (const delivery& d : deliveries(c))
    if (d.destination == 0)
      requests.push_back(d.source);
    else
      replies.push_back(d.destination);
  expect_even(requests, c, "requests");
  if (c.answered) expect_even(replies, c, "replies");
}

#define CROSSBAR "topology: {kind: crossbar, terminals: 4}\n"
#define DAMPENING(parameters)                                  \
  CROSSBAR "switch: {kind: dampening, buffers: 8, " parameters \
           "}\ninterface: {kind: embargo}\nchecks: {deadlock: false}\n"

INSTANTIATE_TEST_SUITE_P(
    switches, fairness,
    testing::Values(
        contest{"packet_fifo", CROSSBAR "switch: {kind: packet}\n"},
        contest{"packet_fifo_long", CROSSBAR "switch: {kind: packet}\npacket: {length: 3}\n"},
        contest{"packet_voq", CROSSBAR "switch: {kind: packet, buffering: voq}\n"},
        contest{"packet_output", CROSSBAR "switch: {kind: packet, buffering: output}\n"},
        contest{"packet_shared", CROSSBAR "switch: {kind: packet, buffering: shared, depth: 16}\n"},
        contest{"packet_stored",
                CROSSBAR "switch: {kind: packet, switching: store_and_forward}\npacket: {length: 2}\n"},
        contest{"wormhole", CROSSBAR "switch: {kind: wormhole}\npacket: {length: 3}\n"},
        // An output channel for each input in turn, and of the channels each in turn.
        contest{"wormhole_channels", CROSSBAR "switch: {kind: wormhole, virtual_channels: 2}\n", 6, 2},
        contest{"wormhole_channels_long",
                CROSSBAR "switch: {kind: wormhole, virtual_channels: 3}\npacket: {length: 4}\n", 0, 2},
        contest{"wormhole_networks", CROSSBAR "switch: {kind: wormhole}\ninterface: {kind: nifdy}\n"},
        contest{"dampening", DAMPENING("assignment: unrestricted")},
        contest{"dampening_counting", DAMPENING("assignment: counting, j: 2")},
        contest{"dampening_receivers", DAMPENING("assignment: counting, j: 2, flow: receiver"), 0, 4},
        contest{"dampening_one_pool", DAMPENING("assignment: counting, j: 2, flow: receiver, pool: switch"),
                0, 4},
        contest{"combining", CROSSBAR "switch: {kind: combining, degree: 1}\ninterface: {kind: memory}\n", 3,
                1, true},
        contest{"combining_pairs",
                CROSSBAR "switch: {kind: combining, degree: 2}\ninterface: {kind: memory}\n", 0, 4, true},
        contest{"feedback", CROSSBAR "switch: {kind: packet}\ninterface: {kind: memory}\n", 3, 1, true},
        contest{"circuit",
                "topology: {kind: fat_tree, terminals: 4}\nswitch: {kind: circuit, contention: "
                "random}\ninterface: {kind: circuit}\n",
                0, 12}),
    [](const auto& i) { return std::string(i.param.name); });

// What comes to an empty pool passes by it: of three that come at once one, each time another.
class passing_by : public studies, public testing::WithParamInterface<contest> {};

TEST_P(passing_by, is_for_everybody_in_turn) {
  write("f.yaml", std::string("name: f\n") + GetParam().network +
                      "traffic: [{pattern: all_to_one, injection: batch, batch: {count: 300, every: 12}}]\n");
  ASSERT_EQ(spillway("run f.yaml --no-report --deliveries --out out").status, 0);
  std::map<unsigned, unsigned> first;  // source, by batch
  const std::vector<std::string> log = lines("out/deliveries.csv");
  for (std::size_t i = 1; i < log.size(); ++i) {
    unsigned cycle = 0, source = 0, destination = 0, packet = 0, created = 0;
    std::sscanf(log[i].c_str(), "%u,%u,%u,%u,%u", &cycle, &source, &destination, &packet, &created);
    first.emplace(created / 12, source);
  }
  ASSERT_EQ(first.size(), 300u);
  for (unsigned batch = 3; batch < 300; ++batch) ASSERT_EQ(first[batch], first[batch - 3]);
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[1], first[2]);
  EXPECT_NE(first[0], first[2]);
}

INSTANTIATE_TEST_SUITE_P(
    switches, passing_by,
    testing::Values(contest{"senders", DAMPENING("assignment: unrestricted")},
                    contest{"receivers", DAMPENING("assignment: counting, j: 2, flow: receiver")},
                    contest{"one_pool",
                            DAMPENING("assignment: counting, j: 2, flow: receiver, pool: switch")}),
    [](const auto& i) { return std::string(i.param.name); });

}  // namespace
