// Adaptive routing under more than the network can carry: what `check` calls free of deadlock goes on.
#include <gmock/gmock.h>

#include "support/studies.hpp"

namespace {

using testing::HasSubstr;

struct mesh_setting {
  std::string name, set;
};
void PrintTo(const mesh_setting& m, std::ostream* os) { *os << m.name; }
class adaptive_mesh : public studies, public testing::WithParamInterface<mesh_setting> {};

}  // namespace

TEST_P(adaptive_mesh, does_not_deadlock) {
  write("mesh.yaml",
        "name: mesh\ntopology: {kind: mesh, dimensions: [6, 6]}\nrouting: {kind: adaptive}\n"
        "switch: {kind: wormhole, virtual_channels: 2, depth: 4}\npacket: {length: 6}\n"
        "traffic:\n  - {pattern: uniform, rate: 0.9}\n"
        "measure: {warmup: 0, cycles: 3000}\nchecks: {watchdog: 2000}\n");
  const std::string set = " --set " + GetParam().set;
  const process_result checked = spillway("check mesh.yaml" + set);
  EXPECT_EQ(checked.status, 0) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("deadlock: free"));
  const process_result r = spillway("run mesh.yaml" + set);
  EXPECT_EQ(r.status, 0) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    escapes, adaptive_mesh,
    testing::Values(mesh_setting{"stages", "'link={latency: 3}'"},
                    mesh_setting{"buffers", "'link={buffer: 4}'"},
                    mesh_setting{"both", "'link={latency: 2, buffer: 2}'"},
                    mesh_setting{"one_place", "'link={latency: 2, places: 1}'"},
                    mesh_setting{
                        "cut_through",
                        "'link={latency: 3}' --set switch.switching=cut_through --set switch.depth=8"},
                    mesh_setting{"drawn", "switch.choice=random"},
                    mesh_setting{"drawn_and_long",
                                 "switch.choice=random --set link.latency=2 --set "
                                 "switch.virtual_channels=3"}),
    [](const auto& test) { return test.param.name; });
