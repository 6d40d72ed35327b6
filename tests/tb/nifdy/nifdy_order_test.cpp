// Order over whole networks under heavy traffic: where there are several ways packets overtake each other,
// and with NIFDY none does.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"

namespace {

struct way {
  const char *network, *settings;
  bool several;
};
void PrintTo(const way& w, std::ostream* os) { *os << w.network << w.settings; }

class order : public testing::TestWithParam<way> {
protected:
  static nlohmann::json run(const std::string& protocol) {
    const scratch_folder folder;
    const way& w = GetParam();
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + SPILLWAY_EXPERIMENTS + "/nifdy/" + w.network +
                    ".yaml' --no-report --set 'workload={kind: phases, packets: [20, 40], phases: 1}' --set "
                    "'measure={interval: 200, overtaking: true}' --set interface.protocol=" +
                    protocol + w.settings + " --out '" + (folder / "out").string() + "'");
    EXPECT_EQ(r.status, 0) << r.output;
    return nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  }
};

TEST_P(order, is_kept_by_nifdy_and_by_nothing_else_where_there_are_several_ways) {
  const nlohmann::json with = run("nifdy");
  EXPECT_EQ(with.at("counters").at("overtaken"), 0);
  EXPECT_GT(with.at("counters").at("nifdy.acks"), 1000);
  for (const char* const protocol : {"none", "buffers"}) {
    const nlohmann::json without = run(protocol);
    EXPECT_EQ(without.at("delivered"), with.at("delivered")) << "the same program";
    EXPECT_EQ(without.at("counters").at("overtaken") > 0, GetParam().several) << protocol;
  }
}

// Requests and the replies to them go through the same unit, with numbers of the same pair.
TEST(nifdy_stage, carries_replies_by_its_own_rules) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << "name: e\ntopology: {kind: mesh, dimensions: [3, 3]}\n"
                                      "stages: [{kind: nifdy}]\nendpoint: {replies: true}\n"
                                      "traffic: [{pattern: uniform, rate: 0.1, cycles: 300}]\n";
  const process_result r =
      run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder / "e.yaml").string() + "' --no-report");
  EXPECT_EQ(r.status, 0) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    nifdy, order,
    testing::Values(way{"full-fat-tree", "", true}, way{"cm5", "", true}, way{"stored-fat-tree", "", true},
                    way{"multibutterfly", "", true}, way{"mesh-3d", "", true},
                    way{"mesh", " --set routing.kind=adaptive --set switch.virtual_channels=3", true},
                    way{"mesh", "", false}, way{"torus", "", false}, way{"butterfly", "", false}),
    [](const auto& i) {
      std::string name = i.param.network + std::string(*i.param.settings ? "_adaptive" : "");
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
