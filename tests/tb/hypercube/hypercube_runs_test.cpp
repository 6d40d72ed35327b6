// Hypercubes as a user runs them: delays against queueing formulas and the analysis of the paper, deadlock of
// bounded buffers without classes, and what `check` says of it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"

namespace {

using nlohmann::json;

std::string file_of(const std::string& experiment) {
  return (std::filesystem::path(SPILLWAY_EXPERIMENTS) / (experiment + ".yaml")).string();
}

struct outcome {
  int status;
  std::string output;
  json result;
  double counter(const char* name) const { return result.at("counters").at(name); }
};

outcome run_cube(const std::string& experiment, const std::string& settings) {
  const scratch_folder folder;
  const process_result r = run_process(std::string(SPILLWAY_COMMAND) + " run '" + file_of(experiment) + "' " +
                                       settings + " --out '" + (folder / "out").string() + "'");
  outcome o{r.status, r.output, {}};
  if (std::filesystem::exists(folder / "out" / "result.json"))
    o.result = json::parse(read_text(folder / "out" / "result.json"));
  return o;
}

json theory_of_run(const std::string& arguments) {
  const process_result r = run_process(std::string(SPILLWAY_COMMAND) + " theory hypercube " + arguments);
  EXPECT_EQ(r.status, 0) << r.output;
  return json::parse(r.output);
}

// Two nodes that send to each other only: each link is a queue of its own.
const std::string one_queue =
    "--set topology.dimension=1 --set topology.cluster=0 --set switch.other_rate=1 --set traffic.0.cluster=1 "
    "--set traffic.0.local=0 --set traffic.0.fraction=0 --set endpoint.replies=false "
    "--set measure.warmup=6400 --set measure.cycles=1600000 --set measure.drain=0 ";

TEST(hypercube_runs, one_link_is_an_m_m_1_queue) {
  for (const double load : {0.3, 0.7}) {
    const outcome o =
        run_cube("hypercube-hotspot", one_queue + "--set traffic.0.lambda=" + std::to_string(load));
    ASSERT_EQ(o.status, 0) << o.output;
    EXPECT_NEAR(o.counter("messages.r_reg") * (1 - load), 1, 0.06);  // 1 / (mu - lambda)
    EXPECT_EQ(o.counter("messages.r_avg"), o.counter("messages.r_reg"));
    EXPECT_FALSE(o.result.at("counters").contains("messages.r_hot")) << "a mean of nothing";
    EXPECT_NEAR(o.counter("node.busiest_link"), load, 0.03);
    EXPECT_NEAR(o.counter("messages.throughput"), load, 0.02);
  }
}

/// The share of cycles in which the busiest link to a hot spot transmits messages of `unit` cycles.
double busiest_link(unsigned unit) {
  const scratch_folder folder;
  std::ofstream(folder / "b.yaml")
      << "name: b\ntopology: {kind: hypercube, dimension: 4}\nrouting: {kind: shortest_paths}\n"
         "switch: {kind: message_node, unit: "
      << unit
      << ", buffers: 5, length: fixed, grants: neighbours_first}\n"
         "endpoint: {queue: 2}\ntraffic:\n  - {pattern: hotspot, targets: [0], fraction: 0.9, rate: 1, "
         "injection: blocking, cycles: 4000}\nmeasure: {cycles: 4000, drain: 0}\n";
  const process_result r =
      run_process("cd '" + folder.path().string() + "'; " + SPILLWAY_COMMAND + " run b.yaml --out out -q");
  return json::parse(read_text(folder / "out/result.json")).at("counters").at("node.busiest_link");
}

// A message that waited for a buffer takes a cycle less.
TEST(hypercube_runs, a_link_is_busy_for_the_time_that_its_messages_take) {
  const double never_rests = busiest_link(64);
  EXPECT_LE(never_rests, 1);
  EXPECT_GT(never_rests, 1 - 8 / 4000.0) << "from the first message on";
  // 1,030 messages, of which two in three waited, and take the cycle of their grant.
  const double waits = busiest_link(2);
  EXPECT_GT(waits, 1030 / 4000.0);
  EXPECT_LT(waits, 1.5 * 1030 / 4000.0);
}

TEST(hypercube_runs, with_fixed_lengths_an_m_d_1_queue) {
  const double load = 0.7;
  const outcome o =
      run_cube("hypercube-hotspot", one_queue + "--set switch.length=fixed --set traffic.0.lambda=0.7");
  ASSERT_EQ(o.status, 0) << o.output;
  EXPECT_NEAR(o.counter("messages.r_reg") / (1 + load / (2 * (1 - load))), 1,
              0.05);  // Pollaczek and Khinchine
}

TEST(hypercube_runs, without_load_a_message_takes_its_hops) {
  const outcome o =
      run_cube("hypercube-hotspot",
               "--set switch.length=fixed --set traffic.0.lambda=0.002 --set traffic.0.fraction=0 "
               "--set traffic.0.local=1 --set measure.cycles=6400000 --set measure.drain=0 "
               "--set measure.interval=64000 --set checks.watchdog=0");
  ASSERT_EQ(o.status, 0) << o.output;
  const double hop = std::round(64 / 3.0) / 64;
  EXPECT_NEAR(o.counter("messages.r_reg") / (1.5 * hop), 1, 0.03);  // d/2 hops, the sender itself included
}

struct figure_2_case {
  const char *experiment, *network, *mu_ncl;
  double alpha;
};
class hypercube_figure_2 : public testing::TestWithParam<figure_2_case> {};

TEST_P(hypercube_figure_2, simulation_is_near_the_analysis) {
  const auto& p = GetParam();
  const std::string alpha = std::to_string(p.alpha);
  const json formula =
      theory_of_run(std::string("network=") + p.network +
                    " D=6 d=3 lambda=1 h=0.08 mu_cl=3 mu_ncl=" + p.mu_ncl + " alpha=" + alpha);
  double regular = 0, hot = 0;
  for (const char* seed : {"1", "2", "3"}) {
    const outcome o = run_cube(p.experiment, "--set traffic.0.local=" + alpha + " --seed " + seed +
                                                 " --set measure.warmup=3200 --set measure.cycles=51200 "
                                                 "--set measure.drain=0 --set checks.links=false");
    ASSERT_EQ(o.status, 0) << o.output;
    regular += o.counter("messages.r_reg") / 3;
    hot += o.counter("messages.r_hot") / 3;
  }
  EXPECT_NEAR(regular / formula.at("r_reg").get<double>(), 1, 0.05);
  EXPECT_NEAR(hot / formula.at("r_hot").get<double>(), 1, 0.08);
}

INSTANTIATE_TEST_SUITE_P(acceptance, hypercube_figure_2,
                         testing::Values(figure_2_case{"hypercube-hotspot", "bh", "3", 0.6},
                                         figure_2_case{"hypercube-hotspot", "bh", "3", 0.9},
                                         figure_2_case{"hypercube-hierarchical", "bhbh", "6", 0.6},
                                         figure_2_case{"hypercube-hierarchical", "bhbh", "6", 0.9}),
                         [](const auto& test) {
                           return std::string(test.param.network) + (test.param.alpha < 0.7 ? "_06" : "_09");
                         });

// Its header travels beside the class that the traffic gives a message.
TEST(hypercube_runs, hot_messages_are_counted_as_hot_through_nifdy) {
  const outcome o = run_cube("hypercube-hotspot",
                             "--set 'topology={kind: mesh, dimensions: [4, 4]}' "
                             "--set 'routing={kind: auto}' --set 'switch={kind: packet}' "
                             "--set 'interface={kind: nifdy}' --set endpoint.replies=false --set "
                             "traffic.0.unit=64 --set traffic.0.fraction=0.2 "
                             "--set traffic.0.local=0.5 --set traffic.0.cluster=4");
  ASSERT_EQ(o.status, 0) << o.output;
  EXPECT_EQ(o.result.at("status"), "ok");
  ASSERT_TRUE(o.result.at("counters").contains("messages.r_hot")) << o.result.at("counters");
  EXPECT_GT(o.counter("messages.r_hot"), o.counter("messages.r_reg"));
  EXPECT_NEAR(o.counter("messages.r_avg"),
              0.8 * o.counter("messages.r_reg") + 0.2 * o.counter("messages.r_hot"), 1e-9);
  EXPECT_GT(o.counter("nifdy.scalar_packets"), 0);
}

TEST(hypercube_runs, twice_the_cycles_a_time_unit_change_little) {
  const std::string measured = "--set measure.drain=0 --set checks.links=false --set measure.warmup=6400 ";
  const outcome coarse = run_cube("hypercube-hierarchical", measured + "--set measure.cycles=64000");
  const outcome fine =
      run_cube("hypercube-hierarchical",
               measured + "--set measure.cycles=128000 --set switch.unit=128 --set traffic.0.unit=128");
  EXPECT_NEAR(coarse.counter("messages.r_reg") / fine.counter("messages.r_reg"), 1, 0.03);
  EXPECT_NEAR(coarse.counter("messages.r_hot") / fine.counter("messages.r_hot"), 1, 0.05);
}

const std::string overload =
    "--set traffic.0.lambda=2 --set measure.drain=0 --set measure.cycles=64000 --set checks.watchdog=20000 ";

TEST(hypercube_runs, bounded_buffers_in_classes_go_on_under_overload) {
  for (const char* grants : {"random", "neighbours_first", "host_first"}) {
    const outcome o = run_cube("hypercube-bounded", overload + "--set switch.grants=" + grants);
    EXPECT_EQ(o.status, 0) << o.output;
    EXPECT_EQ(o.result.at("status"), "ok");
    EXPECT_EQ(o.result.at("lost"), 0);
    EXPECT_EQ(o.result.at("violations"), 0);
    EXPECT_GT(o.counter("messages.throughput"), 0.05);
    EXPECT_LE(o.counter("node.most_held"), 12);
  }
}

TEST(hypercube_runs, deeper_and_unequal_hierarchies_deliver_with_bounded_buffers) {
  for (const auto& [shape, cluster] :
       {std::pair("dimension: 6, cluster: 2, levels: [2, 2]", "4"),
        std::pair("dimension: 4, cluster: 2, sizes: [4, 2, 1, 4]", "[4, 2, 1, 4]")}) {
    const outcome o = run_cube("hypercube-bounded",
                               std::string("--set 'topology={kind: hierarchical_hypercube, ") + shape +
                                   "}' --set 'traffic=[{pattern: locality, cluster: " + cluster +
                                   ", fraction: 0.1, lambda: 0.6, messages: 50}]' --set measure.cycles=~");
    EXPECT_EQ(o.status, 0) << o.output;
    EXPECT_EQ(o.result.at("status"), "ok") << shape;
    EXPECT_EQ(o.result.at("lost"), 0);
    EXPECT_GT(o.result.at("delivered"), 500);
  }
}

TEST(hypercube_runs, software_combining_counts_what_broadcasts_wait_in_hosts) {
  const outcome bounded =
      run_cube("hypercube-software",
               "--set endpoint.queue=1 --set switch.buffers=8 --set switch.choice=shortest_queue "
               "--set traffic.0.injection=blocking --set traffic.0.lambda=1.5 --set measure.drain=0");
  EXPECT_EQ(bounded.status, 0) << bounded.output;
  EXPECT_GT(bounded.counter("messages.r_hot"), 1.2 * bounded.counter("messages.r_hot_links"));
  const outcome free = run_cube("hypercube-software", "--set traffic.0.lambda=0.2 --set measure.drain=0");
  EXPECT_NEAR(free.counter("messages.r_hot") / free.counter("messages.r_hot_links"), 1, 0.1);
}

TEST(hypercube_runs, without_classes_they_deadlock) {
  const outcome o = run_cube("hypercube-bounded", overload +
                                                      "--set switch.classes=none --set switch.buffers=3 "
                                                      "--set checks.deadlock=false");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.result.at("status"), "deadlock") << o.output;
}

