// The network over time, where there are several networks.
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "support/studies.hpp"

namespace {

using nlohmann::json;

class network_over_time : public studies {};

// Of a stage something is seen at an end of an interval if and only if the series has it, in either network.
TEST_F(network_over_time, shows_the_fullest_switch_in_a_place_of_several_networks) {
  write("n.yaml",
        "name: n\ntopology: {kind: butterfly, radix: 2, stages: 2}\nswitch: {kind: packet, depth: 4}\n"
        "packet: {length: 2}\ninterface: {kind: nifdy, networks: 2}\n"
        "traffic: [{pattern: uniform, rate: 0.1}]\n"
        "measure: {cycles: 200, drain: 0, interval: 1, snapshots: [50, 60, 70, 80, 90, 100, 110, 120]}\n");
  ASSERT_EQ(spillway("run n.yaml --out out").status, 0);
  const json network = json::parse(read_text(folder / "out/network.json")), &history = network["history"];
  const std::vector<std::string> series = lines("out/series.csv");
  ASSERT_EQ(series[0].substr(series[0].find("occupancy")),
            "occupancy.stage 0,occupancy.stage 1,occupancy.network 1 stage 0,occupancy.network 1 stage 1");
  std::map<std::size_t, std::array<bool, 2>> seen, snapped;  // by cycle and stage
  for (std::size_t m = 0; m < history["cycles"].size(); ++m)
    for (std::size_t s = 0; s < 4; ++s)
      seen[history["cycles"][m]][network["switches"][s][0]] |=
          history["fullest"][m].get<std::string>()[s] != 'A';
  for (const json& m : network["moments"])
    for (std::size_t s = 0; s < 4; ++s) snapped[m["cycle"]][network["switches"][s][0]] |= m["fullest"][s] > 0;
  ASSERT_EQ(seen.size(), 200u);
  ASSERT_EQ(snapped.size(), 8u);
  std::array<unsigned, 2> alone{};  // moments with something in this network and nothing in the other
  for (std::size_t i = 1; i < series.size(); ++i) {
    std::istringstream cells(series[i]);
    std::vector<double> numbers;
    for (std::string cell; std::getline(cells, cell, ',');) numbers.push_back(std::stod(cell));
    const auto cycle = static_cast<std::size_t>(numbers[0]);
    for (std::size_t stage = 0; stage < 2; ++stage) {
      const bool first = numbers[numbers.size() - 4 + stage] > 0,
                 second = numbers[numbers.size() - 2 + stage] > 0;
      alone[0] += first && !second, alone[1] += second && !first;
      ASSERT_EQ(seen.at(cycle)[stage], first || second) << cycle << ", stage " << stage;
      if (snapped.count(cycle)) {
        ASSERT_EQ(snapped[cycle][stage], first || second) << cycle << ", stage " << stage;
      }
    }
  }
  EXPECT_GT(alone[0], 5u);
  EXPECT_GT(alone[1], 5u);
}

}  // namespace
