#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/process.hpp"

namespace {

// The drowsy switch breaks no rule of its links and loses nothing; it only sleeps when it should not.
TEST(doubting_kernel, finds_a_switch_that_sleeps_when_it_should_not) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << "name: drowsy\n"
                                      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
                                      "switch: {kind: drowsy}\n"
                                      "traffic:\n"
                                      "  - {pattern: uniform, rate: 0.02, cycles: 1000}\n";
  const auto run = [&](const std::string& kernel) {
    return run_process("'" SPILLWAY_FICKLE "' run '" + (folder / "e.yaml").string() + "' --kernel " + kernel);
  };
  const process_result fast = run("fast");
  EXPECT_EQ(fast.status, 0) << fast.output;
  const process_result doubting = run("doubting");
  EXPECT_EQ(doubting.status, 1) << doubting.output;
  EXPECT_NE(doubting.output.find("slept at cycle"), std::string::npos) << doubting.output;
  EXPECT_NE(doubting.output.find("99"), std::string::npos) << doubting.output;
}

TEST(room_in_switches, is_a_rule_of_every_run) {
  const scratch_folder folder;
  const auto run =
      [&](const char* kind, const char* checks) {
        std::ofstream(folder / "e.yaml")
            << "name: full\n"
               "topology: {kind: butterfly, radix: 2, stages: 2}\n"
               "switch: {kind: "
            << kind
            << "}\n"
               "traffic:\n"
               "  - {pattern: hotspot, targets: [0], fraction: 1, injection: saturated, "
               "cycles: 400}\n"
               "checks: {links: "
            << checks << "}\n";
        return run_process("'" SPILLWAY_FICKLE "' run '" + (folder / "e.yaml").string() + "'");
      };
  const process_result honest = run("packet", "true");
  EXPECT_EQ(honest.status, 0) << honest.output;
  for (const char* checks : {"true", "false"}) {
    const process_result r = run("generous", checks);
    EXPECT_EQ(r.status, 1) << r.output;
    EXPECT_NE(r.output.find("RM1"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("and has places for"), std::string::npos) << r.output;
  }
}

}  // namespace
