// A barrier of delivery rounds that stands still is a deadlock, although nothing is in the network.
#include <gtest/gtest.h>

#include <fstream>

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

}  // namespace
