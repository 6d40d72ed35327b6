// NIFDY over links that lose packets and acknowledgements: everything arrives once and in order, scalar and
// in bulk dialogs, whatever share is lost. The command says so itself: it fails if not.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"

namespace {

class lossy_network : public testing::TestWithParam<double> {
protected:
  static nlohmann::json run(const std::string& settings) {
    const scratch_folder folder;
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + SPILLWAY_EXPERIMENTS +
                    "/nifdy-mesh.yaml' --no-report --set interface.loss=" + std::to_string(GetParam()) +
                    settings + " --out '" + (folder / "out").string() + "'");
    EXPECT_EQ(r.status, 0) << r.output;
    return nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  }

  // Within five standard deviations of what the probability gives.
  static void expect_losses(const nlohmann::json& result) {
    const nlohmann::json& c = result.at("counters");
    const double lost = c.at("loss.packets_dropped"),
                 sent = lost + c.at("loss.packets_carried").get<double>();
    const double expected = sent * GetParam();
    EXPECT_GT(lost, 0);
    EXPECT_NEAR(lost, expected, 5 * std::sqrt(expected)) << "of " << sent;
    // A lost acknowledgement needs no packet again if a later one speaks for it, or if all has ended.
    EXPECT_NEAR(c.at("nifdy.retransmissions").get<double>(), lost, 0.1 * lost + 5);
  }
};

TEST_P(lossy_network, delivers_scalar_packets_once_and_in_order) {
  const auto result = run(" --set interface.window=0");
  EXPECT_EQ(result.at("delivered"), 64 * 100);
  EXPECT_EQ(result.at("counters").at("nifdy.bulk_packets"), 0);
  expect_losses(result);
}

TEST_P(lossy_network, delivers_bulk_dialogs_once_and_in_order) {
  const auto result =
      run(" --set traffic=[] --set 'interface.processor={send: 8, receive: 8, poll: 2}' --set "
          "'workload={kind: phases, phases: 2, packets: [30, 60], lengths: [1, 10]}'");
  EXPECT_GT(result.at("delivered"), 2 * 64 * 30);
  EXPECT_GT(result.at("counters").at("nifdy.bulk_packets"), 1000);
  expect_losses(result);
}

// Half of the traffic passes the protocol by: it is not acknowledged, and may overtake.
TEST(bypassing_packets, arrive_once_without_acknowledgements) {
  const scratch_folder folder;
  const auto run = [&](const std::string& entry, const std::string& more) {
    return run_process(
        std::string(SPILLWAY_COMMAND) + " run '" + SPILLWAY_EXPERIMENTS +
        "/nifdy-mesh.yaml' --no-report --set 'traffic=[{pattern: uniform, rate: 0.2, messages: 50}, " +
        entry + "]' --set interface.window=0 " + more + " --out '" + (folder / "out").string() + "'");
  };
  const std::string bypass = "{pattern: uniform, rate: 0.2, messages: 50, bypass: true}";
  const process_result r = run(bypass, "--set interface.loss=0 --set interface.timeout=0");
  EXPECT_EQ(r.status, 0) << r.output;
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  EXPECT_EQ(result.at("delivered"), 64 * 100);
  const nlohmann::json& c = result.at("counters");
  EXPECT_EQ(c.at("nifdy.bypass_packets"), 64 * 50);
  EXPECT_EQ(c.at("nifdy.scalar_packets"), 64 * 50);
  EXPECT_EQ(c.at("nifdy.acks"), 64 * 50);
  const process_result lossy = run(bypass, "--set interface.loss=0.1");
  EXPECT_EQ(lossy.status, 2);
  EXPECT_NE(lossy.output.find("expected `loss: 0`"), std::string::npos) << lossy.output;
  const process_result none = run(bypass, "--set 'interface={kind: plain}'");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.output.find("no protocol to pass by"), std::string::npos) << none.output;
}

INSTANTIATE_TEST_SUITE_P(shares, lossy_network, testing::Values(0.001, 0.01, 0.1), [](const auto& share) {
  return "per_mille_" + std::to_string(static_cast<int>(share.param * 1000));
});

}  // namespace
