// Reductions in whole networks, as a user runs them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process.hpp"

using nlohmann::json;

namespace {

struct reduced_network {
  const char* name;
  std::string topology;
  unsigned terminals, depth;  // switches from the farthest terminal to the root
};
void PrintTo(const reduced_network& n, std::ostream* os) { *os << n.name; }

class reductions : public testing::Test {
protected:
  process_result spillway(const std::string& topology, const std::string& workload,
                          const std::string& options = "", const std::string& rest = "") {
    std::ofstream(folder_ / "e.yaml")
        << "name: e\ntopology: " << topology
        << "\nswitch: {kind: reduction}\ninterface: {kind: reduction}\nworkload: "
           "{kind: collective, algorithm: network, "
        << workload << "}\nmeasure: {interval: 10}\n"
        << rest;
    return run_process(SPILLWAY_COMMAND " run '" + (folder_ / "e.yaml").string() +
                       "' --no-report --deliveries --out '" + (folder_ / "out").string() + "' " + options);
  }
  json run(const std::string& topology, const std::string& workload, const std::string& options = "") {
    const process_result r = spillway(topology, workload, options);
    EXPECT_EQ(r.status, 0) << r.output;
    return json::parse(read_text(folder_ / "out" / "result.json"));
  }
  void refused(const std::string& why, const std::string& topology, const std::string& workload,
               const std::string& options = "", const std::string& rest = "") {
    const process_result r = spillway(topology, workload, options, rest);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_NE(r.output.find(why), std::string::npos) << r.output;
    EXPECT_EQ(r.output.find("terminate"), std::string::npos) << r.output;
  }
  const scratch_folder folder_;
};

class reduction_networks : public reductions, public testing::WithParamInterface<reduced_network> {};

}  // namespace

TEST_P(reduction_networks, take_a_cycle_a_switch_up_and_a_cycle_a_switch_down) {
  const reduced_network& n = GetParam();
  const json r = run(n.topology, "operation: barrier");
  EXPECT_EQ(r["counters"]["goal.completion"], 2 * n.depth + 1);
  EXPECT_EQ(r["counters"]["goal.results"], n.terminals);
  EXPECT_EQ(r["counters"]["reduction.merged"], n.terminals - 1);
  EXPECT_EQ(r["delivered"], n.terminals);
}

TEST_P(reduction_networks, give_every_rank_every_result_at_full_rate) {
  const reduced_network& n = GetParam();
  for (const char* const how : {"sum", "minimum", "maximum"}) {
    const json r = run(n.topology,
                       std::string("operation: all_reduce, bytes: 800, repeat: 3, flit_bytes: 8, ahead: 4, "
                                   "reduction: ") +
                           how,
                       "--set switch.rounds=64");
    EXPECT_EQ(r["counters"]["goal.results"], 300 * n.terminals) << how;
    EXPECT_EQ(r["counters"]["goal.completion"], 3 * (99 + 2 * n.depth + 1)) << how;
    for (const char* fault : {"lost", "duplicated", "misordered", "violations"})
      EXPECT_EQ(r[fault], 0) << fault;
  }
}

TEST_P(reduction_networks, with_few_places_lose_nothing_and_are_the_same_on_all_kernels) {
  const std::string work =
      "operation: all_reduce, bytes: 400, repeat: 4, think: 7, o: 3, flit_bytes: 8, ahead: 9";
  const std::string one_place = "--set switch.rounds=1 --set endpoint.accept_interval=2 ";
  json fast;
  std::string deliveries;
  for (const char* const kernel :
       {"fast", "signals", "doubting", "fast --threads 2 --set blocks_a_thread=1"}) {
    json r = run(GetParam().topology, work, one_place + "--kernel " + kernel);
    r.erase("kernel");
    if (fast.is_null()) fast = r, deliveries = read_text(folder_ / "out" / "deliveries.csv");
    EXPECT_EQ(r, fast) << kernel;
    EXPECT_EQ(read_text(folder_ / "out" / "deliveries.csv"), deliveries) << kernel;
  }
  EXPECT_EQ(fast["counters"]["goal.results"], 200 * GetParam().terminals);
  EXPECT_EQ(fast["counters"]["reduction.most_rounds"], 1);
}

