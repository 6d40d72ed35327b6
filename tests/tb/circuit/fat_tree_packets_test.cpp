// A fat tree of binary routers with packets in it, as a user runs it: they have two ways up.
#include <nlohmann/json.hpp>

#include "support/studies.hpp"

namespace {

using testing::HasSubstr;

class fat_tree_packets : public studies {
protected:
  std::string written(const std::string& keys) {
    write("e.yaml", "name: e\ntopology: {kind: fat_tree, terminals: 16}\n" + keys);
    return "e.yaml --no-report --out out";
  }
};

TEST_F(fat_tree_packets, overtake_each_other_and_nobody_minds) {
  for (const char* switches : {"{kind: wormhole}", "{kind: packet, buffering: damq}"}) {
    const process_result r =
        spillway("run " + written(std::string("switch: ") + switches +
                                  "\nmeasure: {overtaking: true}\n"
                                  "traffic: [{pattern: uniform, rate: 0.3, cycles: 2000}]\n"));
    EXPECT_EQ(r.status, 0) << switches << r.output;
    EXPECT_THAT(r.output, HasSubstr("e: ok")) << switches;
  }
}

// With the one channel that order would need it is 0.570.
TEST_F(fat_tree_packets, enter_by_whichever_channel_has_room) {
  const process_result r =
      spillway("run " + written("switch: {kind: wormhole, virtual_channels: 4}\npacket: {length: 8}\n"
                                "measure: {warmup: 500, cycles: 2000, drain: 0}\n"
                                "traffic: [{pattern: uniform, rate: 1}]\n"));
  ASSERT_NE(r.status, 2) << r.output;
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  EXPECT_GT(result.at("throughput_flits").get<double>(), 0.59);
}

TEST_F(fat_tree_packets, carry_sockets_only_where_the_switches_take_one_way_of_the_two) {
  const std::string sockets =
      "interface: {kind: tlm, map: [{terminal: 1, base: 0, size: 4096}]}\npacket: {length: 8}\n";
  const process_result refused = spillway("check " + written("switch: {kind: wormhole}\n" + sockets));
  EXPECT_EQ(refused.status, 2) << refused.output;
  EXPECT_THAT(refused.output, HasSubstr("need a routing that keeps packets in order"));
  const process_result lowest = spillway("check " + written("switch: {kind: packet, depth: 16}\n" + sockets));
  EXPECT_EQ(lowest.status, 0) << lowest.output;
}

TEST_F(fat_tree_packets, are_in_order_over_circuits_which_is_checked) {
  const process_result r =
      spillway("run " + written("switch: {kind: circuit}\ninterface: {kind: circuit}\n"
                                "measure: {overtaking: true}\n"
                                "traffic: [{pattern: uniform, rate: 0.3, cycles: 500}]\n"));
  EXPECT_EQ(r.status, 0) << r.output;
}

}  // namespace
