// Several programs in one network, as a user runs them: a job among others is what it is on a network of its
// own, and results are apart by job.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process.hpp"

using nlohmann::json;

namespace {

constexpr const char* crossbar =
    "switch: {kind: packet, buffering: voq, depth: 600}\n"
    "packet: {length: 16}\n"
    "measure: {interval: 10, limit: 200000}\n";
constexpr const char* processors =
    "switch: {kind: packet, buffering: voq, depth: 600}\n"
    "interface: {kind: nifdy, processor: {send: 5, receive: 7}}\n"
    "packet: {length: 6}\n"
    "measure: {interval: 10, limit: 200000}\n";

struct job_outcome {
  int status = 0;
  std::string output;
  json result;
  std::vector<std::string> deliveries;  // but for the header
  double operator[](const char* name) const { return result.at("counters").at(name); }
};

/// The lines, with terminals renumbered, in a fixed order.
std::vector<std::string> renumbered(std::vector<std::string> lines, const std::vector<int>& terminals) {
  for (std::string& line : lines) {
    std::istringstream in(line);
    std::string cycle, source, destination, rest;
    std::getline(in, cycle, ','), std::getline(in, source, ','), std::getline(in, destination, ',');
    std::getline(in, rest);
    line = cycle + ',' + std::to_string(terminals.at(std::stoul(source))) + ',' +
           std::to_string(terminals.at(std::stoul(destination))) + ',' + rest;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

class jobs : public testing::Test {
protected:
  job_outcome run(unsigned terminals, const std::string& workload, const std::string& network = crossbar,
                  const std::string& options = "") {
    std::ofstream(folder_ / "e.yaml")
        << "name: jobs\ntopology: {kind: crossbar, terminals: " << terminals << "}\n"
        << network << "workload: " << workload << "\n";
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder_ / "e.yaml").string() +
                    "' --no-report --deliveries --out '" + (folder_ / "out").string() + "' " + options);
    job_outcome o{r.status, r.output, {}, {}};
    if (r.status == 2) return o;
    o.result = json::parse(read_text(folder_ / "out" / "result.json"));
    std::istringstream lines(read_text(folder_ / "out" / "deliveries.csv"));
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) o.deliveries.push_back(line);
    return o;
  }
  const scratch_folder folder_;
};

constexpr const char* exchange = "{kind: collective, operation: all_to_all, bytes: 512, repeat: 3}";

struct program {
  const char* name;
  const char* workload;
  const char* network;
};

class any_program_as_a_job : public jobs, public testing::WithParamInterface<program> {};

}  // namespace

TEST_P(any_program_as_a_job, does_what_it_does_on_a_network_of_its_own) {
  const program& p = GetParam();
  std::ofstream(folder_ / "p.csv")
      << "cycle,source,destination,size,after\n5,0,1,3,0\n9,1,3,2,1\n20,2,0,1,0\n";
  const job_outcome alone = run(4, p.workload, p.network);
  ASSERT_EQ(alone.status, 0) << alone.output;
  ASSERT_GT(alone.deliveries.size(), 2u);
  const job_outcome job = run(
      9,
      std::string("{kind: jobs, jobs: [{name: one, terminals: [0, 3, 4, 7], workload: ") + p.workload + "}]}",
      p.network);
  ASSERT_EQ(job.status, 0) << job.output;
  EXPECT_EQ(renumbered(job.deliveries, {0, -1, -1, 1, 2, -1, -1, 3, -1}),
            renumbered(alone.deliveries, {0, 1, 2, 3}));
  EXPECT_EQ(job["job.one.packets"], alone.deliveries.size());
}