// Each group has few places, and would wait for others if it shared them.
TEST_P(reduction_networks, give_several_groups_at_once_the_results_of_their_own) {
  const unsigned terminals = GetParam().terminals;
  for (const unsigned groups : {2u, 3u}) {
    const std::string number = std::to_string(groups);
    const std::string work =
        "operation: all_reduce, bytes: 400, repeat: 4, think: 7, o: 3, flit_bytes: 8, ahead: 9, groups: " +
        number;
    json fast;
    for (const char* const kernel : {"fast", "signals", "doubting"}) {
      json r = run(GetParam().topology, work,
                   "--set switch.rounds=1 --set endpoint.accept_interval=2 --set switch.groups=" + number +
                       " --kernel " + kernel);
      r.erase("kernel");
      if (fast.is_null()) fast = r;
      EXPECT_EQ(r, fast) << kernel;
    }
    EXPECT_EQ(fast["counters"]["goal.results"], 200 * terminals);
    EXPECT_EQ(fast["counters"]["reduction.merged"], 200 * (terminals - groups));
    for (const char* fault : {"lost", "duplicated", "misordered", "violations"})
      EXPECT_EQ(fast[fault], 0) << fault;
  }
}

INSTANTIATE_TEST_SUITE_P(
    all, reduction_networks,
    testing::Values(reduced_network{"fat_tree", "{kind: xgft, children: [4, 3, 2]}", 24, 3},
                    reduced_network{"omega", "{kind: omega, radix: 2, stages: 4}", 16, 4},
                    reduced_network{"butterfly", "{kind: butterfly, radix: 3, stages: 2}", 9, 2},
                    reduced_network{"mesh", "{kind: mesh, dimensions: [4, 4]}", 16, 6},
                    reduced_network{"crossbar", "{kind: crossbar, terminals: 8}", 8, 1},
                    reduced_network{"dragonfly",
                                    "{kind: dragonfly, switches: 2, terminals: 2, global_links: 1, "
                                    "groups: 3}\nchecks: {deadlock: false}",
                                    12, 4}),
    [](const auto& p) { return p.param.name; });

TEST_F(reductions, say_what_does_not_fit) {
  const std::string tree = "{kind: xgft, children: [4, 2]}", barrier = "operation: barrier";
  refused("network waits for all terminals", tree, barrier + ", ranks: 4");
  refused("network waits for all terminals", tree, barrier + ", ranks: 8, ranks_per_terminal: 2");
  refused("expected `switch: {kind: reduction}`", tree, barrier,
          "--set switch.kind=packet --set interface.kind=plain");
  refused("networks that reduce: expected `switch: {kind: reduction}`", tree, barrier,
          "--set interface.kind=plain");
  refused("contributions of one flit, found packets of 3", tree, barrier, "--set packet.length=3");
  refused("expected a workload with `algorithm: network`", tree, barrier, "--set workload.algorithm=tree");
  refused("expected a workload with `algorithm: network`", tree, barrier,
          "--set 'workload={kind: scan}' --set packet.length=1");
  refused("interface.kind: a network that reduces carries contributions alone", tree, barrier,
          "--set workload=~ --set 'traffic=[{pattern: uniform, rate: 0.1, cycles: 10}]'");
  refused("expected no traffic beside it", tree, barrier,
          "--set 'traffic=[{pattern: uniform, rate: 0.1, cycles: 10}]'");
  refused("carries contributions alone: expected none", tree, barrier,
          "--set 'software={kind: combining, tree: fan_in}'");
  refused("a round that a reset cuts short has no end", tree, barrier,
          "--set 'resets=[{cycle: 5, length: 2}]'");
  refused("expected as many groups as the switches have, 1, found 2", tree, barrier + ", groups: 2");
  refused("expected as many groups as the switches have, 2, found 1", tree, barrier, "--set switch.groups=2");
  refused("groups are for `algorithm: network`", tree, barrier + ", groups: 2",
          "--set workload.algorithm=tree");
  refused("at most as many groups as terminals, which are 8, found 9", tree, barrier + ", groups: 9",
          "--set switch.groups=9");
  refused("expected a root of the switches 0..3, found 9", tree, barrier, "--set switch.root=9");
  refused("switch 0 is one that all of them have a way to", "{kind: omega, radix: 2, stages: 2}", barrier,
          "--set switch.root=0");
  refused("expected one of direct for all_to_all, found network", tree, "operation: all_to_all");
}

