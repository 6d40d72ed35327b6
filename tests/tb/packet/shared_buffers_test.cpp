// Who may take a place of a shared pool, as a user says it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/studies.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

class shared_buffers : public studies {
protected:
  json run(const std::string& file, const std::string& name, const std::string& more) {
    const process_result r = spillway("run '" SPILLWAY_EXPERIMENTS "/" + file +
                                      ".yaml' --no-report --deliveries --out " + name + " " + more);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder / (name + "/result.json")));
  }
  /// Mean of a column of the series over its last half.
  double settled(const std::string& name, const std::string& column) {
    std::ifstream in(folder / (name + "/series.csv"));
    std::string line;
    std::getline(in, line);
    std::istringstream titles(line);
    std::size_t wanted = 0, n = 0;
    for (std::string title; std::getline(titles, title, ','); ++n)
      if (title == column) wanted = n;
    std::vector<double> values;
    while (std::getline(in, line)) {
      std::istringstream cells(line);
      std::string cell;
      for (std::size_t c = 0; c <= wanted; ++c) std::getline(cells, cell, ',');
      values.push_back(std::stod(cell));
    }
    double sum = 0;
    for (std::size_t i = values.size() / 2; i < values.size(); ++i) sum += values[i];
    return sum / static_cast<double>(values.size() - values.size() / 2);
  }
  std::string check(const std::string& more) {
    const process_result r = spillway("check '" SPILLWAY_EXPERIMENTS "/hotspot-shared.yaml' " + more);
    EXPECT_EQ(r.status, 2) << r.output;
    return r.output;
  }
};

}  // namespace

/// alpha B/(1 + alpha M) for each of M queues, to a place a queue.
TEST_F(shared_buffers, saturated_queues_get_their_share_on_every_kernel) {
  for (const auto& [alpha, share] :
       {std::pair{"0.5", 40.0}, {"1", 48.0}, {"2", 240 * 2 / 9.0}, {"'[2, 3]'", 240 * 2 / 11.0}}) {
    const std::string set = std::string("--set switch.alpha=") + alpha;
    const json fast = run("shared-thresholds", "fast", set);
    run("shared-thresholds", "signals", set + " --kernel signals");
    EXPECT_EQ(read_text(folder / "fast/deliveries.csv"), read_text(folder / "signals/deliveries.csv"));
    EXPECT_NEAR(240 * settled("fast", "occupancy.stage 0"), 4 * share, 4.01) << alpha;
    EXPECT_EQ(fast.at("violations"), 0);
  }
}

TEST_F(shared_buffers, a_static_threshold_and_complete_sharing_are_what_they_say) {
  run("shared-thresholds", "static",
      "--set 'switch={kind: packet, buffering: shared, depth: 240, assignment: static_threshold, limit: "
      "30}'");
  EXPECT_NEAR(240 * settled("static", "occupancy.stage 0"), 4 * 30, 4.01);
  run("shared-thresholds", "any", "--set 'switch={kind: packet, buffering: shared, depth: 240}'");
  EXPECT_GT(settled("any", "occupancy.stage 0"), 0.98);
}

TEST_F(shared_buffers, what_cannot_be_is_refused) {
  const process_result finest =
      spillway("check '" SPILLWAY_EXPERIMENTS "/hotspot-shared.yaml' --set switch.alpha=1.0009765625");
  EXPECT_EQ(finest.status, 0) << "1025/1024: " << finest.output;
  EXPECT_THAT(check("--set switch.alpha=1.00048828125"), HasSubstr("in steps of 1/1024"));
  EXPECT_THAT(
      check("--set switch.alpha=0.333"),
      HasSubstr(
          "expected an alpha of up to 16 bits in steps of 1/1024, or a ratio such as [1, 3], found 0.333"));
  EXPECT_THAT(check("--set switch.alpha=0"), HasSubstr("switch.alpha: "));
  EXPECT_THAT(check("--set 'switch.alpha=[1, 0]'"), HasSubstr("switch.alpha"));
  EXPECT_THAT(check("--set switch.buffering=voq"),
              HasSubstr("an admission needs a pool that the queues of all outputs share"));
  EXPECT_THAT(
      check("--set 'switch={kind: packet, buffering: shared, depth: 16, assignment: static_threshold}'"),
      HasSubstr("limit"));
  EXPECT_THAT(check("--set packet.length=4 --set 'switch={kind: packet, buffering: shared, depth: 16, "
                    "assignment: static_threshold, limit: 3}'"),
              HasSubstr("it lets it take 3 flits, packets have up to 4"));
}
