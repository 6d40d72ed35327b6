// By how much collective operations on networks that are not ideal miss LogGP, as the page of workloads says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"

namespace {

struct network {
  const char *name, *topology, *switches;
};

/// Cycles of a program of 16 ranks, or fewer, with o = 5 and a byte a flit.
unsigned cycles(const scratch_folder& folder, const network& n, const std::string& program) {
  std::ofstream(folder / "far.txt") << "0\n15\n";
  std::ofstream(folder / "e.yaml")
      << "name: e\ntopology: " << n.topology << "\nswitch: " << n.switches
      << "\npacket: {length: 16}\nworkload: {kind: collective, flit_bytes: 1, o: 5, "
         "start: 10, "
      << program << "}\n";
  const process_result r = run_process(SPILLWAY_COMMAND " run '" + (folder / "e.yaml").string() +
                                       "' --quiet --no-report --out '" + (folder / "out").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  return result.at("counters").at("goal.completion").get<unsigned>();
}

TEST(real_networks, miss_loggp_by_what_the_page_says) {
  const scratch_folder folder;
  const std::string page = read_text(SPILLWAY_EXPERIMENTS "/../../docs/workloads.md");
  const char* const packet = "{kind: packet, buffering: voq, depth: 64}";
  const network networks[]{
      {"one crossbar", "{kind: crossbar, terminals: 16}", packet},
      {"butterfly of 2x2 switches", "{kind: butterfly, radix: 2, stages: 4}", packet},
      {"fat tree of 4 and 4", "{kind: xgft, children: [4, 4]}", packet},
      {"the same, `up: hashed`",
       "{kind: xgft, children: [4, 4]}\nrouting: {kind: nearest_ancestor, up: hashed}", packet},
      {"mesh of 4x4 routers", "{kind: mesh, dimensions: [4, 4]}", "{kind: wormhole, depth: 16}"}};
  for (const network& n : networks) {
    // The time of a byte between the first and the last terminal, which are as far apart as any.
    const unsigned o = 5, L = cycles(folder, n,
                                     "operation: pipeline, ranks: 2, bytes: 1, placement: file, "
                                     "placement_file: far.txt") -
                              2 * o;
    const auto message = [&](unsigned s) { return o + s - 1 + L + o; };
    const auto next = [&](unsigned s) { return std::max(o, s); };
    const std::pair<const char*, unsigned> programs[]{
        {"operation: all_reduce, bytes: 256", 30 * message(16)},
        {"operation: all_reduce, algorithm: recursive_doubling, bytes: 64", 4 * message(64)},
        {"operation: all_to_all, bytes: 256", std::max(14 * next(16) + message(16), 30 * o)},
        {"operation: halo_exchange, bytes: 64", next(64) + message(64)}};
    std::string row = std::string("| ") + n.name + " | " + std::to_string(L) + " |";
    for (const auto& [program, loggp] : programs) {
      char cell[16];
      std::snprintf(cell, sizeof cell, " %.2f |", static_cast<double>(cycles(folder, n, program)) / loggp);
      row += cell;
    }
    EXPECT_NE(page.find(row + "\n"), std::string::npos) << row;
  }
}

}  // namespace
