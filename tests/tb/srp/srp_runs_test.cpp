// Speculative reservation as a user runs it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/mechanism_runs.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

class srp_runs : public mechanism_runs {
protected:
  static std::string hot(const std::string& keys) {
    return "name: hot\n" + keys +
           "traffic: [{pattern: hotspot, targets: [3], fraction: 0.4, rate: 0.4, cycles: 500}]\n"
           "measure: {interval: 50}\n";
  }
  /// What it counts. Nothing is lost, and what is dropped is sent again once.
  json drop_and_send_again(const char* keys) {
    const json fast = run_on_every_kernel(hot(keys));
    EXPECT_EQ(fast.at("violations"), 0);
    EXPECT_EQ(fast.at("lost"), 0);
    EXPECT_EQ(fast.at("duplicated"), 0);
    EXPECT_EQ(fast.at("delivered"), fast.at("created"));
    json counted = fast.at("counters");
    EXPECT_GT(counted.at("switches.packets_dropped"), 20);
    EXPECT_EQ(counted.at("switches.packets_dropped"), counted.at("srp.packets_refused"));
    counted["delivered"] = fast.at("delivered");
    return counted;
  }
};

constexpr const char* srp_kinds[] = {
    "topology: {kind: butterfly, radix: 2, stages: 4}\n"
    "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
    "packet: {length: 4}\n"
    "dropping: {kind: srp, life: 10}\n"
    "stages: [{kind: srp, smallest: 1, largest: 32}]\n",
    // Longer packets than channels, several channels, a small pool, small messages without reservation.
    "topology: {kind: mesh, dimensions: [4, 4]}\n"
    "switch: {kind: wormhole, virtual_channels: 2, depth: 3, latency: 2, priority: network}\n"
    "packet: {length: 6}\n"
    "dropping: {kind: srp, life: 5}\n"
    "stages: [{kind: srp, pool: 6, smallest: 12, largest: 24}]\n",
    // Links of several cycles, networks by turns, and no packet that may wait at all.
    "topology: {kind: omega, radix: 2, stages: 4}\n"
    "switch: {kind: wormhole, switching: store_and_forward, depth: 4, link: {cycles: 2}}\n"
    "packet: {length: 2}\n"
    "dropping: {kind: srp, life: 0}\n"
    "stages: [{kind: srp, smallest: 2}]\n"
    "link: {latency: 3}\n",
    // Reservations after drops.
    "topology: {kind: butterfly, radix: 4, stages: 2}\n"
    "switch: {kind: wormhole, virtual_channels: 2, switching: cut_through, depth: 6, priority: network}\n"
    "packet: {length: 6}\n"
    "dropping: {kind: srp, life: 15}\n"
    "stages: [{kind: srp, reserve: dropped, smallest: 1, largest: 36}]\n",
    "topology: {kind: butterfly, radix: 2, stages: 4}\n"
    "switch: {kind: wormhole, depth: 4, priority: network, link: {multiplexing: strict}}\n"
    "packet: {length: 3}\n"
    "dropping: {kind: srp, life: 20}\n"
    "stages: [{kind: srp, smallest: 3}]\n"};

// Requests and replies cross, and a reply has its request's number.
constexpr const char* both_ways[] = {
    "topology: {kind: crossbar, terminals: 4}\n"
    "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
    "packet: {length: 4}\n"
    "dropping: {kind: lhrp, threshold: 2}\n"
    "stages: [{kind: srp, pool: 64, smallest: 1, largest: 64, reserve: last_switch}]\n",
    "topology: {kind: crossbar, terminals: 4}\n"
    "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
    "packet: {length: 4}\n"
    "dropping: {kind: srp, life: 4}\n"
    "stages: [{kind: srp, pool: 64, smallest: 1, largest: 64}]\n",
    "topology: {kind: crossbar, terminals: 4}\n"
    "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
    "packet: {length: 1}\n"
    "dropping: {kind: srp, life: 1}\n"
    "stages: [{kind: srp, pool: 64, smallest: 1, largest: 64, reserve: dropped}]\n"};

// The last switch reserves.
constexpr const char* last_switches[] = {
    "topology: {kind: mesh, dimensions: [4, 4]}\n"
    "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
    "packet: {length: 4}\n"
    "dropping: {kind: lhrp, threshold: 8}\n"
    "stages: [{kind: srp, reserve: last_switch, smallest: 1}]\n",
    // A written route, several terminals a switch, packets across several routers.
    "topology: {kind: dragonfly, switches: 2, terminals: 2, global_links: 1}\n"
    "routing: {kind: ugal}\n"
    "switch: {kind: wormhole, virtual_channels: 3, depth: 3, latency: 2}\n"
    "packet: {length: 6}\n"
    "dropping: {kind: lhrp, threshold: 0, overhead: 1}\n"
    "stages: [{kind: srp, reserve: last_switch, pool: 6, smallest: 6}]\n"
    "link: {latency: 3}\n"};

}  // namespace

class srp_networks : public srp_runs, public testing::WithParamInterface<const char*> {};

