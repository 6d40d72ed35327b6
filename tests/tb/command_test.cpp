// Wrong input, as a user would give it: one message with its place, exit status 2, nothing left behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "support/command_input.hpp"
#include "support/process.hpp"

namespace {

TEST_F(input, unknown_key_names_the_nearest) {
  expect_wrong(run(with(small, "rate", "raet")), "e.yaml:5:", "rate");
}
TEST_F(input, wrong_type) {
  expect_wrong(run(with(small, "stages: 3", "stages: three")), "e.yaml:2:", "three");
}
TEST_F(input, out_of_range) { expect_wrong(run(with(small, "rate: 0.2", "rate: 1.5")), "e.yaml:5:", "1.5"); }
TEST_F(input, override_is_checked_as_well) {
  expect_wrong(run(small, "--set traffic.0.rate=2"), "--set", "2");
}
TEST_F(input, queue_below_a_packet) {
  for (const char* kind : {"packet", "packet, buffering: shared", "wormhole, switching: cut_through"})
    for (const char* what : {"run", "check"}) {
      SCOPED_TRACE(kind);
      const std::string text =
          with(small, "{kind: packet}", "{depth: 4, kind: " + std::string(kind) + "}\npacket: {length: 5}");
      expect_wrong(run_process(command + ' ' + what + " '" + write(text) + "'"),
                   "e.yaml:3:9: switch: ", "must hold a whole packet");
    }
}
TEST_F(input, more_channels_than_a_link_has_lanes) {
  const auto channels = [this](const std::string& number) {
    const std::string text = with(small, "kind: packet", "kind: wormhole, virtual_channels: " + number);
    return run_process(command + " check '" + write(text + "interface: {kind: nifdy, networks: 2}\n") + "'");
  };
  EXPECT_EQ(channels("32").status, 0);
  expect_wrong(channels("33"), "e.yaml:3:",
               "a link has at most 64 virtual channels over all networks, found 2 networks with 33");
  expect_wrong(channels("65"), "e.yaml:3:", "expected 1..64, found 65");
}
TEST_F(input, unreadable_file) {
  const process_result r = run_process(command + " run '" + (folder / "none.yaml").string() + "'");
  expect_wrong(r, "none.yaml", "");
}
TEST_F(input, duplicate_key) { expect_wrong(run(std::string(small) + "name: again\n"), "e.yaml:6:", "name"); }
TEST_F(input, nothing_to_send) {
  expect_wrong(run("name: a\ntopology: {kind: omega, stages: 3}\n"), "e.yaml:1:", "nothing to send");
}
TEST_F(input, merge_key) {
  expect_wrong(run(with(small, "{kind: packet}", "{<<: {a: 1}, kind: packet}")), "e.yaml:3:", "<<");
}
TEST_F(input, alias_bomb) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += last + (k < 9 ? "," : "]\n");
  }
  expect_wrong(run(bomb + small), "e.yaml", "");
}
TEST_F(input, a_size_beyond_memory_is_refused_before_it_is_taken) {
  expect_wrong(run(with(small, "stages: 3", "stages: 40")), "e.yaml:2:", "memory");
  const std::string wide = with(small, "stages: 3", "stages: 13");
  for (const std::string& text :
       {with(wide, "kind: packet", "kind: packet, depth: 16384"),
        with(wide, "kind: packet", "kind: wormhole, depth: 4096, virtual_channels: 16"),
        with(wide, "kind: packet", "kind: dampening, assignment: counting, buffers: 65534") +
            "interface: {kind: embargo}\n"})
    expect_wrong(run_process(command + " check '" + write(text) + "'"),
                 "e.yaml:3:", "the network and its buffers need about");
  expect_wrong(
      run(with(small, "rate: 0.2, cycles: 200", "injection: batch, batch: {count: 4000000000, share: 0.5}")),
      "e.yaml:5:", "expected at most 67108864 batches of 4 senders");
  expect_wrong(run_process(command + " check '" + SPILLWAY_EXPERIMENTS +
                           "/nifdy-em3d.yaml' --set workload.n_nodes=1000000 workload.d_nodes=10000"),
               "workload", "n_nodes x d_nodes is at most");
}
TEST_F(input, entry_that_never_ends) {
  expect_wrong(run(with(small, ", cycles: 200", "")), "e.yaml:5:", "never ends");
}
TEST_F(input, terminal_that_is_not_there) {
  expect_wrong(run(with(small, "pattern: uniform", "pattern: hotspot, targets: [8], fraction: 0.1")),
               "e.yaml:5:", "expected a terminal 0..7, found 8");
}
TEST_F(input, more_stopped_terminals_than_there_are) {
  expect_wrong(run(small, "--set endpoint.stopped=9"), "endpoint.stopped", "expected at most 8 terminals");
  EXPECT_EQ(run(small, "--set endpoint.stopped=8").status, 0);
}
TEST_F(input, a_word_for_targets_that_is_none) {
  expect_wrong(run(with(small, "pattern: uniform", "pattern: hotspot, targets: stoped, fraction: 1")),
               "e.yaml:5:", "or 'stopped'");
}
TEST_F(input, nowhere_left_to_send_to) {
  expect_wrong(run(with(small, "pattern: uniform", "pattern: uniform, spare_stopped: true"),
                   "--set endpoint.stopped=7"),
               "e.yaml:5:", "nowhere is left");
}

