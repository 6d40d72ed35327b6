// Congestion marks as a user runs them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/mechanism_runs.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

class ecn_runs : public mechanism_runs {
protected:
  static std::string hot(const std::string& keys) {
    return "name: hot\n" + keys +
           "stages: [{kind: ecn, pool: 32}]\n"
           "traffic: [{pattern: hotspot, targets: [3], fraction: 0.4, rate: 0.5, cycles: 500}]\n"
           "measure: {interval: 50}\n";
  }
};

constexpr const char* networks[] = {
    "topology: {kind: butterfly, radix: 2, stages: 4}\nswitch: {kind: packet, buffering: fifo}\nmarking: "
    "{kind: ecn}\n",
    "topology: {kind: butterfly, radix: 4, stages: 2}\nswitch: {kind: packet, buffering: voq}\nmarking: "
    "{kind: ecn, threshold: 6}\nlink: {latency: 3}\n",
    "topology: {kind: omega, radix: 2, stages: 4}\nswitch: {kind: packet, buffering: shared, depth: "
    "12}\nmarking: {kind: ecn}\n",
    "topology: {kind: omega, radix: 2, stages: 4}\nswitch: {kind: packet, buffering: output}\nmarking: "
    "{kind: ecn, room: 0}\n",
    "topology: {kind: mesh, dimensions: [4, 4]}\nswitch: {kind: wormhole, virtual_channels: 2}\nmarking: "
    "{kind: ecn}\npacket: {length: 3}\n",
    "topology: {kind: mesh, dimensions: [4, 4]}\nswitch: {kind: wormhole}\nmarking: {kind: ecn, room: 0}\n",
    "topology: {kind: omega, radix: 2, stages: 4}\nswitch: {kind: isolation}\nmarking: {kind: ecn}\n",
    "topology: {kind: mesh, dimensions: [4, 4]}\nswitch: {kind: isolation, queues: 2}\nmarking: {kind: ecn, "
    "room: 0}\npacket: {length: 3}\n",
    "topology: {kind: butterfly, radix: 2, stages: 4}\nswitch: {kind: flow_pause}\nmarking: {kind: ecn}\n",
    "topology: {kind: butterfly, radix: 4, stages: 2}\nswitch: {kind: destination_queues}\nmarking: {kind: "
    "ecn, room: 0}\npacket: {length: 2}\nlink: {latency: 2}\n"};

}  // namespace

class ecn_networks : public ecn_runs, public testing::WithParamInterface<const char*> {};

TEST_P(ecn_networks, mark_and_notify_alike_on_every_kernel) {
  const json fast = run_on_every_kernel(hot(GetParam()));
  EXPECT_EQ(fast.at("violations"), 0);
  EXPECT_EQ(fast.at("lost"), 0);
  const json& counted = fast.at("counters");
  EXPECT_GT(counted.at("ecn.packets_marked"), 20);
  EXPECT_GT(counted.at("ecn.notifications"), 20);
  EXPECT_EQ(counted.at("ecn.notifications"), counted.at("ecn.notifications_heard"));
  EXPECT_GT(counted.at("ecn.packets_delayed"), 20);
}

INSTANTIATE_TEST_SUITE_P(of, ecn_networks, testing::ValuesIn(networks));

/// Marks ride on the acknowledgements of NIFDY, so the control packets are as many as without marks.
TEST_F(ecn_runs, marks_ride_where_there_are_acknowledgements) {
  const std::string nifdy =
      hot("topology: {kind: butterfly, radix: 2, stages: 4}\nswitch: {kind: packet}\nmarking: {kind: ecn, "
          "threshold: 2}\n"
          "interface: {kind: nifdy, pool: 32, outstanding: 16}\n");
  const json fast = run_on_every_kernel(nifdy);
  EXPECT_EQ(fast.at("violations"), 0);
  const json& counted = fast.at("counters");
  EXPECT_GT(counted.at("ecn.packets_marked"), 20);
  EXPECT_GT(counted.at("ecn.marks_on_acknowledgements"), 20);
  EXPECT_EQ(counted.at("ecn.marks_on_acknowledgements"), counted.at("ecn.notifications_heard"));
  EXPECT_EQ(counted.at("nifdy.acks"), fast.at("delivered"));
}

TEST_F(ecn_runs, nothing_is_marked_where_nothing_marks) {
  const json quiet = run(hot("topology: {kind: butterfly, radix: 2, stages: 4}\n"), "quiet", "");
  EXPECT_EQ(quiet.at("counters").at("ecn.packets_marked"), 0);
  EXPECT_EQ(quiet.at("counters").at("ecn.notifications"), 0);
}

