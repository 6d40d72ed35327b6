// The page "Will my model survive a hot expert?" says what the command of that page measures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process.hpp"

namespace {

/// The cells of the line of a table that begins so.
std::vector<double> row_of(const std::string& page, const std::string& begins) {
  const std::size_t at = page.find("\n| " + begins + " |");
  EXPECT_NE(at, std::string::npos) << begins;
  std::istringstream line(
      page.substr(at + begins.size() + 5, page.find('\n', at + 1) - at - begins.size() - 5));
  std::vector<double> cells;
  for (std::string cell; std::getline(line, cell, '|');) cells.push_back(std::strtod(cell.c_str(), nullptr));
  return cells;
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
  for (const std::string network : networks) {
    const auto counters =
        nlohmann::json::parse(read_text(folder / ("experts-" + network + "/result.json"))).at("counters");
    const std::vector<double> row = row_of(page, network);
    ASSERT_GE(row.size(), 3u);
    EXPECT_EQ(row[0], std::round(counters.at("goal.step.mean").get<double>())) << network;
    EXPECT_EQ(row[1], counters.at("goal.step.max").get<double>()) << network;
    EXPECT_EQ(row[2], counters.at("goal.completion").get<double>()) << network;
  }
  EXPECT_EQ(read_text(folder / "compared.svg"),
            read_text(SPILLWAY_EXPERIMENTS "/../../docs/pictures/hot-expert.svg"));
}

}  // namespace
