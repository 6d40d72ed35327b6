// Five broken FIFOs of a user's inside a network: each is named by a rule with values, and the run's status
// is a fault; the right one is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"

namespace {

using testing::HasSubstr;

struct fault {
  const char* name;
  const char* rule;
  const char* values;
};
void PrintTo(const fault& f, std::ostream* os) { *os << f.name; }

struct outcome {
  int status;
  nlohmann::json result;
};

outcome run_with(const std::string& fault, const std::string& buffering) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << "name: fifos\n"
                                      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
                                      "switch: {kind: packet, depth: 8, buffering: "
                                   << buffering
                                   << "}\n"
                                      "kernel: signals\n"
                                      "packet: {length: 4}\n"
                                      "stages: [{kind: axi_fifo, fault: "
                                   << fault
                                   << "}]\n"
                                      "resets: [{cycle: 0, length: 3}]\n"
                                      "traffic:\n"
                                      "  - {pattern: uniform, rate: 0.8, cycles: 2000}\n";
  const process_result run = run_process("'" SPILLWAY_AXI_FIFO "' run '" + (folder / "e.yaml").string() +
                                         "' --out '" + (folder / "out").string() + "'");
  const std::string text = read_text(folder / "out" / "result.json");
  return {run.status, text.empty() ? nlohmann::json{{"status", run.output}} : nlohmann::json::parse(text)};
}

class axi_fault : public testing::TestWithParam<fault> {};

TEST_P(axi_fault, is_named_and_makes_the_run_a_fault) {
  const auto [status, result] = run_with(GetParam().name, "fifo");
  EXPECT_EQ(status, 1);
  ASSERT_EQ(result.at("status"), "protocol violation");
  std::string found;
  for (const auto& finding : result.at("findings"))
    if (const std::string text = finding; text.rfind(GetParam().rule, 0) == 0) found = text;
  EXPECT_THAT(found, HasSubstr(GetParam().values)) << result.at("findings").dump(1);
}

INSTANTIATE_TEST_SUITE_P(
    each, axi_fault,
    testing::Values(fault{"data_change", "AX1", "a beat became another before it was taken: tdata 0x"},
                    fault{"withdrawn", "AX4", "tvalid fell before the beat was taken: tdata 0x"},
                    fault{"dropped_beat", "AX5", "before which 1 beat is missing"},
                    fault{"lost_tlast", "AX5", "tlast 0"}, fault{"valid_in_reset", "AX2", "tvalid is high "}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(axi_fault, the_right_fifo_has_none_before_switches_of_any_lanes) {
  for (const char* const buffering : {"fifo", "voq", "output"}) {
    const auto [status, result] = run_with("none", buffering);
    EXPECT_EQ(status, 0) << buffering;
    EXPECT_EQ(result.at("status"), "ok") << buffering;
    EXPECT_GT(result.at("delivered"), 1000) << buffering;
  }
}

}  // namespace
