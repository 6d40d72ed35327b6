// What the command says of experiments whose workload does not fit them.
#include <gtest/gtest.h>

#include <string>

#include "support/process.hpp"

namespace {

std::string error_of(const std::string& settings) {
  const process_result r = run_process(std::string(SPILLWAY_COMMAND) + " check '" + SPILLWAY_EXPERIMENTS +
                                       "/nifdy-cshift.yaml' " + settings);
  EXPECT_EQ(r.status, 2) << r.output;
  return r.output;
}

struct wrong_file {
  const char *name, *settings, *message;
};

class workload_files : public testing::TestWithParam<wrong_file> {};

TEST_P(workload_files, are_refused_with_the_reason) {
  EXPECT_NE(error_of(GetParam().settings).find(GetParam().message), std::string::npos)
      << error_of(GetParam().settings);
}

INSTANTIATE_TEST_SUITE_P(
    wrong, workload_files,
    testing::Values(
        wrong_file{"traffic_beside_it", "--set 'traffic=[{pattern: uniform, messages: 1}]'",
                   "traffic: the workload runs on all terminals: expected no traffic beside it"},
        wrong_file{"barriers_without_processors",
                   "--set workload.barriers=true --set 'interface={kind: nifdy, networks: 2}'",
                   "workload: its barriers need processors"},
        wrong_file{"no_end", "--set 'workload={kind: phases}'", "workload: this workload never ends"},
        wrong_file{"packets_without_data", "--set packet.length=2",
                   "expected packet.length at least 3, found 2"},
        wrong_file{"span_of_all", "--set 'workload={kind: em3d, dist_span: 32}'",
                   "dist_span is less than the number of processors, found 32"},
        wrong_file{"message_to_nobody", "--set 'workload={kind: messages, messages: [{from: 0, to: 32}]}'",
                   "expected terminals 0..31, found 32"},
        wrong_file{"message_to_itself", "--set 'workload={kind: messages, messages: [{from: 3, to: 3}]}'",
                   "expected two different terminals, found 3 twice"},
        wrong_file{"unknown_kind", "--set workload.kind=em3", "em3d"}),
    [](const auto& file) { return std::string(file.param.name); });

}  // namespace