TEST_F(input, nowhere_left_to_send_to_but_spared_terminals) {
  expect_wrong(run(with(small, "pattern: uniform", "pattern: uniform, spare: [0, 1, 2, 3, 4, 5, 6]")),
               "e.yaml:5:", "7 of 8 terminals are spared");
  expect_wrong(run(with(small, "pattern: uniform", "pattern: uniform, spare: [8]")),
               "e.yaml:5:", "expected a terminal 0..7, found 8");
}
TEST_F(input, messages_of_a_pattern_that_has_its_own) {
  expect_wrong(run(with(small, "pattern: uniform", "pattern: cshift, message: 2")),
               "e.yaml:5:", "the pattern says how many packets go where and when");
}

TEST_F(input, feedback_that_cannot_be) {
  const std::string text =
      with(small, "{kind: packet}", "{kind: packet, buffering: output, memory_depth: 4}");
  for (const auto& [keys, words] : std::map<std::string, std::string>{
           {"bleeding: slots, bleed: 9", "1 to 8 processors a cycle may bleed, found 9"},
           {"limit: {hot: 1, cold: 2}, set_aside: 1", "every request needs a grant"},
           {"limit: {hot: 1, cold: 2}, announce: bus", "nobody hears of hot modules"},
           {"limit: {hot: 1, cold: 2}, hot_list: 1", "nobody hears of hot modules"},
           {"threshold: 2, cool_threshold: 3",
            "1 flit or more and cool below so many or fewer, found 2 and 3"},
           {"threshold: 2, cool_threshold: 3, comparison: exceeded", "found 2 and 3"},
           {"reply_length: 5", "must hold a whole packet: it has room for 4 flits, packets have up to 5"},
           {"nifdy: {ack_length: 6}", "packets have up to 6"}})
    expect_wrong(run(text + "interface: {kind: feedback, " + keys + "}\n"), "e.yaml:", words);
  expect_wrong(run(text + "interface: {kind: feedback, replies: false}\nstages: [{kind: nifdy}]\n"),
               "e.yaml:7:9: stages: ", "looks at the queues before the memories: expected no stages between");
}

TEST_F(input, keys_that_an_assignment_does_not_use) {
  const auto checked = [this](const std::string& keys) {
    return run_process(command + " check '" +
                       write(with(small, "{kind: packet}", "{kind: dampening, " + keys + "}") +
                             "interface: {kind: embargo}\n") +
                       "'");
  };
  for (const std::string kind : {"unrestricted", "unique", "binary_digits", "discovered"}) {
    const std::string right = "assignment: " + kind + ", buffers: 8";
    EXPECT_EQ(checked(right).status, 0) << kind;
    expect_wrong(checked(right + ", j: 2"),
                 "e.yaml:3:9: switch: ", "assignment '" + kind + "' does not use the key 'j'");
  }
  for (const std::string kind : {"p_buffer", "square_root"}) {
    EXPECT_EQ(checked("assignment: " + kind).status, 0) << kind;
    expect_wrong(checked("assignment: " + kind + ", buffers: 8"),
                 "e.yaml:3:9: switch: ", "assignment '" + kind + "' does not use the key 'buffers'");
  }
  for (const char* right : {"unique, buffers: 8", "perfect, buffers: 8, j: 2", "tuples, buffers: 8, j: 2"})
    EXPECT_EQ(checked(std::string("hash: per_switch, assignment: ") + right).status, 0) << right;
  for (const char* wrong : {"p_buffer", "square_root", "unrestricted, buffers: 8", "counting, buffers: 8",
                            "modified_counting, buffers: 8, j: 2", "discovered, buffers: 8"})
    expect_wrong(checked(std::string("hash: per_switch, assignment: ") + wrong),
                 "e.yaml:3:9: switch: ", "draws no buffers and has no `hash: per_switch`");
}

