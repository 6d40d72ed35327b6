// What the whole network does, against formulas and small models that know nothing of the blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "support/dice.hpp"
#include "support/experiment_bench.hpp"

namespace {

using nlohmann::json;

// --- zero-load latency

struct network {
  const char* name;
  json topology;
  unsigned terminals;
  /// Switches between two terminals.
  unsigned (*hops)(unsigned from, unsigned to);
};

unsigned distance(unsigned a, unsigned b) { return a < b ? b - a : a - b; }
unsigned around(unsigned a, unsigned b, unsigned size) {
  return std::min(distance(a, b), size - distance(a, b));
}

const std::vector<network>& networks() {
  static const std::vector<network> all{
      {"butterfly",
       {{"kind", "butterfly"}, {"radix", 2}, {"stages", 4}},
       16,
       [](unsigned, unsigned) { return 4u; }},
      {"omega", {{"kind", "omega"}, {"radix", 3}, {"stages", 2}}, 9, [](unsigned, unsigned) { return 2u; }},
      {"crossbar", {{"kind", "crossbar"}, {"terminals", 6}}, 6, [](unsigned, unsigned) { return 1u; }},
      {"ring",
       {{"kind", "ring"}, {"terminals", 7}},
       7,
       [](unsigned a, unsigned b) { return 1 + around(a, b, 7); }},
      {"mesh",
       {{"kind", "mesh"}, {"dimensions", {4, 3}}},
       12,
       [](unsigned a, unsigned b) { return 1 + distance(a % 4, b % 4) + distance(a / 4, b / 4); }},
      {"torus",
       {{"kind", "torus"}, {"dimensions", {4, 3}}},
       12,
       [](unsigned a, unsigned b) { return 1 + around(a % 4, b % 4, 4) + around(a / 4, b / 4, 3); }},
  };
  return all;
}

using latency_case = std::tuple<std::size_t, unsigned, bool>;  // network, flits a packet, store and forward

class zero_load_latency : public testing::TestWithParam<latency_case> {};

std::string name_of_case(const testing::TestParamInfo<latency_case>& test) {
  const auto& [which, length, stores] = test.param;
  return std::string(networks()[which].name) + "_" + std::to_string(length) +
         (stores ? "_stored" : "_cut_through");
}

}  // namespace

TEST_P(zero_load_latency, is_hops_and_serialisation) {
  const auto& [which, length, stores] = GetParam();
  const network& n = networks()[which];
  experiment_bench bench;
  constexpr unsigned gap = 100;  // no packet meets another
  unsigned cycle = 0;
  {
    std::ofstream trace(bench.folder / "trace.csv");
    for (unsigned from = 0; from < n.terminals; ++from)
      for (unsigned to = 0; to < n.terminals; ++to, cycle += gap)
        trace << cycle << ',' << from << ',' << to << ',' << length << '\n';
  }
  const json switches{{"depth", length},
                      {"buffering", length % 2 ? "fifo" : "voq"},
                      {"switching", stores ? "store_and_forward" : "cut_through"}};
  bench.run({{"name", n.name},
             {"topology", n.topology},
             {"switch", switches},
             {"packet", {{"length", length}}},
             {"checks", {{"deadlock", false}}},
             {"traffic", {{{"pattern", "trace"}, {"file", "trace.csv"}}}}});
  ASSERT_EQ(bench.arrivals.size(), n.terminals * n.terminals);
  for (const arrival& a : bench.arrivals) {
    const unsigned hops = n.hops(static_cast<unsigned>(a.source), static_cast<unsigned>(a.destination));
    // A cycle a switch, or the whole packet a switch; then the flits behind the head.
    const unsigned network_latency = (stores ? hops * length : hops) + length - 1;
    ASSERT_EQ(a.cycle - a.injected, network_latency) << a.source << " to " << a.destination;
    ASSERT_EQ(a.injected - a.created, 1u) << "the link into the network";
  }
}

INSTANTIATE_TEST_SUITE_P(networks, zero_load_latency,
                         testing::Combine(testing::Range<std::size_t>(0, 6), testing::Values(1u, 2u, 5u),
                                          testing::Bool()),
                         name_of_case);

namespace {

// network, buffering, flits a packet, store and forward, flits of a queue or pool
using common_queues_case = std::tuple<std::size_t, std::string, unsigned, bool, unsigned>;

class zero_load_latency_of_common_queues : public testing::TestWithParam<common_queues_case> {};

}  // namespace

