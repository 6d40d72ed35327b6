// A topology, a routing, arbiters and an admission of a user's own in every command that takes an experiment.
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

// What follows its channels, and what writes the proof, each say so.
TEST_F(own_network, without_an_escape_is_not_certified) {
  const std::string trapped =
      "--set 'switch={kind: wormhole, virtual_channels: 2}' --set 'routing={kind: trapped}' ";
  EXPECT_THAT(command("check", trapped),
              HasSubstr("deadlock: possible, switch_0 offers no escape from terminal 0 to 1\n"));
  EXPECT_EQ(status, 1);
  EXPECT_THAT(command("run", trapped), HasSubstr("this routing can deadlock"));
  EXPECT_EQ(status, 2);
  const std::string proof = (folder / "proof").string();
  for (const std::string more : {"", "--set checks.deadlock=false "}) {
    EXPECT_THAT(command("check", trapped + more + "--certificate '" + proof + "'"),
                HasSubstr("routing: switch_0 has no way on, or no escape, for a packet to terminal"));
    EXPECT_EQ(status, 2);
    EXPECT_FALSE(fs::exists(proof));
  }
}

TEST_F(own_network, is_checked_and_estimated) {
  const std::string said = command("check", "--set topology.spare=1");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(said, HasSubstr("all 25 pairs"));
  EXPECT_THAT(said, HasSubstr("diameter: 3 switches"));
  EXPECT_THAT(said, HasSubstr("estimate: 6 switches, 20 links"));
  EXPECT_THAT(command("check", "--set topology.leaves=true"), HasSubstr("topology.leaves: expected integer"));
  EXPECT_EQ(status, 2);
  EXPECT_THAT(
      command("check", "--set routing.kind=digit"),
      HasSubstr("'digit' does not fit a topology of kind 'star': expected table, spokes, trapped or auto"));
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

constexpr const char* switched =
    "name: own\n"
    "topology: {kind: omega, radix: 4, stages: 2}\n"
    "seed: 5\n"
    "switch: {kind: packet, depth: 8}\n"
    "measure: {cycles: 600}\n"
    "traffic:\n"
    "  - {pattern: hotspot, targets: [3], fraction: 0.2, rate: 0.5}\n";

class own_buffers : public own_network {
protected:
  nlohmann::json run(const std::string& folder_name, const std::string& switches) {
    std::ofstream(folder / "e.yaml") << switched;
    const process_result r =
        run_process(SPILLWAY_OWN_NETWORK " run '" + (folder / "e.yaml").string() +
                    "' --deliveries --no-report --out '" + (folder / folder_name).string() + "' " + switches);
    EXPECT_EQ(r.status, 0) << r.output;
    return nlohmann::json::parse(text(folder_name + "/result.json"));
  }
};

TEST_F(own_buffers, an_arbiter_runs_alike_on_both_kernels_and_matters) {
  const std::string own = "--set switch.arbiter=favourite --set switch.buffering=voq";
  run("fast", own + " --kernel fast");
  run("signals", own + " --kernel signals");
  run("doubting", own + " --kernel doubting");
  run("turns", "--set switch.buffering=voq");
  EXPECT_EQ(text("fast/deliveries.csv"), text("signals/deliveries.csv"));
  EXPECT_EQ(text("fast/deliveries.csv"), text("doubting/deliveries.csv"));
  EXPECT_NE(text("fast/deliveries.csv"), text("turns/deliveries.csv"));
  EXPECT_THAT(text("fast/config.yaml"), HasSubstr("arbiter: favourite"));
  EXPECT_THAT(text("fast/config.yaml"), HasSubstr("input: 0"));
}

TEST_F(own_buffers, round_robin_of_a_users_own_is_ours) {
  run("ours", "--set switch.buffering=voq");
  run("own", "--set switch.buffering=voq --set switch.arbiter=turns");
  EXPECT_EQ(text("ours/deliveries.csv"), text("own/deliveries.csv"));
}

// Two terminals fill all that they may of one switch's pool; what goes to others waits behind that, or does
// not.
TEST_F(own_buffers, an_admission_keeps_a_hot_spot_from_the_pool) {
  const std::string pool =
      "--set switch.buffering=shared --set switch.depth=12 --set 'topology={kind: crossbar, terminals: 4}' "
      "--set 'traffic=[{pattern: hotspot, targets: [3], terminals: [0, 1], fraction: 1, rate: 1, stream: 1}, "
      "{pattern: uniform, terminals: [2, 3], spare: [3], rate: 0.5}]' ";
  const std::string own = pool + "--set switch.assignment=share_of_free --set switch.alpha=0.5";
  const nlohmann::json limited = run("fast", own + " --kernel fast");
  run("signals", own + " --kernel signals");
  run("doubting", own + " --kernel doubting");
  const nlohmann::json unlimited = run("any", pool);
  EXPECT_EQ(text("fast/deliveries.csv"), text("signals/deliveries.csv"));
  EXPECT_EQ(text("fast/deliveries.csv"), text("doubting/deliveries.csv"));
  EXPECT_EQ(limited.at("violations"), 0);
  const auto of_others = [](const nlohmann::json& result) {
    return result.at("classes").at("cool").at("latency").at("mean").get<double>();
  };
  EXPECT_LT(of_others(limited), 0.5 * of_others(unlimited));
  EXPECT_GT(limited.at("classes").at("hot").at("delivered"), 590) << "a flit a cycle, as before";
}

TEST_F(own_buffers, are_listed_and_checked) {
  const std::string list = SPILLWAY_OWN_NETWORK " list ";
  const std::string switches = run_process(list + "switch").output;
  EXPECT_THAT(switches, HasSubstr("switch arbiter\n  round_robin "));
  EXPECT_THAT(switches, HasSubstr("switch assignment\n  any "));
  EXPECT_THAT(switches, HasSubstr("switch buffering\n  fifo "));
  const std::string arbiters = run_process(list + "arbiter").output;
  EXPECT_THAT(arbiters, testing::StartsWith("switch arbiter\n  round_robin "));
  EXPECT_THAT(arbiters, HasSubstr("  favourite        One input first.\n    input "));
  EXPECT_THAT(arbiters, Not(HasSubstr("depth")));
  EXPECT_THAT(run_process(list + "--reference").output, HasSubstr("### switch `arbiter: favourite`"));
  const nlohmann::json schema = nlohmann::json::parse(run_process(list + "--schema").output);
  EXPECT_EQ(schema.at("definitions")
                .at("switch.packet.arbiter.favourite")
                .at("properties")
                .at("input")
                .at("maximum"),
            63);
  const auto check = [&](const std::string& set) {
    std::ofstream(folder / "e.yaml") << switched;
    return run_process(SPILLWAY_OWN_NETWORK " check '" + (folder / "e.yaml").string() + "' " + set).output;
  };
  EXPECT_THAT(check("--set switch.arbiter=favorite"),
              HasSubstr("switch.arbiter: expected one of round_robin, oldest_first, least_recently_served, "
                        "favourite, turns, found \"favorite\", did you mean 'favourite'?"));
  EXPECT_THAT(check("--set switch.input=1"), HasSubstr("switch: unknown key 'input'"));
  EXPECT_THAT(check("--set switch.arbiter=favourite --set switch.inptu=1"),
              HasSubstr("did you mean 'input'?"));
  EXPECT_THAT(check("--set switch.arbiter=favourite --set switch.input=64"),
              HasSubstr("switch.input: expected 0..63, found 64"));
  EXPECT_THAT(check("--set switch.assignment=share_of_free"),
              HasSubstr("an admission needs a pool that the queues of all outputs share"));
}

TEST(links, are_listed_with_pins_rules_and_keys_a_users_own_too) {
  const std::string list = SPILLWAY_OWN_NETWORK " list ";
  const std::string links = run_process(list + "link").output;
  EXPECT_THAT(links, testing::StartsWith("link\n  packet           Flits one after another"));
  EXPECT_THAT(links, HasSubstr("    valid                pin: With the data.\n"));
  EXPECT_THAT(links, HasSubstr("    ready                pin: Against the data.\n"));
  EXPECT_THAT(links, HasSubstr("    rules                PL1, PL2, PL3, PL4, PL5: "));
  EXPECT_THAT(links, HasSubstr("    latency              integer 1..1024, default 1: "));
  EXPECT_THAT(links, HasSubstr("  counted          A packet link that counts.\n"));
  EXPECT_THAT(links, HasSubstr("    count                pin: With the data.\n    rules                PL1, "
                               "PL2, PL3, PL4, PL5, CT1: "));
  const std::string reference = run_process(list + "--reference").output;
  EXPECT_THAT(reference, HasSubstr("### link `packet`\n"));
  EXPECT_THAT(reference, HasSubstr("### link `counted`\n"));
}

/// Every rule of a link is stated.
TEST(links, name_the_rules_that_the_page_states) {
  std::ifstream page(SPILLWAY_YAML_DIR "/../docs/checker-rules.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const nlohmann::json schema =
      nlohmann::json::parse(run_process(SPILLWAY_OWN_NETWORK " list --schema").output);
  std::size_t named = 0;
  for (const auto& link : schema.at("definitions").at("link").at("x-kinds")) {
    if (link.at("name") == "counted") continue;
    for (const std::string rule : link.at("rules")) {
      EXPECT_THAT(text, HasSubstr("\n| " + rule + " |"));
      ++named;
    }
  }
  EXPECT_GT(named, 30u);
}

}  // namespace