TEST_F(input, a_pace_of_terminals_whose_processors_have_their_own) {
  for (const char* pace : {"accept_interval=2", "queue=1"})
    expect_wrong(run_process(command + " check '" + SPILLWAY_EXPERIMENTS +
                             "/nifdy-heavy.yaml' --set endpoint." + pace),
                 "nifdy-heavy.yaml:10:3: interface: ", "at its own pace");
}

TEST_F(input, locality_traffic_offers_messages_whatever_their_length) {
  const std::string text =
      "name: a\ntopology: {kind: crossbar, terminals: 4}\nswitch: {kind: packet, depth: 8}\n"
      "traffic: [{pattern: locality, lambda: 1, unit: 10, cluster: 2, cycles: 20000";
  for (const char* more : {"}]\n", ", length: 4}]\n", ", message: 3}]\n", ", injection: burst}]\n"}) {
    ASSERT_EQ(run(text + more, "--out '" + (folder / "o").string() + "'").status, 0) << more;
    const auto result = nlohmann::json::parse(read_text(folder / "o/result.json"));
    // 8,000 messages; of bursts of 16 some 500.
    const double each = std::string(more).find("message") == std::string::npos ? 1 : 3;
    EXPECT_NEAR(result.at("created").get<double>() / each, 8000,
                std::string(more).find("burst") == std::string::npos ? 400 : 1600)
        << more;
  }
  for (const char* more : {"}]\n", ", injection: burst}]\n"})
    expect_wrong(
        run_process(command + " check '" + write(with(text, "lambda: 1,", "lambda: 11,") + more) + "'"),
        "e.yaml:4:", "makes at most one packet a cycle and terminal, found 1.1");
  EXPECT_EQ(run(with(text, "lambda: 1,", "lambda: 11,") + ", injection: exponential}]\n").status, 0);
}

TEST_F(input, jobs_within_jobs_end_once) {
  const std::string text =
      "name: a\ntopology: {kind: crossbar, terminals: 8}\nswitch: {kind: packet, depth: 8}\n"
      "packet: {length: 4}\n"
      "workload:\n  kind: jobs\n  jobs:\n    - name: a\n      count: 8\n      workload:\n"
      "        kind: jobs\n        jobs:\n"
      "          - {name: x, count: 4, workload: {kind: cshift, words: 20}}\n"
      "          - {name: y, terminals: [4, 5, 6, 7], workload: {kind: cshift, words: 30}}\n";
  ASSERT_EQ(run(text, "--out '" + (folder / "o").string() + "'").status, 0);
  const auto result = nlohmann::json::parse(read_text(folder / "o/result.json"));
  std::multiset<std::string> ends;
  for (const auto& n : result.at("compared")) ends.insert(n.at("counter"));
  for (const char* once : {"job.a.end", "job.a.job.x.end", "job.a.job.y.end"}) {
    EXPECT_EQ(ends.count(once), 1u) << once;
    EXPECT_GT(result.at("counters").at(once), 0) << once;
  }
  EXPECT_EQ(result.at("counters").at("job.a.end"), std::max(result.at("counters").at("job.a.job.x.end"),
                                                            result.at("counters").at("job.a.job.y.end")));
}

