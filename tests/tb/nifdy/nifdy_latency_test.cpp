// The latency without contention that `spillway check` prints is what lone packets take, through NIFDY's
// interfaces too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "support/process.hpp"

namespace {

using nlohmann::json;

struct machine {
  const char *name, *switches;
  unsigned cycles_a_flit;
};
void PrintTo(const machine& m, std::ostream* os) { *os << m.name; }

/// What `check` printed of the latency.
struct printed {
  unsigned a_link = 1;
  int constant = 0;
  bool to_the_tail = false;
  unsigned turns = 0;
};

printed read_latency(const std::string& output) {
  static const std::regex line(
      "latency: (\\d*)d(?: ([+-]) (\\d+))? cycles without contention, .*to the (head|tail)(?:, and up to "
      "(\\d+) for the turn of its network)?; d: links of the route between switches");
  std::smatch m;
  if (!std::regex_search(output, m, line)) {
    ADD_FAILURE() << output;
    return {};
  }
  const auto number = [](const std::string& s) {
    return s.empty() ? 0u : static_cast<unsigned>(std::stoul(s));
  };
  printed p;
  if (m[1].length()) p.a_link = number(m[1]);
  p.constant = static_cast<int>(number(m[3])) * (m[2] == "-" ? -1 : 1);
  p.to_the_tail = m[4] == "tail";
  p.turns = number(m[5]);
  return p;
}

unsigned around_ring(unsigned a, unsigned b) {
  const unsigned d = a < b ? b - a : a - b;
  return std::min(d, 4 - d);
}

constexpr unsigned terminals = 16;

class printed_latency : public testing::TestWithParam<std::tuple<machine, const char*, unsigned, unsigned>> {
};

}  // namespace

TEST_P(printed_latency, of_a_torus_with_nifdy_is_what_is_measured) {
  const auto& [m, ends, length, link] = GetParam();
  const scratch_folder folder;
  const std::string file = (folder / "e.yaml").string();
  unsigned cycle = 0;
  {
    std::ofstream trace(folder / "trace.csv");
    for (unsigned pair = 0; pair < terminals * terminals; ++pair, cycle += 701)  // no packet meets another
      if (pair / terminals != pair % terminals)
        trace << cycle << ',' << pair / terminals << ',' << pair % terminals << ',' << length << '\n';
  }
  json e{{"name", "lone"},
         {"topology", {{"kind", "torus"}, {"dimensions", {4, 4}}}},
         {"switch", json::parse(m.switches)},
         {"link", {{"latency", link}}},
         {"packet", {{"length", length}}},
         {"checks", {{"deadlock", false}}},
         {"traffic", {{{"pattern", "trace"}, {"file", "trace.csv"}}}}};
  const json unit = json::parse(ends);
  e[unit.is_array() ? "stages" : "interface"] = unit;
  std::ofstream(file) << e;
  const printed said = read_latency(run_process("'" SPILLWAY_COMMAND "' check '" + file + "'").output);
  const process_result r = run_process("'" SPILLWAY_COMMAND "' run '" + file +
                                       "' --deliveries --no-report --out '" + (folder / "o").string() + "'");
  ASSERT_EQ(r.status, 0) << r.output;

  std::string text = read_text(folder / "o" / "deliveries.csv");
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream lines(text.substr(text.find('\n')));
  std::uint64_t at = 0, source = 0, destination = 0, packet = 0, created = 0;
  unsigned packets = 0;
  for (std::string rest; lines >> at >> source >> destination >> packet >> created; ++packets) {
    std::getline(lines, rest);
    const auto from = static_cast<unsigned>(source), to = static_cast<unsigned>(destination);
    const unsigned d = around_ring(from % 4, to % 4) + around_ring(from / 4, to / 4);
    const unsigned behind = said.to_the_tail ? 0 : (length - 1) * m.cycles_a_flit;
    const std::int64_t least = std::int64_t{said.a_link} * d + said.constant + behind;
    const auto took = static_cast<std::int64_t>(at - created);
    EXPECT_GE(took, least) << from << " to " << to;
    EXPECT_LE(took, least + said.turns) << from << " to " << to;
  }
  EXPECT_EQ(packets, terminals * (terminals - 1));
}

INSTANTIATE_TEST_SUITE_P(
    nifdy, printed_latency,
    testing::Combine(
        testing::Values(
            machine{"packet", R"({"kind": "packet", "depth": 8})", 1},
            machine{"stored", R"({"kind": "packet", "depth": 8, "switching": "store_and_forward"})", 1},
            machine{"narrow",
                    R"({"kind": "wormhole", "virtual_channels": 2, "depth": 4, "entry_latency": 4,
                                    "link": {"cycles": 4}})",
                    4},
            machine{"pipelined",
                    R"({"kind": "wormhole", "switching": "cut_through", "depth": 16, "latency": 2})", 1}),
        testing::Values(R"({"kind": "nifdy", "networks": 2})", R"({"kind": "nifdy", "networks": 1})",
                        R"({"kind": "nifdy", "protocol": "buffers", "networks": 2})"),
        testing::Values(1u, 4u), testing::Values(1u, 3u)),
    [](const auto& i) {
      const std::string interface = std::get<1>(i.param);
      const char* const unit = interface.find("buffers") != std::string::npos ? "buffers"
                               : interface.find('1') != std::string::npos     ? "one_network"
                                                                              : "two_networks";
      return std::string(std::get<0>(i.param).name) + "_" + unit + "_" +
             std::to_string(std::get<2>(i.param)) + "_flits_links_of_" + std::to_string(std::get<3>(i.param));
    });

INSTANTIATE_TEST_SUITE_P(
    nifdy_as_a_stage, printed_latency,
    testing::Combine(testing::Values(machine{"packet", R"({"kind": "packet", "depth": 8})", 1}),
                     testing::Values(R"([{"kind": "nifdy"}])"), testing::Values(1u, 4u), testing::Values(1u)),
    [](const auto& i) { return std::to_string(std::get<2>(i.param)) + "_flits"; });

INSTANTIATE_TEST_SUITE_P(
    nifdy_by_turns, printed_latency,
    testing::Combine(testing::Values(machine{"turns",
                                             R"({"kind": "wormhole", "virtual_channels": 2, "depth": 4,
                                                 "entry_latency": 4, "link": {"cycles": 4, "multiplexing": "strict"}})",
                                             8}),
                     testing::Values(R"({"kind": "nifdy", "networks": 2})"), testing::Values(1u, 4u),
                     testing::Values(1u, 3u)),
    [](const auto& i) {
      return std::to_string(std::get<2>(i.param)) + "_flits_links_of_" + std::to_string(std::get<3>(i.param));
    });
