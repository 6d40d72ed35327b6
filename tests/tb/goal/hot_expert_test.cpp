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

}  // namespace