INSTANTIATE_TEST_SUITE_P(
    programs, any_program_as_a_job,
    testing::Values(program{"collective", exchange, crossbar},
                    program{
                        "experts",
                        "{kind: collective, operation: mixture_of_experts, tokens: 9, skew: 1.2, bytes: 64}",
                        crossbar},
                    program{"packets", "{kind: packets, file: p.csv}", crossbar},
                    program{"cshift", "{kind: cshift, words: 20}", processors},
                    program{"cshift_with_barriers", "{kind: cshift, words: 20, barriers: true}", processors},
                    program{"em3d",
                            "{kind: em3d, iterations: 2, n_nodes: 20, d_nodes: 3, dist_span: 2, compute: 9, "
                            "library: {placing: 11}}",
                            processors},
                    program{"scan", "{kind: scan}", processors}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_F(jobs, that_share_no_link_take_as_long_as_alone) {
  const job_outcome one =
      run(8, std::string("{kind: jobs, jobs: [{name: a, count: 4, workload: ") + exchange + "}]}");
  const job_outcome other = run(
      8,
      "{kind: jobs, jobs: [{name: b, first: 4, count: 4, workload: {kind: collective, operation: all_reduce, "
      "bytes: 4096}}]}");
  const job_outcome both =
      run(8, std::string("{kind: jobs, jobs: [{name: a, count: 4, workload: ") + exchange +
                 "}, {name: b, first: 4, count: 4, workload: {kind: collective, operation: "
                 "all_reduce, bytes: 4096}}]}");
  ASSERT_EQ(both.status, 0) << both.output;
  for (const char* name : {"job.a.goal.completion", "job.a.goal.messages", "job.a.end", "job.a.packets"})
    EXPECT_EQ(both[name], one[name]) << name;
  for (const char* name : {"job.b.goal.completion", "job.b.goal.messages", "job.b.latency.p99"})
    EXPECT_EQ(both[name], other[name]) << name;
  EXPECT_EQ(both["job.a.packets"] + both["job.b.packets"], both.deliveries.size());
  // From when they are made, as for all packets, and these wait for their terminal's link.
  const double latency = one.result["latency"]["mean"];
  EXPECT_NEAR(one["job.a.latency.mean"], latency, 1e-9 * latency);
  EXPECT_GT(latency, one.result["network_latency"]["mean"].get<double>());
}

TEST_F(jobs, may_have_digits_in_their_names_which_pictures_take_over) {
  std::ofstream(folder_ / "e.yaml")
      << "name: numbered\ntopology: {kind: butterfly, radix: 2, stages: 3}\n"
         "workload:\n  kind: jobs\n  jobs:\n"
         "    - {name: solver1, count: 4, workload: {kind: collective, operation: all_to_all, bytes: 64}}\n"
         "    - {name: shift2, count: 4, first: 4, workload: {kind: collective, operation: barrier}}\n"
         "measure: {interval: 50}\n";
  const process_result r = run_process("cd '" + folder_.path().string() + "' && " + SPILLWAY_COMMAND +
                                       " run e.yaml --out out && " + SPILLWAY_COMMAND + " plot out");
  EXPECT_EQ(r.status, 0) << r.output;
}

TEST_F(jobs, are_compared_by_numbers_of_their_own) {
  const job_outcome o =
      run(8, std::string("{kind: jobs, jobs: [{name: a, count: 4, workload: ") + exchange +
                 "}, {name: b, first: 4, count: 4, workload: {kind: collective, operation: all_reduce, "
                 "bytes: 4096}}]}");
  ASSERT_EQ(o.status, 0) << o.output;
  std::map<std::string, std::string> labels;
  for (const json& n : o.result.at("compared")) {
    EXPECT_TRUE(o.result.at("counters").contains(n.at("counter"))) << n;
    labels[n.at("counter")] = n.at("label");
  }
  EXPECT_EQ(labels["job.a.end"], "cycles to the end of a");
  EXPECT_EQ(labels["job.b.end"], "cycles to the end of b");
  EXPECT_EQ(labels["job.a.goal.step.mean"], "a: cycles a step, mean");
  EXPECT_EQ(labels["job.b.goal.step.mean"], "b: cycles a step, mean");
}

TEST_F(jobs, that_share_links_hold_each_other_up) {
  const char* const mesh =
      "switch: {kind: wormhole, depth: 4}\npacket: {length: 4}\nmeasure: {interval: 10}\n";
  const std::string list =
      std::string("{kind: jobs, jobs: [{name: a, count: 8, every: 2, workload: ") + exchange + "}";
  const std::string topology = "--set 'topology={kind: mesh, dimensions: [4, 4]}'";
  const job_outcome one = run(16, list + "]}", mesh, topology);
  const job_outcome both = run(16,
                               list +
                                   ", {name: b, first: 1, count: 8, every: 2, workload: {kind: collective, "
                                   "operation: all_to_all, bytes: 2048}}]}",
                               mesh, topology);
  ASSERT_EQ(both.status, 0) << both.output;
  EXPECT_GT(both["job.a.goal.completion"], 1.1 * one["job.a.goal.completion"]);
}

TEST_F(jobs, of_a_kind_do_not_draw_alike_but_each_as_it_does_alone) {
  const std::string experts =
      "workload: {kind: collective, operation: mixture_of_experts, tokens: 20, skew: 1, bytes: 64}}";
  const std::string a = "{name: a, count: 4, " + experts, b = "{name: b, first: 4, count: 4, " + experts;
  const job_outcome both = run(8, "{kind: jobs, jobs: [" + a + ", " + b + "]}");
  const job_outcome one = run(8, "{kind: jobs, jobs: [" + b + "]}");
  EXPECT_NE(both["job.a.goal.completion"], both["job.b.goal.completion"]);
  EXPECT_EQ(both["job.b.goal.completion"], one["job.b.goal.completion"]);
}

TEST_F(jobs, that_wait_for_ever_are_named_when_the_others_are_over) {
  std::ofstream(folder_ / "t.goal") << "num_ranks 2\nrank 0 {\n}\nrank 1 {\nrecv 1b from 0\n}\n";
  const job_outcome o =
      run(8, std::string("{kind: jobs, jobs: [{name: good, count: 4, workload: ") + exchange +
                 "}, {name: bad, first: 4, count: 2, workload: {kind: goal, file: t.goal}}]}");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.result.at("status"), "stuck");
  EXPECT_LT(o.result.at("cycles"), 5000);  // it does not wait for the limit
  EXPECT_NE(o.output.find("job bad: rank 1 waits at"), std::string::npos) << o.output;
  EXPECT_EQ(o["job.good.goal.finished"], 4);
}

// Whatever a rank waits for then: packets under way, or what its host has not heard of yet.
TEST_F(jobs, that_the_measured_part_cuts_off_are_not_stuck) {
  for (unsigned cycles = 1; cycles < 70; cycles += 3)
    for (const char* const list :
         {"{kind: collective, operation: all_reduce, bytes: 256}",
          "{kind: jobs, jobs: [{name: a, count: 4, workload: {kind: collective, operation: all_to_all, "
          "bytes: "
          "64}}, {name: b, first: 4, count: 4, workload: {kind: collective, operation: all_reduce, bytes: "
          "256}}]}"}) {
      const job_outcome o = run(8, list, "switch: {kind: packet, depth: 4}\n",
                                "--set 'measure={interval: 1, cycles: " + std::to_string(cycles) + "}'");
      ASSERT_EQ(o.result.at("status"), "ok") << cycles << ' ' << o.output;
      ASSERT_EQ(o.status, 0);
    }
}

TEST_F(jobs, that_the_limit_cuts_off_are_not_stuck) {
  for (unsigned cycles = 1; cycles < 45; ++cycles) {
    const job_outcome o =
        run(4, "{kind: collective, operation: all_reduce, bytes: 256}", "switch: {kind: packet, depth: 4}\n",
            "--set 'measure={interval: 1, limit: " + std::to_string(cycles) + "}'");
    ASSERT_EQ(o.result.at("status"), "limit") << cycles << ' ' << o.output;
  }
}

// Another job's packets move all the time.
TEST_F(jobs, that_wait_for_ever_are_told_when_the_measured_part_is_over) {
  std::ofstream(folder_ / "t.goal") << "num_ranks 2\nrank 0 {\n}\nrank 1 {\nrecv 1b from 0\n}\n";
  const job_outcome o = run(
      8,
      "{kind: jobs, jobs: [{name: good, count: 4, workload: {kind: collective, operation: all_to_all, bytes: "
      "512, repeat: 30}}, {name: bad, first: 4, count: 2, workload: {kind: goal, file: t.goal}}]}",
      crossbar, "--set measure.cycles=300");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.result.at("status"), "stuck");
  EXPECT_NE(o.output.find("job bad: rank 1 waits at"), std::string::npos) << o.output;
  EXPECT_LT(o["job.good.goal.finished"], 4);
}

