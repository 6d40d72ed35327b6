// Adaptive routing under more than the network can carry: what `check` calls free of deadlock goes on.
#include <gmock/gmock.h>

#include "support/studies.hpp"

namespace {

using testing::HasSubstr;

class adaptive_mesh : public studies, public testing::WithParamInterface<const char*> {};

constexpr const char* meshes[] = {
    "link={latency: 3}",
    "link={buffer: 4}",
    "link={latency: 2, buffer: 2}",
    "link={latency: 2, places: 1}",
    "link={latency: 3} --set switch.switching=cut_through --set switch.depth=8",
    "switch.choice=random",
    "switch.choice=random --set link.latency=2 --set switch.virtual_channels=3",
};

}  // namespace

TEST_P(adaptive_mesh, does_not_deadlock) {
  write("mesh.yaml",
        "name: mesh\ntopology: {kind: mesh, dimensions: [6, 6]}\nrouting: {kind: adaptive}\n"
        "switch: {kind: wormhole, virtual_channels: 2, depth: 4}\npacket: {length: 6}\n"
        "traffic:\n  - {pattern: uniform, rate: 0.9}\n"
        "measure: {warmup: 0, cycles: 3000}\nchecks: {watchdog: 2000}\n");
  std::string set = GetParam();
  set = " --set '" + set.insert(std::min(set.find(" --set"), set.size()), "'");
  const process_result checked = spillway("check mesh.yaml" + set);
  EXPECT_EQ(checked.status, 0) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("deadlock: free"));
  const process_result r = spillway("run mesh.yaml" + set);
  EXPECT_EQ(r.status, 0) << r.output;
}

INSTANTIATE_TEST_SUITE_P(escapes, adaptive_mesh, testing::ValuesIn(meshes),
                         [](const auto& test) { return std::to_string(test.index); });
