// Equations 1, 3 and 4 of the NIFDY paper over its eight networks: the bandwidth of a message to a near and
// to a far terminal, in bulk mode, with nobody else sending.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "support/process.hpp"

namespace {

using nlohmann::json;

struct pair_of {
  const char *network, *distance;
  unsigned to;           // from terminal 0
  unsigned there, back;  // cycles of a packet's head and of an acknowledgement, by Table 3
  unsigned flit = 4;     // cycles of a flit on a link
};
void PrintTo(const pair_of& p, std::ostream* os) { *os << p.network << ' ' << p.distance; }

constexpr unsigned flits = 8;
/// A bulk packet is acknowledged when its tail has left the reorder buffers, two cycles after it came.
unsigned wait_for_tail(const pair_of& p) { return (flits - 1) * p.flit + 2; }

json theory_of_pair(const pair_of& p, unsigned receive) {
  const process_result r = run_process(
      std::string(SPILLWAY_COMMAND) + " theory nifdy t_send=40 t_receive=" + std::to_string(receive) +
      " t_link=" + std::to_string(flits * p.flit) + " latency=" + std::to_string((p.there + p.back) / 2.0) +
      " t_tail=" + std::to_string(wait_for_tail(p)));
  EXPECT_EQ(r.status, 0) << r.output;
  return json::parse(r.output);
}

/// Packets a cycle.
double measured(const pair_of& p, unsigned receive, unsigned window, bool each) {
  const scratch_folder folder;
  const process_result r = run_process(
      std::string(SPILLWAY_COMMAND) + " run '" + SPILLWAY_EXPERIMENTS + "/nifdy/" + p.network +
      ".yaml' --no-report --set 'workload={kind: messages, messages: [{from: 0, to: " + std::to_string(p.to) +
      ", packets: 1000}]}' --set measure.warmup=2000 --set measure.cycles=4800" +
      " --set interface.dialogs=1 --set interface.window=" + std::to_string(window) +
      " --set interface.bulk_acknowledge=" + (each ? "each" : "half_window") +
      " --set 'interface.processor={send: 40, poll: 0, receive: " + std::to_string(receive) + "}' --out '" +
      (folder / "out").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  const json result = json::parse(read_text(folder / "out" / "result.json"));
  return result.at("throughput").get<double>() * result.at("terminals").get<double>();
}

/// The least window by the equation; half windows are whole.
unsigned least_window(const json& equations, bool each) {
  if (each) return static_cast<unsigned>(std::max(1.0, std::ceil(equations.at("window_each").get<double>())));
  return 2 *
         static_cast<unsigned>(std::max(1.0, std::ceil(equations.at("window_combined").get<double>() / 2)));
}

/// What a window that is too small leaves: W packets a round trip. With half windows that is the round trip
/// of the last packet of a half, which the others of the half, waiting in the pool, leave before.
double limit(const pair_of& p, const json& equations, unsigned window, bool each) {
  const unsigned others = each || window < 2 ? 0 : window / 2 - 1;
  return window / (equations.at("t_roundtrip").get<double>() + wait_for_tail(p) + others * flits * p.flit);
}

class a_lone_pair : public testing::TestWithParam<pair_of> {};

TEST_P(a_lone_pair, has_all_bandwidth_with_the_least_window_of_the_equations_and_less_with_a_smaller_one) {
  const pair_of& p = GetParam();
  for (const unsigned receive : {60u, 40u}) {
    const json equations = theory_of_pair(p, receive);
    const double all = equations.at("bandwidth");
    for (const bool each : {false, true}) {
      const unsigned least = least_window(equations, each);
      const auto what = [&](unsigned window) {
        return "receive " + std::to_string(receive) + ", window " + std::to_string(window) +
               (each ? ", ack each" : ", half windows");
      };
      EXPECT_GE(measured(p, receive, least, each), 0.95 * all) << what(least);
      for (const unsigned window : {1u, each ? least / 2 : least / 4 * 2, each ? least - 1 : least - 2}) {
        if (window == 0 || window >= least) continue;
        const double expected = std::min(all, limit(p, equations, window, each));
        EXPECT_NEAR(measured(p, receive, window, each), expected, 0.05 * expected) << what(window);
      }
    }
  }
}

// Table 2: 140 + 8h cycles from send to handler, software included, on the CM-5. Here a poll, the send, 9h +
// 2 and all of the receive.
TEST(one_way_latency, is_that_of_table_2_to_5_per_cent) {
  constexpr unsigned words = 6;
  for (const auto& [to, hops] : {std::pair{1u, 2u}, {5u, 4u}, {31u, 6u}}) {
    std::string messages;
    // Apart by a time that meets all phases of the polls.
    for (unsigned i = 0; i < 44; ++i)
      messages += (i ? ", {from: 0, to: " : "{from: 0, to: ") + std::to_string(to) +
                  ", at: " + std::to_string(1000 + 501 * i) + "}";
    const scratch_folder folder;
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + SPILLWAY_EXPERIMENTS +
                    "/nifdy/cm5.yaml' --no-report --set 'topology.children=[4, 4, 2]' --set packet.length=" +
                    std::to_string(words) + " --set 'workload={kind: messages, messages: [" + messages +
                    "]}' --set 'measure={interval: 100}' --out '" + (folder / "out").string() + "'");
    ASSERT_EQ(r.status, 0) << r.output;
    const json result = json::parse(read_text(folder / "out" / "result.json"));
    EXPECT_EQ(result.at("delivered"), 44);
    const double to_head = result.at("latency").at("mean").get<double>() - (words - 1) * 8;
    EXPECT_NEAR(to_head + 56, 140 + 8 * hops, 0.05 * (140 + 8 * hops)) << hops << " hops";
  }
}

// Stored packets: the head comes seven flits of four cycles before the tail that Table 3 counts to, and an
// acknowledgement is one flit long.
INSTANTIATE_TEST_SUITE_P(
    nifdy, a_lone_pair,
    testing::Values(pair_of{"full-fat-tree", "near", 1, 12, 12}, pair_of{"full-fat-tree", "far", 63, 32, 32},
                    pair_of{"cm5", "near", 1, 20, 20, 8}, pair_of{"cm5", "far", 63, 56, 56, 8},
                    pair_of{"stored-fat-tree", "near", 1, 69 - 28, 13},
                    pair_of{"stored-fat-tree", "far", 63, 201 - 28, 33}, pair_of{"mesh", "near", 1, 18, 18},
                    pair_of{"mesh", "far", 63, 70, 70}, pair_of{"torus", "near", 1, 18, 18},
                    pair_of{"torus", "far", 36, 46, 46}, pair_of{"mesh-3d", "near", 1, 22, 22},
                    pair_of{"mesh-3d", "far", 63, 54, 54}, pair_of{"butterfly", "far", 63, 22, 22},
                    pair_of{"multibutterfly", "far", 63, 22, 22}),
    [](const auto& i) {
      std::string name = std::string(i.param.network) + "_" + i.param.distance;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