TEST_P(srp_networks, drop_and_send_again_alike_on_every_kernel) {
  const json counted = drop_and_send_again(GetParam());
  EXPECT_EQ(counted.at("srp.packets_dropped"), counted.at("srp.packets_refused"));
  EXPECT_EQ(counted.at("srp.reservations"), counted.at("srp.grants"));
  const double speculative = counted.at("srp.packets_speculative"),
               refused = counted.at("srp.packets_refused");
  EXPECT_EQ(counted.at("srp.acknowledgements"), speculative - refused);
  EXPECT_EQ(counted.at("delivered"), speculative - refused +
                                         counted.at("srp.packets_reserved").get<double>() +
                                         counted.at("srp.packets_unreserved").get<double>());
}

INSTANTIATE_TEST_SUITE_P(of_switches, srp_networks, testing::ValuesIn(srp_kinds));

class lhrp_networks : public srp_runs, public testing::WithParamInterface<const char*> {};

/// Nobody asks.
TEST_P(lhrp_networks, drop_and_send_again_alike_on_every_kernel) {
  const json counted = drop_and_send_again(GetParam());
  EXPECT_EQ(counted.at("srp.packets_refused"), counted.at("srp.packets_reserved"));
  EXPECT_EQ(counted.at("srp.packets_dropped"), 0) << "no word of it goes to the receiver";
  EXPECT_EQ(counted.at("srp.reservations"), 0);
  EXPECT_EQ(counted.at("srp.grants"), 0);
  EXPECT_EQ(counted.at("srp.packets_speculative"), counted.at("delivered"));
}

INSTANTIATE_TEST_SUITE_P(of_switches, lhrp_networks, testing::ValuesIn(last_switches));

/// 1000 times 1.005 is a little less than 1,005.
TEST_F(srp_runs, an_overhead_is_rounded_to_thousandths) {
  const auto deliveries = [&](const std::string& overhead) {
    run(hot("topology: {kind: mesh, dimensions: [4, 4]}\n"
            "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
            "packet: {length: 4}\n"
            "dropping: {kind: lhrp, threshold: 0, overhead: " +
            overhead +
            "}\n"
            "stages: [{kind: srp, reserve: last_switch, smallest: 1}]\n"),
        overhead, "");
    return read_text(folder / overhead / "deliveries.csv");
  };
  const std::string rounded = deliveries("1.005");
  EXPECT_EQ(rounded, deliveries("1.0052"));
  EXPECT_NE(rounded, deliveries("1.004"));
}

/// Networks of their own need no priorities; then nothing is dropped.
TEST_F(srp_runs, packet_switches_carry_reservations_without_drops) {
  const json fast = run(hot("topology: {kind: butterfly, radix: 2, stages: 4}\n"
                            "switch: {kind: packet, buffering: voq}\n"
                            "stages: [{kind: srp, smallest: 1}]\n"),
                        "fast", "");
  EXPECT_EQ(fast.at("violations"), 0);
  EXPECT_EQ(fast.at("counters").at("srp.packets_refused"), 0);
  EXPECT_FALSE(fast.at("counters").contains("switches.packets_dropped"));
  EXPECT_GT(fast.at("counters").at("srp.packets_speculative"), 100);
}

/// Reserved packets that wait for a hot terminal hold up no others before the network.
TEST_F(srp_runs, what_waits_for_the_network_waits_by_destination) {
  const auto deliveries = [&](const std::string& name, const std::string& gate) {
    run(hot("topology: {kind: butterfly, radix: 2, stages: 4}\n"
            "switch: {kind: destination_queues" +
            gate +
            "}\n"
            "stages: [{kind: srp, pool: 64, smallest: 1}]\n"),
        name, "");
    return read_text(folder / name / "deliveries.csv");
  };
  EXPECT_EQ(deliveries("as_asked", ""), deliveries("said", ", gate: 64"));
}

TEST_F(srp_runs, the_latency_without_contention_is_as_check_says) {
  const std::string quiet =
      "name: quiet\n"
      "topology: {kind: butterfly, radix: 2, stages: 4}\n"
      "switch: {kind: wormhole, switching: cut_through, depth: 8, priority: network}\n"
      "packet: {length: 4}\n"
      "dropping: {kind: srp, life: 10}\n"
      "traffic: [{pattern: hotspot, targets: [15], fraction: 1, rate: 0.01, cycles: 400, terminals: [0]}]\n";
  struct message {
    const char* name;
    const char* stage;
    unsigned interfaces;  // cycles
  };
  for (const auto& [name, stage, interfaces] :
       {message{"asks_first", "smallest: 4", 6}, message{"too_short_to_ask", "smallest: 5", 5},
        message{"asks_when_dropped", "smallest: 4, reserve: dropped", 5}}) {
    const std::string text = quiet + "stages: [{kind: srp, " + stage + "}]\n";
    write("e.yaml", text);
    const std::string all = std::to_string(interfaces + 2), own = std::to_string(interfaces);
    EXPECT_THAT(spillway("check e.yaml").output,
                HasSubstr("latency: d + " + all + " cycles without contention, " + own +
                          " of them in the interfaces"));
    const json r = run(text, name, "");
    EXPECT_EQ(r.at("latency").at("max").get<double>() - 3, 5 + interfaces + 2)
        << name << ": to the tail, 3 flits later";
  }
}