// A queue that all inputs write takes one packet of several flits at a time, and is offered to one input; one
// of few places is offered to as many. To another a head comes a cycle later. Nothing else makes a
// difference.
TEST_P(zero_load_latency_of_common_queues, is_at_most_a_cycle_a_switch_longer) {
  const auto& [which, buffering, length, stores, depth] = GetParam();
  const network& n = networks()[which];
  const bool waits = length > 1 || depth < 5;  // a switch of the mesh has 5 inputs, the crossbar 6
  experiment_bench bench;
  {
    std::ofstream trace(bench.folder / "trace.csv");
    // From the last to the first, as turns go the other way.
    for (unsigned i = 0; i < n.terminals * n.terminals; ++i)
      trace << 100 * i << ',' << n.terminals - 1 - i / n.terminals << ',' << i % n.terminals << ',' << length
            << '\n';
  }
  bench.run({{"name", n.name},
             {"topology", n.topology},
             {"switch",
              {{"buffering", buffering},
               {"depth", depth},
               {"switching", stores ? "store_and_forward" : "cut_through"}}},
             {"packet", {{"length", length}}},
             {"checks", {{"deadlock", false}}},
             {"traffic", {{{"pattern", "trace"}, {"file", "trace.csv"}}}}});
  ASSERT_EQ(bench.arrivals.size(), n.terminals * n.terminals);
  std::uint64_t later = 0;
  for (const arrival& a : bench.arrivals) {
    const unsigned hops = n.hops(static_cast<unsigned>(a.source), static_cast<unsigned>(a.destination));
    const std::uint64_t least = (stores ? hops * length : hops) + length;
    ASSERT_GE(a.cycle - a.created, least) << a.source << " to " << a.destination;
    ASSERT_LE(a.cycle - a.created, least + (waits ? hops : 0)) << a.source << " to " << a.destination;
    later += a.cycle - a.created - least;
  }
  EXPECT_EQ(later != 0, waits);
  const process_result said =
      run_process("'" SPILLWAY_COMMAND "' check '" + (bench.folder / "e.yaml").string() + "'");
  const unsigned a_switch = (stores ? length : 1) + waits;
  const std::string formula = std::string("latency: ") + (waits ? "at most " : "") +
                              (a_switch == 1 ? "" : std::to_string(a_switch)) + "d";
  EXPECT_NE(said.output.find(formula), std::string::npos) << formula << '\n' << said.output;
}

INSTANTIATE_TEST_SUITE_P(of, zero_load_latency_of_common_queues,
                         testing::Combine(testing::Values(2u, 4u),
                                          testing::Values(std::string("output"), std::string("shared")),
                                          testing::Values(1u, 3u), testing::Bool(),
                                          testing::Values(20u, 3u)));

// --- a crossbar under saturated uniform traffic

namespace {

double saturated_crossbar(unsigned terminals, const char* buffering) {
  experiment_bench bench;
  bench.run({{"name", "crossbar"},
             {"topology", {{"kind", "crossbar"}, {"terminals", terminals}}},
             {"switch", {{"buffering", buffering}, {"depth", buffering[0] == 'v' ? 64 : 4}}},
             {"checks", {{"links", false}}},
             {"measure", {{"warmup", 2000}, {"cycles", 160000 / terminals}, {"drain", 0}}},
             {"traffic", {{{"pattern", "uniform"}, {"include_self", true}, {"injection", "saturated"}}}}});
  return bench.result["throughput"].get<double>();
}

}  // namespace

// Karol, Hluchyj and Morgan: Input Versus Output Queueing on a Space-Division Packet Switch, IEEE Trans.
// Communications, 1987, table I.
TEST(saturated_crossbar, with_one_queue_an_input_gives_what_karol_and_others_found) {
  EXPECT_NEAR(saturated_crossbar(2, "fifo"), 0.7500, 0.006);
  EXPECT_NEAR(saturated_crossbar(4, "fifo"), 0.6553, 0.006);
  EXPECT_NEAR(saturated_crossbar(8, "fifo"), 0.6184, 0.006);
  const double large = saturated_crossbar(32, "fifo");
  EXPECT_GT(large, 2 - std::sqrt(2.0) - 0.002);
  EXPECT_LT(large, 0.61);
}

TEST(saturated_crossbar, with_a_queue_an_output_at_every_input_loses_little) {
  EXPECT_GT(saturated_crossbar(2, "voq"), 0.95);
  EXPECT_GT(saturated_crossbar(8, "voq"), 0.95);
}

// --- an omega network of output-queued 2x2 switches

namespace {

struct packet {
  std::uint64_t at;  ///< edge at which it reaches the next stage
  unsigned line, destination, source, number;
};

/// Lindley's recursion, stage after stage: a packet leaves a queue one cycle after it came or one cycle
/// after the packet before it, whichever is later. Of two that come at once, input 0 is first.
std::vector<packet> through_output_queues(std::vector<packet> packets, unsigned stages) {
  const unsigned lines = 1u << stages;
  for (unsigned stage = 0; stage < stages; ++stage) {
    for (packet& p : packets) p.line = (p.line << 1 | p.line >> (stages - 1)) % lines;
    std::sort(packets.begin(), packets.end(), [](const packet& a, const packet& b) {
      return std::tie(a.at, a.line) < std::tie(b.at, b.line);
    });
    std::vector<std::uint64_t> last(lines);
    for (packet& p : packets) {
      p.line = (p.line & ~1u) | (p.destination >> (stages - 1 - stage) & 1);
      p.at = last[p.line] = std::max(p.at, last[p.line]) + 1;
    }
  }
  return packets;
}

}  // namespace