TEST_F(input, traces_without_packets_or_with_another_first_column) {
  const std::string text =
      with(small, "{pattern: uniform, rate: 0.2, cycles: 200}", "{pattern: trace, file: t.csv}");
  ASSERT_NE(text, small);
  for (const char* lines : {"", "cycle,source,destination,size\n", "# none\n"}) {
    studies::write("t.csv", lines);
    expect_wrong(run_process(command + " check '" + write(text) + "'"),
                 "traffic.0.file: ", "found no packets, expected lines cycle,source,destination,size");
  }
  studies::write("t.csv", "cycles,source,destination,size\n1,0,1,1\n");
  expect_wrong(run_process(command + " check '" + write(text) + "'"), "t.csv:1:1: ", "found 'cycles'");
}

TEST_F(input, negative_offset_of_a_shift) {
  const std::string text =
      "name: a\ntopology: {kind: ring, terminals: 6, bidirectional: false}\n"
      "checks: {deadlock: false}\ntraffic: [{pattern: shift, offset: -7, messages: 1}]\n";
  ASSERT_EQ(run(text, "--deliveries --out '" + (folder / "o").string() + "'").status, 0);
  std::istringstream lines(read_text(folder / "o" / "deliveries.csv"));
  std::string line;
  std::getline(lines, line);
  unsigned found = 0;
  for (; std::getline(lines, line); ++found) {
    unsigned cycle = 0, source = 0, destination = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%u,%u,%u", &cycle, &source, &destination), 3);
    EXPECT_EQ(destination, (source + 5) % 6) << line;
  }
  EXPECT_EQ(found, 6u);
}

TEST_F(input, combining_that_cannot_be) {
  const auto expect_refused = [this](const char* experiment, const std::string& settings,
                                     const std::string& words) {
    const process_result r = run_process(command + " check '" + SPILLWAY_EXPERIMENTS + "/" + experiment +
                                         ".yaml' --set " + settings);
    expect_wrong(r, settings.substr(0, settings.find('.')), words);
  };
  expect_refused("combining-omega", "packet.length=2", "messages of one flit, found packets of 2");
  expect_refused("hypercube-combining", "packet.length=3", "one flit, found packets of 3");
  expect_refused("combining-omega", "switch.depth=0", "expected 1..65536, found 0");
  expect_refused("combining-software", "software.root=64", "a terminal 0..63, found 64");
  expect_refused("combining-software", "software.fan_in=0", "1..1048576, found 0");
  expect_refused("hypercube-software", "software.cluster=7", "0..6 dimensions, found 7");
  expect_refused("combining-software", "software.tree=cube topology.radix=3 topology.stages=3",
                 "a power of two up to 2^20 terminals, found 27");
  const std::string clusters = "software.tree=cube topology.kind=hierarchical_hypercube topology.cluster=";
  for (const char* other : {"2 'topology.levels=[2, 2]'", "3 'topology.sizes=[8, 8, 4, 4, 2, 2, 2, 2]'"})
    expect_refused("hypercube-software", clusters + other, "two levels and clusters of one size");
  expect_refused("combining-barrier", "software.think=-1", "at least 0, found -1");
  expect_wrong(run(with(small, "kind: packet", "kind: combining")), "e.yaml:1:", "interface: {kind: memory}");
}