TEST_F(srp_runs, what_does_not_fit_is_refused) {
  const std::string butterfly = "topology: {kind: butterfly, radix: 2, stages: 3}\n";
  const std::string stage = "stages: [{kind: srp}]\n", drops = "dropping: {kind: srp}\n";
  EXPECT_THAT(
      refusal(hot(butterfly + "switch: {kind: packet}\n" + drops + stage)),
      HasSubstr("nothing can be dropped: switches of kind 'packet' let packets wait for as long as it "
                "takes"));
  EXPECT_THAT(
      refusal(hot(butterfly + "switch: {kind: wormhole}\n" + drops)),
      HasSubstr("expected a stage `srp` as the outermost of `stages`, with 4 logical networks, found 1"));
  EXPECT_THAT(refusal(hot(butterfly + "switch: {kind: wormhole}\n" + drops)), HasSubstr("e.yaml:4:"));
  EXPECT_THAT(refusal(hot(butterfly + "interface: {kind: nifdy}\n" + stage)),
              HasSubstr("a stage of speculative reservation carries one logical network, found 2"));
  EXPECT_THAT(refusal(hot(butterfly + "stages: [{kind: srp, smallest: 600}]\n")),
              HasSubstr("the smallest message has 600"));
  const std::string mesh = "topology: {kind: mesh, dimensions: [2, 2]}\nswitch: {kind: wormhole}\n";
  const std::string last = "stages: [{kind: srp, reserve: last_switch, smallest: 1}]\n";
  EXPECT_THAT(refusal(hot(butterfly + "switch: {kind: wormhole}\ndropping: {kind: lhrp}\n" + last)),
              HasSubstr("expected a topology in which each terminal receives from the switch to which it "
                        "sends, such as a mesh, found 'butterfly'"));
  // Its last terminal alone receives from elsewhere.
  write("g.txt", "t0 -- s0\nt1 -- s0\nt2 -- s1\nt3 -> s1\ns0 -> t3\ns0 -- s1\n");
  EXPECT_THAT(refusal(hot("topology: {kind: file, path: g.txt}\nswitch: {kind: wormhole}\n"
                          "dropping: {kind: lhrp}\n" +
                          last)),
              HasSubstr("receives from the switch to which it sends, such as a mesh, found 'file'"));
  EXPECT_THAT(refusal(hot(mesh + "dropping: {kind: lhrp}\n" + stage)),
              HasSubstr("expected a stage `srp` with `reserve: last_switch`"));
  EXPECT_THAT(refusal(hot(mesh + drops + last)),
              HasSubstr("expected a stage `srp` with `reserve: first` or `dropped`"));
  EXPECT_THAT(refusal(hot(mesh + "dropping: {kind: lhrp}\nstages: [{kind: srp, reserve: last_switch}]\n")),
              HasSubstr("e.yaml:4:11: dropping: nothing is dropped: each packet is a message, of 1 flits at "
                        "most; expected a "
                        "stage `srp` with no larger `smallest`, found 128"));
  EXPECT_THAT(refusal(hot(butterfly + "dropping: {kind: spr}\n")), HasSubstr("did you mean 'srp'?"));
}

/// What it is for: those who do not send to the hot terminal go on.
TEST_F(srp_runs, a_hot_spot_leaves_the_others_alone) {
  const auto cool = [&](const std::string& name, const std::string& more) {
    const process_result r = spillway("run '" SPILLWAY_EXPERIMENTS "/hotspot-srp.yaml' --no-report --out " +
                                      name + " --set measure.warmup=3000 --set measure.cycles=3000 " + more);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder / (name + "/result.json")))
        .at("classes")
        .at("cool")
        .at("latency")
        .at("mean")
        .get<double>();
  };
  const double dropped = cool("dropped", ""), kept = cool("kept", "--set dropping.life=1000000000"),
               quiet = cool("quiet", "--set traffic.1.rate=0");
  EXPECT_LT(dropped, 1.5 * quiet);
  EXPECT_GT(kept, 2 * quiet);
}

TEST_F(srp_runs, tell_a_reply_from_a_packet_of_its_number) {
  for (const std::string keys : both_ways)
    for (const char* const seed : {"1", "3", "4"}) {
      SCOPED_TRACE(keys + seed);
      const json fast = run_on_every_kernel("name: both\n" + keys + "seed: " + seed +
                                            "\nendpoint: {replies: true}\n"
                                            "traffic: [{pattern: uniform, rate: 0.4, cycles: 1500}]\n"
                                            "measure: {drain: 20000}\n");
      EXPECT_EQ(fast.at("status"), "ok");
      EXPECT_EQ(fast.at("violations"), 0);
      EXPECT_EQ(fast.at("lost"), 0);
      EXPECT_EQ(fast.at("duplicated"), 0);
      EXPECT_EQ(fast.at("delivered"), fast.at("created"));
      EXPECT_GT(fast.at("counters").at("switches.packets_dropped"), 0);
    }
}