TEST(output_queued_omega, delivers_every_packet_when_a_small_model_says) {
  constexpr unsigned stages = 4, terminals = 16, cycles = 1500;
  experiment_bench bench;
  spillway::testing_support::dice dice(7);
  std::vector<packet> packets;
  std::vector<unsigned> made(terminals);
  {
    std::ofstream trace(bench.folder / "trace.csv");
    for (unsigned cycle = 0; cycle < cycles; ++cycle)
      for (unsigned t = 0; t < terminals; ++t) {
        if (!dice.percent(70)) continue;
        const unsigned to = dice.below(terminals);
        trace << cycle << ',' << t << ',' << to << ",1\n";
        packets.push_back({cycle + 1, t, to, t, made[t]++});
      }
  }
  bench.run({{"name", "output-queued"},
             {"topology", {{"kind", "omega"}, {"radix", 2}, {"stages", stages}}},
             {"switch", {{"buffering", "output"}, {"depth", 200}}},
             {"traffic", {{{"pattern", "trace"}, {"file", "trace.csv"}}}}});
  ASSERT_EQ(bench.arrivals.size(), packets.size());

  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> delivered;
  for (const arrival& a : bench.arrivals) delivered[{a.source, a.packet}] = a.cycle;
  std::uint64_t waited = 0;
  for (const packet& p : through_output_queues(packets, stages)) {
    ASSERT_EQ(p.line, p.destination);
    ASSERT_EQ((delivered[{p.source, p.number}]), p.at)
        << "packet " << p.number << " of terminal " << p.source;
    waited += p.at;
  }
  for (const packet& p : packets) waited -= p.at + stages;
  EXPECT_GT(waited, packets.size()) << "the queues were never put to the test";
}

// --- tree saturation

// Pfister and Norton: "Hot spot" contention and combining in multistage interconnection networks, IEEE Trans.
// Computers, 1985. The hot terminal takes one packet a cycle, of which each of N terminals has an equal
// share; a terminal has to make 1/(h + (1-h)/N) packets on average for one to the hot spot.
TEST(hot_spot, holds_every_terminal_to_the_bound_of_pfister_and_norton) {
  constexpr unsigned terminals = 32, warmup = 4000, cycles = 40000;
  // How near the network comes: with few hot packets, other conflicts leave the hot terminal idle at times.
  const std::pair<double, double> cases[] = {{0.05, 0.95}, {0.2, 0.998}};
  for (const auto& [h, nearness] : cases) {
    SCOPED_TRACE(h);
    experiment_bench bench;
    bench.run({{"name", "bound"},
               {"topology", {{"kind", "omega"}, {"radix", 2}, {"stages", 5}}},
               {"checks", {{"links", false}}},
               {"measure", {{"warmup", warmup}, {"cycles", cycles}, {"drain", 0}}},
               {"traffic",
                {{{"pattern", "hotspot"}, {"targets", {5}}, {"fraction", h}, {"injection", "saturated"}}}}});
    std::vector<double> sent(terminals);
    unsigned hot = 0;
    for (const arrival& a : bench.arrivals) {
      if (a.cycle < warmup || a.cycle >= warmup + cycles) continue;
      ++sent[a.source];
      hot += a.destination == 5;
    }
    EXPECT_LE(hot, cycles);
    EXPECT_GT(hot, nearness * cycles);
    const double bound = 1 / (1 + h * (terminals - 1));
    // Standard deviation of what a terminal makes until it has made its share of hot packets.
    const double share = h + (1 - h) / terminals;
    const double spread = bound * std::sqrt((1 - share) * terminals / cycles);
    double mean = 0;
    for (unsigned t = 0; t < terminals; ++t) {
      const double throughput = sent[t] / cycles;
      EXPECT_LT(throughput, bound + 4 * spread) << "terminal " << t;
      EXPECT_GT(throughput, nearness * bound - 4 * spread) << "terminal " << t;
      mean += throughput / terminals;
    }
    EXPECT_LT(mean, bound + 4 * spread / std::sqrt(terminals));
    EXPECT_GT(mean, nearness * bound - 4 * spread / std::sqrt(terminals));
    EXPECT_DOUBLE_EQ(bench.result["throughput"].get<double>(), mean);
  }
}