// A table says what terminals contribute, and when; one that could not be played is refused where it is
// wrong.
TEST_F(reductions, take_tables_of_contributions) {
  const auto play = [this](const std::string& table, const std::string& rest = "") {
    std::ofstream(folder_ / "r.csv") << "cycle,source,destination,size,after,class,word,combinable,data\n"
                                     << table;
    return spillway("{kind: crossbar, terminals: 2}", "operation: barrier",
                    "--set 'workload={kind: packets, file: " + (folder_ / "r.csv").string() + "}'", rest);
  };
  const process_result r =
      play("3,1,1,1,0,0,0,1,9\n5,0,0,1,0,0,0,1,4\n5,1,1,1,0,0,2,1,0\n9,0,0,1,0,0,2,1,0\n");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(read_text(folder_ / "out" / "deliveries.csv"),
            "cycle,source,destination,packet,created,injected,length,class,hops\n"
            "7,0,0,0,5,6,1,0,1\n7,1,1,0,3,4,1,0,1\n11,0,0,1,9,10,1,0,1\n11,1,1,1,5,6,1,0,1\n");
  const std::pair<const char*, const char*> wrong[]{
      {"3,1,0,1,0,0,0,1,9\n", "r.csv:2:18: a network that reduces takes contributions alone"},
      {"3,1,1,1,0,0,0,0,9\n", "r.csv:2:18: a network that reduces takes contributions alone"},
      {"3,1,1,2,0,0,0,1,9\n", "r.csv:2:18: a network that reduces takes contributions alone"},
      {"3,1,1,1,0,0,0,1\n3,1,1,1,1,0,0,1\n", "r.csv:3:16: a network that reduces takes contributions alone"},
      {"3,1,1,1,0,0,3,1,9\n", "r.csv:2:18: expected the word of a reduction, found 3"},
      {"3,1,1,1,0,0,0,1,9\n2,1,1,1,0,0,0,1,9\n",
       "r.csv:3:18: terminal 1 contributes in the order of cycles: expected 3 or later, found 2"},
      {"3,1,1,1,0,0,0,1,9\n2,0,0,1,0,0,1,1,9\n",
       "r.csv:3:18: contribution 1 of each terminal is to one reduction: expected the word 0, found 1"},
      {"3,1,1,1,0,0,0,1,9\n",
       "each terminal contributes to every round: expected 1 contributions of terminal 0, found 0"}};
  for (const auto& [table, message] : wrong) {
    const process_result refused = play(table);
    EXPECT_EQ(refused.status, 2) << table << refused.output;
    EXPECT_NE(refused.output.find(message), std::string::npos) << table << refused.output;
  }
  EXPECT_EQ(play("3,1,1,1,0,0,0,1,9\n3,0,0,1,0,0,0,1,9\n", "endpoint: {replies: true}\n").status, 2);
}

// A terminal that takes nothing for a while holds up all, and a farther root takes longer.
TEST_F(reductions, wait_for_the_slowest) {
  const json paused = run("{kind: xgft, children: [4, 2]}", "operation: barrier, repeat: 5",
                          "--set 'endpoint.pauses=[{terminals: [3], from: 0, until: 500}]'");
  EXPECT_GT(paused["counters"]["goal.completion"], 500);
  EXPECT_EQ(paused["counters"]["goal.results"], 40);
  const json above = run("{kind: mesh, dimensions: [5, 5]}", "operation: barrier"),
             middle = run("{kind: mesh, dimensions: [5, 5]}", "operation: barrier", "--set switch.root=12");
  EXPECT_EQ(above["counters"]["goal.completion"], 2 * 7 + 1);
  EXPECT_EQ(middle["counters"]["goal.completion"], 2 * 5 + 1);
}
