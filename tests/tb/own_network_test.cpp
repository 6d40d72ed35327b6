// A topology and a routing of a user's own in every command that takes an experiment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* star =
    "name: own\n"
    "topology: {kind: star, leaves: 6}\n"
    "traffic:\n"
    "  - {pattern: uniform, rate: 0.2, messages: 20}\n";

class own_network : public testing::Test {
protected:
  std::string command(const std::string& name, const std::string& more = "") {
    std::ofstream(folder / "e.yaml") << star;
    const process_result r =
        run_process(SPILLWAY_OWN_NETWORK " " + name + " '" + (folder / "e.yaml").string() + "' " + more);
    status = r.status;
    return r.output;
  }
  std::string text(const fs::path& file) {
    std::ifstream in(folder / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  scratch_folder folder;
  int status = -1;
};

TEST_F(own_network, runs_alike_on_both_kernels) {
  for (const std::string kernel : {"fast", "signals"}) {
    const std::string said = command(
        "run", "--deliveries --no-report --kernel " + kernel + " --out '" + (folder / kernel).string() + "'");
    ASSERT_EQ(status, 0) << said;
  }
  const nlohmann::json result = nlohmann::json::parse(text("fast/result.json"));
  EXPECT_EQ(result.at("delivered"), 120);
  EXPECT_EQ(result.at("violations"), 0);
  EXPECT_EQ(text("fast/deliveries.csv"), text("signals/deliveries.csv"));
  EXPECT_THAT(text("fast/config.yaml"), HasSubstr("leaves: 6"));
  EXPECT_THAT(text("fast/config.yaml"), HasSubstr("spare: 0"));
}

TEST_F(own_network, is_checked_and_estimated) {
  const std::string said = command("check", "--set topology.spare=1");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(said, HasSubstr("all 25 pairs"));
  EXPECT_THAT(said, HasSubstr("diameter: 3 switches"));
  EXPECT_THAT(said, HasSubstr("estimate: 6 switches, 20 links"));
  EXPECT_THAT(command("check", "--set topology.leaves=true"), HasSubstr("topology.leaves: expected integer"));
  EXPECT_EQ(status, 2);
  EXPECT_THAT(command("check", "--set routing.kind=digit"),
              HasSubstr("'digit' does not fit a topology of kind 'star': expected table, spokes or auto"));
  EXPECT_EQ(status, 2);
}

TEST_F(own_network, is_drawn) {
  command("graph", "-o '" + (folder / "star.dot").string() + "'");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(text("star.dot"), HasSubstr("switch_1 -> switch_0"));
}

TEST_F(own_network, is_listed) {
  const std::string all = SPILLWAY_OWN_NETWORK " list ";
  EXPECT_THAT(run_process(all + "topology").output, HasSubstr("star             A hub with leaves."));
  EXPECT_THAT(run_process(all + "routing").output, HasSubstr("spokes           By the hub."));
  EXPECT_THAT(run_process(all + "--reference").output, HasSubstr("### topology `kind: star`"));
  const nlohmann::json schema = nlohmann::json::parse(run_process(all + "--schema").output);
  EXPECT_EQ(schema.at("definitions").at("topology.star").at("properties").at("leaves").at("minimum"), 1);
  EXPECT_EQ(schema.at("definitions").at("topology.star").at("required"), nlohmann::json::array({"leaves"}));
}

}  // namespace
