// The page "Will my model survive a hot expert?" says what the command of that page measures.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "support/process.hpp"

namespace {

/// A number as pages write it, with a comma after thousands.
std::string written(double value) {
  std::string digits = std::to_string(std::lround(value));
  if (digits.size() > 3) digits.insert(digits.size() - 3, ",");
  return digits;
}

TEST(hot_expert, is_as_the_page_says) {
  const scratch_folder folder;
  std::string names;
  const std::string page = read_text(SPILLWAY_EXPERIMENTS "/../../docs/workloads.md");
  const char* const networks[]{"plain", "unrestricted", "counting", "dampening", "feedback", "nifdy"};
  for (const std::string network : networks)
    names += " '" SPILLWAY_EXPERIMENTS "/experts-" + network + ".yaml'";
  const process_result r = run_process(std::string(SPILLWAY_COMMAND) + " compare" + names + " --out '" +
                                       folder.path().string() + "'");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_NE(r.output.find("cycles a step, mean"), std::string::npos) << r.output;
  // What the picture says in words is what these runs measured; tables of the page are compared with kept
  // results.
  std::string said = "six networks: ";
  const std::pair<std::string, std::string> named[]{
      {"dampening", "dampening"}, {"plain", "plain"}, {"nifdy", "NIFDY"}};
  for (const auto& [network, name] : named) {
    const auto counters =
        nlohmann::json::parse(read_text(folder / ("experts-" + network + "/result.json"))).at("counters");
    said += name + " " + written(counters.at("goal.step.mean").get<double>()) + " and " +
            written(counters.at("goal.step.max").get<double>()) + ", ";
  }
  said.replace(said.size() - 2, 2, "](pictures/hot-expert.svg)");
  EXPECT_NE(page.find(said), std::string::npos) << said;
  EXPECT_EQ(read_text(folder / "compared.svg"),
            read_text(SPILLWAY_EXPERIMENTS "/../../docs/pictures/hot-expert.svg"));
}

/// Other mechanisms of the storm's page, on the network of the page's experiments.
struct mechanism {
  const char *name, *row, *settings;
};

class other_mechanisms : public testing::TestWithParam<mechanism> {};

TEST_P(other_mechanisms, take_what_the_page_says) {
  const scratch_folder folder;
  const auto counters = [&](const char* experiment) {
    const process_result r = run_process(
        std::string(SPILLWAY_COMMAND " run '" SPILLWAY_EXPERIMENTS "/") + experiment + ".yaml' --out '" +
        (folder / "out").string() + "' --quiet --no-report --set checks.links=false " + GetParam().settings);
    EXPECT_EQ(r.status, 0) << r.output;
    return nlohmann::json::parse(read_text(folder / "out/result.json")).at("counters");
  };
  const auto cell = [](const nlohmann::json& all, const char* name) {
    return " " + std::to_string(std::lround(all.at(name).get<double>())) + " |";
  };
  std::string row =
      std::string("| ") + GetParam().row + " |" + cell(counters("experts-plain"), "goal.completion");
  const nlohmann::json jobs = counters("jobs-experts");
  row += cell(jobs, "job.experts.goal.completion") + cell(jobs, "job.exchange.goal.completion");
  EXPECT_NE(read_text(SPILLWAY_EXPERIMENTS "/../../docs/workloads.md").find("\n" + row + "\n"),
            std::string::npos)
      << "expected on the page: " << row;
}

constexpr const char* reserving =
    "'switch={kind: wormhole, switching: cut_through, depth: 16, priority: network}' 'dropping={kind: srp, "
    "life: 25}' 'stages=[{kind: srp, pool: 64, smallest: 8, largest: 128}]' packet.length=8";

const auto name_of = [](const auto& p) { return std::string(p.param.name); };
INSTANTIATE_TEST_SUITE_P(are, other_mechanisms,
                         testing::Values(mechanism{"plain", "plain", ""},
                                         mechanism{"srp", "reservation (SRP), packets of up to 8 flits",
                                                   reserving}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(
    at_night, other_mechanisms,
    testing::Values(
        mechanism{
            "thresholds", "shared places, dynamic thresholds",
            "'switch={kind: packet, buffering: shared, depth: 8, assignment: dynamic_threshold, alpha: 1}'"},
        mechanism{"isolation", "congestion isolation", "'switch={kind: isolation, gate: 64}'"},
        mechanism{"voqnet", "a queue a destination (VOQnet)",
                  "'switch={kind: destination_queues, gate: 64}'"},
        mechanism{"pauses", "pauses of flows (BFC)", "'switch={kind: flow_pause, queues: 32, gate: 64}'"},
        mechanism{"ecn", "congestion marks (ECN)",
                  "'marking={kind: ecn, threshold: 4}' 'stages=[{kind: ecn, pool: 64}]'"},
        mechanism{"cut_through", "plain, cut-through, packets of up to 8 flits",
                  "'switch={kind: wormhole, switching: cut_through, depth: 16}' packet.length=8"}),
    name_of);

}  // namespace
