// Links of several cycles, and buffers before them: what they cost an idle network, carry and lose.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/experiment_bench.hpp"

using nlohmann::json;

namespace {

/// An experiment in which every terminal sends to every other, alone in the network.
json lone_packets(const experiment_bench& bench, unsigned terminals, unsigned length) {
  std::ofstream trace(bench.folder / "trace.csv");
  for (unsigned pair = 0; pair < terminals * terminals; ++pair)
    trace << 200 * pair << ',' << pair / terminals << ',' << pair % terminals << ',' << length << '\n';
  return {{"name", "long"},
          {"packet", {{"length", length}}},
          {"traffic", {{{"pattern", "trace"}, {"file", "trace.csv"}}}}};
}

/// Links between the switches of a 3x3 mesh on the packet's way.
unsigned links_of(const arrival& a) {
  const auto apart = [](std::uint64_t from, std::uint64_t to) { return from > to ? from - to : to - from; };
  return static_cast<unsigned>(apart(a.source % 3, a.destination % 3) +
                               apart(a.source / 3, a.destination / 3));
}

std::string check_of(const experiment_bench& bench, const std::string& set) {
  return run_process("'" SPILLWAY_COMMAND "' check '" + (bench.folder / "e.yaml").string() + "' " + set)
      .output;
}

}  // namespace

TEST(long_links, add_their_latency_at_switches_and_at_routers) {
  for (const char* const kind : {"packet", "wormhole"})
    for (const char* const kernel : {"fast", "signals"}) {
      experiment_bench bench;
      json e = lone_packets(bench, 9, 3);
      e["topology"] = {{"kind", "mesh"}, {"dimensions", {3, 3}}};
      e["switch"] = {{"kind", kind}};
      e["link"] = {{"latency", 5}};
      e["kernel"] = kernel;
      bench.run(e);
      ASSERT_EQ(bench.arrivals.size(), 81u);
      for (const arrival& a : bench.arrivals) {
        const unsigned d = links_of(a);
        // A cycle a switch and four more a link, those of the terminals included; then the flits behind the
        // head.
        ASSERT_EQ(a.cycle - a.injected, d + 1 + 4 * (d + 2) + 2) << kind << ' ' << kernel;
      }
      EXPECT_NE(check_of(bench, "").find("latency: 5d + 10 cycles without contention, to the head"),
                std::string::npos)
          << check_of(bench, "");
    }
}

// Where heads do not wait for the rest of the packet, slow links delay them by their cycles alone.
TEST(long_links, that_are_slow_delay_a_head_by_a_flit) {
  experiment_bench bench;
  json e = lone_packets(bench, 9, 3);
  e["topology"] = {{"kind", "mesh"}, {"dimensions", {3, 3}}};
  e["switch"] = {{"kind", "wormhole"}};
  e["link"] = {{"buffer", 6}, {"cycles", 3}};
  bench.run(e);
  ASSERT_EQ(bench.arrivals.size(), 81u);
  for (const arrival& a : bench.arrivals) {
    const unsigned d = links_of(a);
    ASSERT_EQ(a.cycle - a.injected, 4 * d + 7 + 2 * 3);
  }
  EXPECT_NE(check_of(bench, "").find("latency: 4d + 8 cycles without contention, to the head"),
            std::string::npos)
      << check_of(bench, "");
}

TEST(long_links, carry_a_flit_a_cycle_unless_they_have_fewer_places) {
  const auto cycles = [](const json& link) {
    experiment_bench bench;
    bench.run(
        {{"name", "stream"},
         {"topology", {{"kind", "crossbar"}, {"terminals", 4}}},
         {"link", link},
         {"traffic", {{{"pattern", "bit_complement"}, {"injection", "saturated"}, {"messages", 1000}}}}});
    return bench.result["cycles"].get<double>();
  };
  EXPECT_NEAR(cycles({{"latency", 1}}), 1000, 70);
  EXPECT_NEAR(cycles({{"latency", 6}}), 1000, 100);
  EXPECT_NEAR(cycles({{"latency", 6}, {"places", 5}}), 11.0 / 5 * 1000, 150);
}