TEST_F(jobs, that_end_at_the_limit_with_packets_under_way_are_not_stuck) {
  const job_outcome o =
      run(4,
          "{kind: jobs, jobs: [{name: a, terminals: [0, 1], workload: {kind: collective, operation: "
          "all_to_all, bytes: 16, repeat: 3}}]}",
          std::string(crossbar) + "link: {latency: 40}\n", "--set measure.limit=60");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.result.at("status"), "limit");
  EXPECT_NE(o.output.find("stopped at cycle 60 with 2 packets outstanding"), std::string::npos) << o.output;
  EXPECT_EQ(o.output.find("waits at"), std::string::npos) << o.output;
}

TEST_F(jobs, may_have_traffic_beside_them_on_terminals_of_none) {
  const std::string list =
      std::string("{kind: jobs, jobs: [{name: a, count: 4, workload: ") + exchange + "}]}";
  const job_outcome alone = run(8, list);
  const job_outcome beside =
      run(8, list, crossbar, "--set 'traffic=[{pattern: all_to_one, target: 0, rate: 0.5, messages: 50}]'");
  ASSERT_EQ(beside.status, 0) << beside.output;
  EXPECT_EQ(beside["job.a.packets"], alone["job.a.packets"]);
  EXPECT_EQ(beside.deliveries.size(), alone.deliveries.size() + 4 * 50);
  EXPECT_GT(beside["job.a.goal.completion"], alone["job.a.goal.completion"]);
}