TEST(hypercube_runs, check_proves_the_classes_and_prints_the_cycle_without) {
  const std::string check = std::string(SPILLWAY_COMMAND) + " check '" + file_of("hypercube-bounded") + "' ";
  const process_result with = run_process(check);
  EXPECT_EQ(with.status, 0) << with.output;
  EXPECT_NE(with.output.find("deadlock: free"), std::string::npos) << with.output;
  const process_result without = run_process(check + "--set switch.classes=none");
  EXPECT_EQ(without.status, 1);
  EXPECT_NE(without.output.find("deadlock: possible"), std::string::npos) << without.output;
  EXPECT_NE(without.output.find("\n  switch_"), std::string::npos) << without.output;
  const process_result few = run_process(check + "--set switch.buffers=9");
  EXPECT_EQ(few.status, 1);
  EXPECT_NE(few.output.find("9 hops need 10 buffers a node, found 9"), std::string::npos) << few.output;
}

TEST(hypercube_runs, queues_that_keep_to_their_order_can_deadlock_in_spite_of_classes) {
  const process_result possible =
      run_process(std::string(SPILLWAY_COMMAND) + " check '" + file_of("hypercube-bounded") +
                  "' --set switch.queue=fifo --set checks.deadlock=false");
  EXPECT_EQ(possible.status, 1);
  EXPECT_NE(possible.output.find("deadlock: possible"), std::string::npos) << possible.output;
  EXPECT_NE(possible.output.find(" buffer "), std::string::npos) << "of which class: " << possible.output;
  EXPECT_EQ(run_cube("hypercube-bounded", "--set switch.queue=fifo").status, 2);
  const outcome met =
      run_cube("hypercube-bounded", overload + "--set switch.queue=fifo --set checks.deadlock=false");
  EXPECT_EQ(met.status, 1);
  EXPECT_EQ(met.result.at("status"), "deadlock") << met.output;
  EXPECT_EQ(met.counter("node.reordered"), 0);
  const outcome proven = run_cube("hypercube-bounded", overload);
  EXPECT_EQ(proven.result.at("status"), "ok") << proven.output;
  EXPECT_GT(proven.counter("node.reordered"), 100);
}