namespace {

/// A full torus of routers with such links: all packets arrive, and in the same cycles on both kernels.
void expect_nothing_lost_when_full(const json& link) {
  std::vector<std::string> deliveries;
  for (const char* const kernel : {"fast", "signals"}) {
    experiment_bench bench;
    bench.run({{"name", "full"},
               {"kernel", kernel},
               {"topology", {{"kind", "torus"}, {"dimensions", {4, 4}}}},
               {"switch", {{"kind", "wormhole"}, {"virtual_channels", 2}}},
               {"packet", {{"length", 4}}},
               {"link", link},
               {"traffic", {{{"pattern", "uniform"}, {"injection", "saturated"}, {"messages", 50}}}}});
    EXPECT_EQ(bench.arrivals.size(), 16u * 50);
    EXPECT_EQ(bench.result["violations"], 0);
    deliveries.push_back(read_text(bench.folder / "out" / "deliveries.csv"));
  }
  EXPECT_EQ(deliveries[0], deliveries[1]);
}

}  // namespace

TEST(long_links, lose_nothing_in_a_full_network_and_are_the_same_on_both_kernels) {
  expect_nothing_lost_when_full({{"latency", 3}, {"places", 2}});
}

TEST(long_links, are_refused_where_links_have_no_stages) {
  experiment_bench bench;
  const auto refusal = [&](json e) {
    e["name"] = "e", e["traffic"] = {{{"pattern", "uniform"}, {"injection", "saturated"}, {"messages", 5}}};
    std::ofstream(bench.folder / "e.yaml") << e;
    return check_of(bench, "");
  };
  const json topology{{"kind", "butterfly"}, {"radix", 2}, {"stages", 2}};
  EXPECT_NE(refusal({{"topology", topology},
                     {"switch", {{"kind", "dampening"}, {"assignment", "unique"}, {"buffers", 4}}},
                     {"interface", {{"kind", "embargo"}}},
                     {"link", {{"latency", 2}}}})
                .find("the links of such switches of kind 'dampening' have no register stages"),
            std::string::npos);
  for (const auto& [buffering, key] : {std::pair("output", "latency"), std::pair("shared", "buffer")})
    EXPECT_NE(refusal({{"topology", topology}, {"switch", {{"buffering", buffering}}}, {"link", {{key, 2}}}})
                  .find("the links of such switches of kind 'packet' have no register stages"),
              std::string::npos)
        << key;
  EXPECT_NE(refusal({{"topology", topology}, {"link", {{"places", 2}}}})
                .find("a link of `latency: 1` has no places"),
            std::string::npos);
  EXPECT_NE(refusal({{"topology", topology},
                     {"switch", {{"kind", "dampening"}, {"assignment", "unique"}, {"buffers", 4}}},
                     {"interface", {{"kind", "embargo"}}},
                     {"link", {{"buffer", 2}}}})
                .find("have no register stages or buffers: expected none, found 2"),
            std::string::npos);
  EXPECT_NE(refusal({{"topology", {{"kind", "mesh"}, {"dimensions", {2, 2}}}},
                     {"switch", {{"kind", "wormhole"}, {"link", {{"multiplexing", "strict"}}}}},
                     {"interface", {{"kind", "nifdy"}}},
                     {"packet", {{"length", 3}}},
                     {"link", {{"buffer", 2}}}})
                .find("a buffer would undo the turns that the switches give"),
            std::string::npos);
  EXPECT_NE(refusal({{"topology", topology}, {"link", {{"cycles", 2}}}})
                .find("a link of several cycles a flit needs a `buffer`"),
            std::string::npos);
}

// --- buffers between switches and slower links