TEST_F(ecn_runs, what_does_not_fit_is_refused) {
  const std::string butterfly = "topology: {kind: butterfly, radix: 2, stages: 3}\n";
  EXPECT_THAT(
      refusal(hot(butterfly +
                  "switch: {kind: dampening, assignment: counting, buffers: 4}\nmarking: {kind: ecn}\n")),
      HasSubstr("e.yaml:4:"));
  EXPECT_THAT(
      refusal(hot(butterfly +
                  "switch: {kind: dampening, assignment: counting, buffers: 4}\nmarking: {kind: ecn}\n")),
      HasSubstr(
          "nothing can be marked: switches of kind 'dampening' do not show what waits for their outputs"));
  EXPECT_THAT(refusal(hot(butterfly + "marking: {kind: ecn}\ninterface: {kind: memory}\n")),
              HasSubstr("a stage of congestion marks carries one logical network, or one and its "
                        "acknowledgements, found 2 networks"));
  EXPECT_THAT(refusal(hot(butterfly + "marking: {kind: enc}\n")), HasSubstr("did you mean 'ecn'?"));
  EXPECT_THAT(refusal("name: no\n" + butterfly +
                      "marking: {kind: ecn}\nstages: [{kind: ecn, delays: [0, 4, 3]}]\ntraffic: [{pattern: "
                      "uniform, cycles: 9}]\n"),
              HasSubstr("a table of delays ascends"));
}

/// With marks the sources slow down, so that little has to be set aside; the others do not notice.
TEST_F(ecn_runs, marks_leave_isolation_little_to_set_aside) {
  const auto ran = [&](const std::string& name, const std::string& more) {
    const process_result r = spillway("run '" SPILLWAY_EXPERIMENTS "/isolation-ecn.yaml' --no-report --out " +
                                      name + " --set measure.cycles=8000 " + more);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder / (name + "/result.json")));
  };
  const json both = ran("both", ""), alone = ran("alone", "--set marking.threshold=65535");
  EXPECT_LT(both["counters"]["isolation.flits_set_aside"].get<double>(),
            0.3 * alone["counters"]["isolation.flits_set_aside"].get<double>());
  EXPECT_GT(both["classes"]["cool"]["delivered"].get<double>(),
            0.99 * alone["classes"]["cool"]["delivered"].get<double>());
  EXPECT_LT(both["classes"]["hot"]["delivered"].get<double>(),
            0.9 * alone["classes"]["hot"]["delivered"].get<double>())
      << "the page says that the hot link pays";
}

/// What marks and throttle are for: those who do not send to the hot terminal go on.
TEST_F(ecn_runs, a_hot_spot_leaves_the_others_more_than_without_marks) {
  const auto cool = [&](const std::string& name, const std::string& more) {
    const process_result r = spillway("run '" SPILLWAY_EXPERIMENTS "/hotspot-ecn.yaml' --no-report --out " +
                                      name + " --set measure.warmup=4000 --set measure.cycles=4000 " + more);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder / (name + "/result.json")))
        .at("classes")
        .at("cool")
        .at("delivered")
        .get<double>();
  };
  const double marked = cool("marked", ""), blind = cool("blind", "--set marking.threshold=65535");
  EXPECT_GT(marked, 1.2 * blind);
}

/// A terminal's gate has room for as many packets as its interface keeps, whatever their length: a saturated
/// source of a network without contention sends as with any other switches.
TEST_F(ecn_runs, a_gate_has_room_for_whole_packets) {
  const auto throughput = [&](const std::string& switches) {
    return run("name: gate\ntopology: {kind: crossbar, terminals: 4}\nswitch: {" + switches +
                   "}\npacket: {length: 8}\nstages: [{kind: ecn, pool: 1}]\n"
                   "traffic: [{pattern: shift, offset: 1, injection: saturated, cycles: 3000}]\n"
                   "measure: {cycles: 3000, drain: 0}\n",
               "out", "")
        .at("throughput_flits")
        .get<double>();
  };
  const double plain = throughput("kind: packet, depth: 16");
  EXPECT_GT(plain, 0.49);
  EXPECT_NEAR(throughput("kind: destination_queues, depth: 16"), plain, 0.01);
  EXPECT_NEAR(throughput("kind: isolation, depth: 16"), plain, 0.01);
  EXPECT_NEAR(throughput("kind: flow_pause"), plain, 0.01);
}