// Of a butterfly's switches not all lead to every terminal.
TEST(hypercube_runs, bounded_nodes_may_stand_where_not_all_ways_lead) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << R"(
name: one_way
topology: {kind: butterfly, radix: 2, stages: 3}
switch: {kind: message_node, buffers: 12, length: fixed}
traffic: [{pattern: uniform, rate: 0.2, messages: 40}]
)";
  const process_result r =
      run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder / "e.yaml").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_NE(r.output.find("320 of 320 packets"), std::string::npos) << r.output;
}

// Replies that are split off wait for a buffer while others to the same terminal go on.
TEST(hypercube_runs, combining_promises_no_order_of_replies) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << R"(
name: pair
topology: {kind: hypercube, dimension: 2}
switch: {kind: message_node, combining: {}}
endpoint: {replies: true}
traffic: [{pattern: hotspot, targets: [0], fraction: 0.3, rate: 0.01, cycles: 20000}]
)";
  const process_result r =
      run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder / "e.yaml").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
}

// What has passed a node it knows nothing of, so that requests without a reply are many more than its
// records.
TEST(hypercube_runs, a_combining_node_holds_its_records_and_no_more) {
  for (const char* order : {"e_cube", "shortest_paths"}) {
    const outcome o = run_cube("hypercube-hotspot", std::string("--set routing.kind=") + order +
                                                        " --set 'switch.combining={wait_buffer: 4}' --set "
                                                        "traffic.0.fraction=0.25 --set traffic.0.lambda=1.5");
    EXPECT_EQ(o.status, 0) << o.output;
    EXPECT_EQ(o.result.at("violations"), 0);
    EXPECT_EQ(o.counter("combining.most_records"), 4);
    EXPECT_GT(o.counter("combining.merged"), 1000);
    EXPECT_GT(o.counter("combining.refused"), 1000);
  }
}