TEST(output_buffers, cost_the_time_of_their_links_at_switches_and_at_routers) {
  for (const char* const kind : {"packet", "wormhole"})
    for (const char* const kernel : {"fast", "signals"})
      for (const unsigned latency : {1u, 4u}) {
        experiment_bench bench;
        json e = lone_packets(bench, 9, 3);
        e["topology"] = {{"kind", "mesh"}, {"dimensions", {3, 3}}};
        e["switch"] = {{"kind", kind}};
        e["link"] = {{"latency", latency}, {"buffer", 3}, {"cycles", 2}};
        e["kernel"] = kernel;
        bench.run(e);
        ASSERT_EQ(bench.arrivals.size(), 81u);
        for (const arrival& a : bench.arrivals) {
          const unsigned d = links_of(a);
          // A cycle a switch, and a link the time of a flit beside that of its wires; then the flits behind
          // the head, as the last link lets them come.
          ASSERT_EQ(a.cycle - a.injected, d + 1 + (latency - 1 + 2) * (d + 2) + 2 * 2)
              << kind << ' ' << kernel;
        }
        const std::string found = check_of(bench, ""), per_hop = std::to_string(latency + 2);
        EXPECT_NE(found.find("latency: " + per_hop + "d + " + std::to_string(2 * (latency + 2)) + " cycles"),
                  std::string::npos)
            << found;
      }
}

// Flits come as far apart as the router's own links let them: a buffer spreads them only where it is slower.
TEST(output_buffers, delay_a_stored_packet_by_what_they_are_slower_than_its_router) {
  for (const unsigned of_router : {1u, 2u, 3u})
    for (const unsigned of_buffer : {1u, 2u, 3u}) {
      experiment_bench bench;
      json e = lone_packets(bench, 9, 4);
      e["topology"] = {{"kind", "mesh"}, {"dimensions", {3, 3}}};
      e["switch"] = {{"kind", "wormhole"},
                     {"switching", "store_and_forward"},
                     {"depth", 8},
                     {"link", {{"cycles", of_router}}}};
      e["link"] = {{"buffer", 5}, {"cycles", of_buffer}};
      bench.run(e);
      const std::string found = check_of(bench, "");
      unsigned per_switch = 0, constant = 0;
      std::sscanf(found.c_str() + found.find("latency: "), "latency: %ud + %u cycles", &per_switch,
                  &constant);
      ASSERT_NE(found.find("cycles without contention, to the tail"), std::string::npos) << found;
      ASSERT_EQ(bench.arrivals.size(), 81u);
      for (const arrival& a : bench.arrivals) {
        const unsigned d = links_of(a);
        if (a.created == 0) continue;  // the network has just been made
        ASSERT_EQ(a.cycle - a.created, per_switch * d + constant) << of_router << ' ' << of_buffer;
      }
    }
}

// Heads of line block an input for the time that its packet waits for an output; with twice the links' rate
// inside, the outputs have enough to send meanwhile.
TEST(output_buffers, make_up_for_blocked_heads_with_an_internal_speedup_of_2) {
  const auto of_links = [](const json& link, double rate) {
    experiment_bench bench;
    bench.run({{"name", "crossbar"},
               {"topology", {{"kind", "crossbar"}, {"terminals", 8}}},
               {"switch", {{"buffering", "fifo"}, {"depth", 4}}},
               {"link", link},
               {"measure", {{"warmup", 2000}, {"cycles", 20000}, {"drain", 0}}},
               {"traffic", {{{"pattern", "uniform"}, {"include_self", true}, {"injection", "saturated"}}}}});
    return bench.result["throughput"].get<double>() / rate;
  };
  EXPECT_NEAR(of_links({{"buffer", 8}}, 1), 0.62, 0.015) << "of the speed of the links alone";
  EXPECT_GT(of_links({{"buffer", 64}, {"cycles", 2}}, 0.5), 0.97);
}

TEST(output_buffers, lose_nothing_in_a_full_network_and_are_the_same_on_both_kernels) {
  expect_nothing_lost_when_full({{"latency", 3}, {"buffer", 2}, {"cycles", 2}});
}
