// Circuits as the command runs them: a barrier of delivery rounds that stands still is a deadlock, although
// nothing is in the network; and what they forward is counted at both levels.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/process.hpp"

namespace {

constexpr const char* rounds =
    "name: rounds\n"
    "topology: {kind: fat_tree, terminals: 16}\n"
    "switch: {kind: circuit}\n"
    "interface: {kind: circuit, retry: rounds}\n"
    "traffic:\n"
    "  - {pattern: hotspot, targets: [3], fraction: 1, injection: saturated, messages: 4}\n"
    "measure: {interval: 50, limit: 100000}\n"
    "checks: {watchdog: 500}\n";

process_result run_rounds(const std::string& command) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << rounds;
  return run_process(command + " run --kernel signals '" + (folder / "e.yaml").string() + "'");
}

TEST(stopped_barrier, is_found_as_a_deadlock) {
  const process_result r = run_rounds(SPILLWAY_STOPPED_BARRIER);
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_NE(r.output.find("deadlock"), std::string::npos) << r.output;
}

TEST(stopped_barrier, is_the_fault_and_not_the_rounds) {
  const process_result r = run_rounds(SPILLWAY_COMMAND);
  EXPECT_EQ(r.status, 0) << r.output;
}

TEST(circuit_levels, forward_as_many_flits) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << rounds;
  nlohmann::json results[2];
  for (const bool pins : {false, true}) {
    const process_result r =
        run_process("cd '" + folder.path().string() + "'; " + SPILLWAY_COMMAND +
                    " run e.yaml --json --set measure.warmup=20 --set measure.cycles=200 --set level=" +
                    (pins ? "pins" : "transaction"));
    ASSERT_EQ(r.status, 0) << r.output;
    results[pins] = nlohmann::json::parse(r.output);
  }
  for (const char* const number : {"forwarded_flits", "delivered", "cycles"})
    EXPECT_EQ(results[false].at(number), results[true].at(number)) << number;
  EXPECT_GT(results[true].at("forwarded_flits"), 100);
}

}  // namespace