TEST(hypercube_runs, combining_is_refused_where_a_way_does_not_fit_or_lead_back) {
  const auto check = [](const std::string& settings) {
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " check '" + file_of("hypercube-hotspot") +
                    "' --set 'switch.combining={}' --set " + settings);
    EXPECT_EQ(r.status, 2) << r.output;
    return r.output;
  };
  EXPECT_NE(check("endpoint.replies=false").find("combining needs replies"), std::string::npos);
  EXPECT_NE(check("'stages=[{kind: ecn}]'").find("for the ways of requests: expected none"),
            std::string::npos);
  EXPECT_NE(check("'topology={kind: hierarchical_hypercube, dimension: 10, cluster: 5}' --set "
                  "traffic.0.cluster=32")
                .find("ways of up to 11 links, with 10 ports to other nodes"),
            std::string::npos);
  EXPECT_NE(check("'topology={kind: butterfly, radix: 2, stages: 3}' --set 'routing={kind: auto}' --set "
                  "traffic.0.cluster=2")
                .find("links that go both ways, between the same ports of switch_0 and switch_4"),
            std::string::npos);
}

TEST(hypercube_runs, the_written_experiment_runs_again) {
  const scratch_folder folder;
  const std::string out = (folder / "out").string(), command = std::string(SPILLWAY_COMMAND) + " run '";
  ASSERT_EQ(run_process(command + file_of("hypercube-bounded") + "' --out '" + out + "'").status, 0);
  const process_result again = run_process(command + out + "/config.yaml' --out '" + out + "2'");
  EXPECT_EQ(again.status, 0) << again.output;
}

