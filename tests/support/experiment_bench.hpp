#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.hpp"

/// A packet as deliveries.csv has it.
struct arrival {
  std::uint64_t cycle, source, destination, packet, created, injected;
};

/// An experiment that the command runs, and what it delivered.
class experiment_bench {
public:
  /// Runs the experiment and reads its deliveries.
  void run(const nlohmann::json& experiment) {
    std::ofstream(folder / "e.yaml") << experiment;
    const process_result r =
        run_process("'" SPILLWAY_COMMAND "' run '" + (folder / "e.yaml").string() +
                    "' --deliveries --no-report --out '" + (folder / "out").string() + "'");
    ASSERT_EQ(r.status, 0) << r.output;
    result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
    std::istringstream lines(read_text(folder / "out" / "deliveries.csv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      std::replace(line.begin(), line.end(), ',', ' ');
      std::istringstream fields(line);
      arrival a{};
      fields >> a.cycle >> a.source >> a.destination >> a.packet >> a.created >> a.injected;
      arrivals.push_back(a);
    }
  }

  scratch_folder folder;
  nlohmann::json result;
  std::vector<arrival> arrivals;
};