TEST_F(input, port_bound_twice) {
  std::ofstream(folder / "g.txt") << "t0 -> s0:0\nt1 -> s0:0\ns0 -> t0\ns0 -> t1\n";
  expect_wrong(run(with(small, "{kind: butterfly, radix: 2, stages: 3}", "{kind: file, path: g.txt}")),
               "g.txt:2:", "");
}
TEST_F(input, disconnected_graph) {
  std::ofstream(folder / "g.txt") << "t0 -- s0\nt1 -- s0\nt2 -- s1\nt3 -- s1\n";
  const process_result r =
      run(with(small, "{kind: butterfly, radix: 2, stages: 3}", "{kind: file, path: g.txt}"));
  expect_wrong(r, "", "reach");
}
TEST_F(input, routing_that_deadlocks) {
  const process_result r = run(with(small, "{kind: butterfly, radix: 2, stages: 3}",
                                    "{kind: ring, terminals: 6, bidirectional: false}"));
  expect_wrong(r, "", "deadlock");
  EXPECT_NE(r.output.find("->"), std::string::npos) << "the cycle is printed: " << r.output;
}
TEST_F(input, deadlock_is_found_when_it_is_asked_for) {
  const std::string ring = with(small, "{kind: butterfly, radix: 2, stages: 3}",
                                "{kind: ring, terminals: 6, bidirectional: false}");
  const process_result r = run(with(ring, "rate: 0.2, cycles: 200", "injection: saturated, cycles: 3000"),
                               "--set checks.deadlock=false --set checks.watchdog=500 --set switch.depth=1");
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_NE(r.output.find("deadlock"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("is blocked"), std::string::npos) << r.output;
}

TEST_F(input, deadlock_is_found_although_a_terminal_pauses_meanwhile) {
  const std::string ring = with(small, "{kind: butterfly, radix: 2, stages: 3}",
                                "{kind: ring, terminals: 6, bidirectional: false}");
  const process_result r = run(with(ring, "rate: 0.2, cycles: 200", "injection: saturated, cycles: 3000") +
                                   "endpoint: {pauses: [{terminals: [0], from: 500, until: 1000}]}\n",
                               "--set checks.deadlock=false --set checks.watchdog=500 --set switch.depth=1");
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_NE(r.output.find("deadlock"), std::string::npos) << r.output;
}
TEST_F(input, circuits_that_back_off_for_longer_than_the_watchdog_waits_are_no_deadlock) {
  const process_result r =
      run("name: backs-off\n"
          "topology: {kind: fat_tree, terminals: 16}\n"
          "switch: {kind: circuit}\n"
          "interface: {kind: circuit, retry: exponential, unit: 4000}\n"
          "traffic:\n"
          "  - {pattern: hotspot, targets: [3], fraction: 1, injection: saturated, messages: 2}\n"
          "measure: {interval: 50, limit: 10000000}\n"
          "checks: {watchdog: 200}\n");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(r.output.find("deadlock"), std::string::npos) << r.output;
}
/// Each is over in due time, but nothing moves for longer than the watchdog is told to wait.
constexpr const char* slow[] = {
    "{kind: ring, terminals: 4, bidirectional: false}\nswitch: {kind: wormhole, virtual_channels: 2}\n"
    "link: {latency: 1024}\n",
    "{kind: fat_tree, terminals: 16}\nswitch: {kind: circuit}\ninterface: {kind: circuit}\n"
    "packet: {length: 2000}\n",
    "{kind: fat_tree, terminals: 16}\nswitch: {kind: circuit}\ninterface: {kind: circuit}\n"
    "packet: {length: 2000}\nlevel: transaction\n",
    "{kind: crossbar, terminals: 4}\nendpoint: {accept_interval: 2000}\n",
    "{kind: crossbar, terminals: 4}\ninterface: {kind: nifdy, processor: {send: 2000}}\n",
    "{kind: crossbar, terminals: 4}\ninterface: {kind: nifdy, loss: 0.5, timeout: 2000}\n",
    // A message takes two thousand cycles a link on average, and often twice or three times as many.
    "{kind: hypercube, dimension: 3}\n"
    "switch: {kind: message_node, unit: 200, cluster_rate: 0.1, other_rate: 0.1}\n"};

TEST_F(input, what_waits_by_itself_for_longer_than_the_watchdog_waits_is_no_deadlock) {
  for (const char* network : slow) {
    const process_result r =
        run("name: slow\ntopology: " + std::string(network) +
            "traffic: [{pattern: shift, messages: 2, rate: 1}]\nchecks: {watchdog: 100}\n");
    EXPECT_EQ(r.status, 0) << network << r.output;
  }
}

// The packet enters, and arrives two hundred cycles later.
TEST_F(input, a_long_way_through_switches_is_no_deadlock) {
  const process_result r =
      run("name: far\ntopology: {kind: ring, terminals: 200, bidirectional: false}\n"
          "switch: {kind: wormhole, virtual_channels: 2, depth: 2}\n"
          "traffic: [{pattern: shift, offset: 199, messages: 1, rate: 1, terminals: [0]}]\n"
          "measure: {interval: 10}\nchecks: {watchdog: 30}\n");
  EXPECT_EQ(r.status, 0) << r.output;
}

TEST_F(input, two_that_write_one_file) {
  const std::string measures = "measures: [{kind: record, file: a.csv}, {kind: record, file: ./a.csv}]\n";
  expect_wrong(run(small + measures), "e.yaml:6:62: measures.1.file",
               "found './a.csv', which measures.0.file writes as well");
}

TEST_F(input, cycles_of_a_trace_do_not_wrap_around) {
  std::ofstream(folder / "t.csv") << "cycle,source,destination,size\n18446744073709551610,0,1,1\n";
  const process_result r =
      run("name: late\ntopology: {kind: omega, stages: 3}\n"
          "traffic: [{pattern: trace, file: t.csv, start: 100}]\nmeasure: {limit: 1000}\n");
  EXPECT_NE(r.output.find("late: limit after 1000 cycles"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("0 of 0 packets delivered"), std::string::npos) << r.output;
}

TEST_F(input, packets_that_wait_at_their_sources_are_told_of) {
  const process_result r =
      run("name: full\ntopology: {kind: crossbar, terminals: 2}\nendpoint: {stopped: [0, 1]}\n"
          "switch: {kind: packet, depth: 1}\ntraffic: [{pattern: shift, messages: 5}]\n");
  EXPECT_NE(r.output.find(" 0 of 2 packets delivered; 8 more have not entered the network\n"),
            std::string::npos)
      << r.output;
}

TEST_F(input, what_takes_long_is_told_on_a_terminal_and_nowhere_else) {
  const std::string large = with(with(small, "stages: 3", "stages: 10"), "cycles: 200", "cycles: 5");
  const std::string file = "'" + write(large) + "'";
  const auto on_terminal = [](const std::string& what) {
    return run_process("script -qec \"" + what + "\" /dev/null </dev/null").output;
  };
  const std::string run_there = on_terminal(command + " run " + file + " -q");
  EXPECT_NE(run_there.find("\rchecking the network\033[K"), std::string::npos) << run_there;
  EXPECT_NE(run_there.find("\rmaking the network\033[K"), std::string::npos) << run_there;
  EXPECT_EQ(run_there.substr(run_there.size() - 4), "\r\033[K") << "nothing is left of it";
  const std::string checked = on_terminal(command + " check " + file);
  EXPECT_NE(checked.find("\rchecking the network\033[K\r\033[K"), std::string::npos) << checked;
  EXPECT_EQ(run(large, " -q").output, "");
}

TEST_F(input, a_word_on_switches_that_crowd_on_the_lowest_of_several_ways) {
  const auto checked = [&](const std::string& routing, const std::string& switches,
                           const char* options = "") {
    const std::string file =
        write("name: tree\ntopology: {kind: xgft, children: [4, 4]}\nrouting: {kind: nearest_ancestor" +
              routing + "}\nswitch: " + switches + "\ntraffic: [{pattern: uniform, cycles: 9}]\n");
    return run_process(command + " check '" + file + "' " + options);
  };
  const std::string word = "e.yaml:4:9: switch: such switches take the lowest of several allowed outputs";
  for (const char* switches : {"{kind: packet}", "{kind: packet, buffering: voq}", "{kind: isolation}",
                               "{kind: destination_queues}", "{kind: flow_pause}"}) {
    const process_result crowded = checked(", up: any", switches);
    EXPECT_EQ(crowded.status, 0) << crowded.output;
    EXPECT_NE(crowded.output.find(word), std::string::npos) << crowded.output;
    EXPECT_NE(crowded.output.find("found 4 outputs of "), std::string::npos) << crowded.output;
    EXPECT_EQ(checked(", up: hashed", switches).output.find("lowest"), std::string::npos) << switches;
  }
  for (const char* switches : {"{kind: packet, buffering: damq}", "{kind: wormhole}"})
    EXPECT_EQ(checked(", up: any", switches).output.find("lowest"), std::string::npos) << switches;
  const auto facts = nlohmann::json::parse(checked(", up: any", "{kind: packet}", "--json").output);
  EXPECT_NE(facts.at("warning").get<std::string>().find(word), std::string::npos);
}
TEST_F(input, resets_that_overlap) {
  const auto second = [](const char* cycle) {
    return std::string(small) + "resets:\n  - {cycle: 10, length: 5}\n  - {cycle: " + cycle + "}\n";
  };
  for (const char* cycle : {"12", "15"})
    expect_wrong(run(second(cycle)), "e.yaml:8:", "expected a cycle after 15");
  EXPECT_EQ(run(second("16")).status, 0);
}
TEST_F(input, pauses_of_a_terminal_that_overlap) {
  const auto second = [](const std::string& terminals, const std::string& from) {
    return std::string(small) + "endpoint:\n  pauses:\n    - {terminals: [0], from: 100, until: 300}\n" +
           "    - {terminals: " + terminals + ", from: " + from + ", until: 400}\n";
  };
  for (const char* from : {"50", "200", "299"})
    expect_wrong(run(second("[1, 0]", from)),
                 "e.yaml:9:", "the pauses of terminal 0 overlap or are out of order");
  EXPECT_EQ(run(second("[0]", "300")).status, 0);
  EXPECT_EQ(run(second("[1]", "200")).status, 0);
}
TEST_F(input, pauses_of_a_terminal_that_has_stopped) {
  expect_wrong(run(std::string(small) +
                   "endpoint:\n  stopped: [1]\n  pauses:\n    - {terminals: [1], from: 100, until: 300}\n"),
               "e.yaml:9:", "terminal 1 has stopped: expected no pauses of it");
}
TEST_F(input, terminals_that_wait_where_circuits_have_no_pins) {
  const std::string circuits =
      "name: circuits\n"
      "topology: {kind: fat_tree, terminals: 8}\n"
      "switch: {kind: circuit}\n"
      "interface: {kind: circuit}\n"
      "traffic:\n"
      "  - {pattern: uniform, injection: saturated, messages: 2}\n"
      "endpoint: ";
  for (const char* waits : {"{pauses: [{terminals: [0], from: 5, until: 9}]}", "{accept_interval: 2}"}) {
    EXPECT_EQ(run(circuits + waits).status, 0) << waits;
    expect_wrong(run(circuits + waits, "--set level=transaction"),
                 "e.yaml:7:", "at the transaction level every terminal accepts a flit in every cycle");
  }
}
TEST_F(input, a_reset_in_mid_run_is_counted) {
  const process_result r = run(with(small, "rate: 0.2", "rate: 0.9") + "resets: [{cycle: 100, length: 3}]\n",
                               "--out '" + (folder / "out").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  EXPECT_GT(result["reset_dropped"], 0);
  EXPECT_EQ(result["reset_dropped_flits"], result["lost_in_reset"]);
  EXPECT_EQ(result["created"], result["delivered"].get<int>() + result["reset_dropped"].get<int>());
}
TEST_F(input, a_word_for_the_warmup_that_is_none) {
  expect_wrong(run(small, "--set measure.warmup=Auto"), "--set measure.warmup=Auto: measure.warmup: ",
               "expected a whole number or auto, found \"Auto\"");
}
TEST_F(input, warmup_that_leaves_nothing_to_measure) {
  const process_result r = run(small, "--set measure.warmup=1000000");
  EXPECT_NE(r.output.find("nothing was measured"), std::string::npos) << r.output;
  EXPECT_EQ(r.output.find("nan"), std::string::npos) << r.output;
}
TEST_F(input, list_of_no_section) {
  expect_wrong(run_process(command + " list swich"), "'swich'", "expected one of experiment, topology");
}
TEST_F(input, that_the_documents_show_deadlocks) {
  const process_result r = run_process(command + " run '" + SPILLWAY_EXPERIMENTS +
                                       "/torus-dateline.yaml' --set routing.dateline=false " +
                                       "--set checks.deadlock=false --set traffic.0.rate=0.5");
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_NE(r.output.find("deadlock"), std::string::npos) << r.output;
}
TEST_F(input, reset_of_units_with_copies_of_lost_packets_accounts_for_all) {
  const process_result r =
      run_process(command + " run '" + SPILLWAY_EXPERIMENTS + "/nifdy-mesh.yaml' --set measure.limit=1500 " +
                  "--set 'resets=[{cycle: 333, length: 3}]'");
  EXPECT_NE(r.output.find("limit after 1500 cycles"), std::string::npos) << r.output;
  EXPECT_EQ(r.output.find("held by no block"), std::string::npos) << r.output;
}

}  // namespace