TEST(hypercube_runs, wrong_settings_are_refused) {
  for (const char* const wrong :
       {"traffic.0.cluster=7", "traffic.0.local=0.95", "packet.length=2", "switch.unit=128"}) {
    const outcome o = run_cube("hypercube-hotspot", std::string("--set ") + wrong);
    EXPECT_EQ(o.status, 2) << wrong;
    EXPECT_NE(o.output.find("found"), std::string::npos) << o.output;
  }
  const outcome deadlock = run_cube("hypercube-bounded", "--set switch.classes=none");
  EXPECT_EQ(deadlock.status, 2);
  EXPECT_NE(deadlock.output.find("this routing can deadlock"), std::string::npos) << deadlock.output;
}

// Which buffer a message may take depends on its way so far: a certificate has orders of buffers alone.
TEST(hypercube_runs, no_certificate_is_written_of_classes_of_buffers_or_of_buffers_without_a_bound) {
  const scratch_folder folder;
  for (const auto& [experiment, message] :
       {std::pair{"hypercube-bounded", "no certificate is written of buffers that are ordered by hops"},
        {"hypercube-hotspot", "nothing waits for room in this network: there is nothing to certify"}}) {
    const process_result r = run_process(std::string(SPILLWAY_COMMAND) + " check '" + file_of(experiment) +
                                         "' --certificate '" + (folder / "c").string() + "'");
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.output.find(message), std::string::npos) << r.output;
    EXPECT_FALSE(std::filesystem::exists(folder / "c"));
  }
}

TEST(hypercube_runs, a_reset_loses_nothing_unseen) {
  const outcome o = run_cube("hypercube-bounded", "--set resets='[{cycle: 5000, length: 3}]'");
  EXPECT_EQ(o.status, 0) << o.output;
  EXPECT_EQ(o.result.at("lost"), 0);
  EXPECT_GT(o.result.at("reset_dropped"), 0);
}

}  // namespace