TEST_F(jobs, that_do_not_fit_are_refused_where_they_stand) {
  const auto says = [&](const std::string& list, const std::string& message, const char* network = crossbar,
                        const std::string& options = "") {
    const job_outcome o = run(8, "{kind: jobs, jobs: [" + list + "]}", network, options);
    EXPECT_EQ(o.status, 2) << list;
    EXPECT_NE(o.output.find(message), std::string::npos) << o.output;
  };
  const std::string work = std::string(", workload: ") + exchange + "}";
  says("{name: a, count: 4" + work + ", {name: a, first: 4, count: 4" + work,
       "workload.jobs.1.name: a job 'a' stands above: expected another name");
  says("{name: a, count: 4" + work + ", {name: b, first: 3, count: 4" + work,
       "workload.jobs.1: terminal 3 has a job already");
  says("{name: a, terminals: [1, 2, 1]" + work, "workload.jobs.0: terminal 1 has a job already");
  says("{name: a, first: 1, count: 4, every: 3" + work, "workload.jobs.0.count: expected terminals 0..7");
  says("{name: a" + work, "workload.jobs.0: a job has terminals");
  says("{name: a, count: 2, workload: {kind: nothing}}", "e.yaml:6:");
  says("{name: a, count: 2, workload: {kind: collective, operation: all_reduce, bites: 2}}",
       "unknown key 'bites'");
  says("{name: a, count: 2, workload: {kind: goal, file: none.goal}}", "e.yaml:6:");
  says("{name: a, count: 2, workload: {kind: goal, file: none.goal}}", "workload.jobs.0.workload.file: ");
  says("{name: a, count: 2, workload: {kind: goal, file: none.goal}}",
       "none.goal: cannot be read: No such file");
  const std::string shift = ", workload: {kind: cshift, barriers: true}}";
  says("{name: a, count: 4" + shift + ", {name: b, first: 4, count: 4" + shift,
       "workload.jobs.1.workload: one job may have barriers", processors);
  const std::string endless = "{name: b, first: 4, count: 4, workload: {kind: phases}}";
  const std::string ends = "{name: a, count: 4" + work;
  for (const std::string& both : {endless + ", " + ends, ends + ", " + endless})
    says(both, "this workload never ends: expected 'measure.cycles'", processors);
  says("{name: a, count: 4" + shift, "barriers of all terminals: expected no traffic beside it", processors,
       "--set 'traffic=[{pattern: uniform, messages: 1}]'");
}
