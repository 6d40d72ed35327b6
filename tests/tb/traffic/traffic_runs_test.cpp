// The traffic section as a user writes it: every pattern with every injection, streams, mixes, files, errors,
// and patterns of a user's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/process.hpp"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::string plain = SPILLWAY_COMMAND, own = SPILLWAY_OWN_TRAFFIC;

struct sent_packet {
  std::uint64_t cycle;
  unsigned source, destination;
};

class traffic_runs : public testing::Test {
protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  /// A network of 16 terminals with that traffic.
  void write_traffic(const std::string& traffic, const std::string& more = "") {
    write("e.yaml", "name: e\ntopology: {kind: omega, stages: 4}\nswitch: {kind: packet, depth: 16}\n" +
                        more + "traffic:\n" + traffic);
  }
  process_result call(const std::string& what, const std::string& more = "", const std::string& by = plain) {
    return run_process("cd '" + folder.path().string() + "' && " + by + ' ' + what + " e.yaml " + more);
  }
  /// Runs it; its packets in the order of the log.
  std::vector<sent_packet> deliveries(const std::string& by = plain, const std::string& more = "") {
    const process_result r = call("run", "--no-report --deliveries --out out " + more, by);
    EXPECT_EQ(r.status, 0) << r.output;
    std::ifstream log(folder / "out/deliveries.csv");
    std::vector<sent_packet> all;
    std::string line;
    for (std::getline(log, line); std::getline(log, line);) {
      std::replace(line.begin(), line.end(), ',', ' ');
      sent_packet p{};
      std::istringstream(line) >> p.cycle >> p.source >> p.destination;
      all.push_back(p);
    }
    return all;
  }
  json result() { return json::parse(read_text(folder / "out/result.json")); }
  std::string error(const std::string& traffic, const std::string& by = plain) {
    write_traffic(traffic);
    const process_result r = call("check", "", by);
    EXPECT_EQ(r.status, 2) << traffic << r.output;
    return r.output;
  }
  scratch_folder folder;
};

TEST_F(traffic_runs, every_pattern_with_every_injection) {
  write("t.csv", "cycle,source,destination,size\n0,1,2,1\n7,3,0,2\n");
  write("m.txt", "source destination weight\n0, 1, 2\n1 0 0.5\n5,5,1\n");
  const std::map<std::string, std::string> patterns{{"uniform", ""},
                                                    {"hotspot", ", fraction: 0.3"},
                                                    {"shift", ", offset: -3"},
                                                    {"transpose", ""},
                                                    {"bit_reversal", ""},
                                                    {"bit_complement", ""},
                                                    {"tornado", ""},
                                                    {"group_shift", ", group: 4"},
                                                    {"shuffle", ""},
                                                    {"all_to_one", ""},
                                                    {"cshift", ""},
                                                    {"trace", ", file: t.csv"},
                                                    {"locality", ", lambda: 4, cluster: 4, fraction: 0.1"},
                                                    {"matrix", ", file: m.txt"}};
  const std::map<std::string, std::string> injections{{"bernoulli", ""},
                                                      {"exponential", ""},
                                                      {"blocking", ""},
                                                      {"saturated", ""},
                                                      {"burst", ", burst: {length: 3}"},
                                                      {"batch", ", batch: {count: 4, every: 9}"}};
  for (const auto& [pattern, keys] : patterns)
    for (const auto& [injection, more] : injections) {
      SCOPED_TRACE(pattern + " with " + injection);
      write_traffic("  - {pattern: " + pattern + keys + ", injection: " + injection + more +
                    ", rate: 0.2, messages: 6, length: [1, 3]}\n");
      const std::size_t sent = deliveries().size();
      EXPECT_GT(sent, 0u);
      // Those that send do so six times, but for batches and the lists of a trace.
      const json r = result();
      EXPECT_EQ(r.at("injected"), sent);
      if (pattern == "trace")
        EXPECT_EQ(sent, 2u);
      else
        EXPECT_EQ(sent % (injection == "batch" ? 4 : 6), 0u) << sent;
    }
}

TEST_F(traffic_runs, batches_of_several_streams_have_senders_of_their_own) {
  std::string entries;
  for (const char* stream : {"0", "1", "2"})
    entries += std::string("  - {pattern: all_to_one, target: ") + stream +
               ", injection: batch, batch: {share: 0.25}, stream: " + stream + "}\n";
  write_traffic(entries);
  std::map<unsigned, std::set<unsigned>> senders;  // by target
  for (const sent_packet& p : deliveries()) senders[p.destination].insert(p.source);
  ASSERT_EQ(senders.size(), 3u);
  EXPECT_NE(senders[0], senders[1]);
  EXPECT_NE(senders[1], senders[2]);
  EXPECT_NE(senders[0], senders[2]);
}

TEST_F(traffic_runs, a_tornado_goes_along_the_dimensions_of_a_grid) {
  write("e.yaml",
        "name: e\ntopology: {kind: mesh, dimensions: [5, 4]}\ntraffic: [{pattern: tornado, messages: 1}]\n");
  const std::vector<sent_packet> all = deliveries();
  ASSERT_EQ(all.size(), 20u);
  for (const sent_packet& p : all)
    EXPECT_EQ(p.destination, (p.source % 5 + 2) % 5 + 5 * ((p.source / 5 + 1) % 4)) << p.source;
}

TEST_F(traffic_runs, rates_are_those_of_flits_also_of_messages_of_several_packets) {
  for (const char* injection : {"bernoulli", "exponential"}) {
    write_traffic("  - {pattern: uniform, injection: " + std::string(injection) +
                      ", rate: 0.24, message: 3, length: 2}\n",
                  "measure: {cycles: 20000}\n");
    deliveries();
    // 13,000 messages: three standard deviations are 2.6 %.
    EXPECT_NEAR(result().at("offered_flits").get<double>(), 0.24, 0.24 * 0.026) << injection;
  }
}

TEST_F(traffic_runs, streams_run_side_by_side) {
  const std::string steady = "  - {pattern: shift, offset: 1, rate: 0.2}\n";
  const std::string burst =
      "  - {pattern: all_to_one, target: 5, stream: 1, start: 100, rate: 0.1, messages: 3, terminals: [2, "
      "9]}\n";
  const std::string measure = "measure: {cycles: 2000}\n";
  write_traffic(steady, measure);
  const auto alone = deliveries();
  write_traffic(steady + burst, measure);
  const auto both = deliveries();
  std::vector<sent_packet> extra;
  std::size_t shifted = 0;
  for (const sent_packet& p : both)
    if (p.destination == 5 && p.source != 4)
      extra.push_back(p);
    else
      shifted += p.destination == (p.source + 1) % 16;
  EXPECT_EQ(shifted + extra.size(), both.size());
  ASSERT_EQ(extra.size(), 6u) << "three of each of two terminals";
  for (const sent_packet& p : extra) {
    EXPECT_GT(p.cycle, 100u);
    EXPECT_TRUE(p.source == 2 || p.source == 9);
  }
  EXPECT_NEAR(static_cast<double>(shifted), static_cast<double>(alone.size()), 20);
  // Rates add up, and the kernels agree.
  write_traffic(
      "  - {pattern: uniform, rate: 0.1}\n  - {pattern: uniform, rate: 0.15, stream: 1, length: 3}\n",
      measure);
  const auto fast = deliveries();
  EXPECT_NEAR(result().at("throughput").get<double>(), 0.1 + 0.05, 0.01) << "packets";
  const auto text = read_text(folder / "out/deliveries.csv");
  deliveries(plain, "--kernel signals");
  EXPECT_EQ(read_text(folder / "out/deliveries.csv"), text);
}

TEST_F(traffic_runs, packets_longer_than_the_platforms_are_known_to_it) {
  write_traffic("  - {pattern: uniform, messages: 2, length: [1, 17], weights: [5, 1]}\n");
  EXPECT_THAT(call("run").output, HasSubstr("must hold a whole packet"));
}

TEST_F(traffic_runs, a_share_of_the_terminals_sends) {
  write_traffic("  - {pattern: uniform, messages: 2, terminals: 0.25}\n");
  std::map<unsigned, unsigned> sources;
  for (const sent_packet& p : deliveries()) ++sources[p.source];
  EXPECT_EQ(sources.size(), 4u);
  for (const auto& [source, sent] : sources) EXPECT_EQ(sent, 2u);
}

TEST_F(traffic_runs, a_matrix_may_be_full) {
  std::string rows;
  for (unsigned s = 0; s < 16; ++s) {
    for (unsigned d = 0; d < 16; ++d) rows += std::string(d ? " " : "") + (d == (s * 7) % 16 ? "0.5" : "0");
    rows += '\n';
  }
  write("m.txt", "# a permutation\n" + rows);
  write_traffic("  - {pattern: matrix, form: full, file: m.txt, messages: 3}\n");
  const auto all = deliveries();
  EXPECT_EQ(all.size(), 48u);
  for (const sent_packet& p : all) EXPECT_EQ(p.destination, p.source * 7 % 16);
}

TEST_F(traffic_runs, files_that_are_wrong_are_named_with_line_and_column) {
  const auto matrix = [&](const std::string& text, const std::string& form = "cells") {
    write("m.txt", text);
    return error("  - {pattern: matrix, form: " + form + ", file: m.txt, messages: 1}\n");
  };
  EXPECT_THAT(matrix("0,1,1\n0, 99, 1\n"), HasSubstr("m.txt:2:4: expected a terminal 0..15, found 99"));
  EXPECT_THAT(matrix("0,1,-2\n"), HasSubstr("m.txt:1:5: expected a weight of 0 or more, found -2"));
  EXPECT_THAT(matrix("0,1\n"), HasSubstr("m.txt:1:4: expected source, destination, weight"));
  EXPECT_THAT(matrix("0,1,x\n"), HasSubstr("m.txt:1:5: expected source, destination, weight"));
  EXPECT_THAT(matrix("0,1,2,3\n"), HasSubstr("m.txt:1:7: expected no more than"));
  EXPECT_THAT(matrix("0,1,0\n"), AllOf(HasSubstr("e.yaml:5:"), HasSubstr("some weight above 0")));
  EXPECT_THAT(matrix("1 2 3\n", "full"), HasSubstr("m.txt:1:6: expected 16 weights"));
  const std::string row = "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5";
  std::string rows;
  for (unsigned source = 0; source < 15; ++source) rows += row + '\n';
  EXPECT_THAT(matrix(rows, "full"), HasSubstr("expected 16 lines, found 15"));
  EXPECT_THAT(matrix(rows + row + '\n' + row + '\n', "full"),
              HasSubstr("m.txt:17:1: expected no more than 16 lines"));
  EXPECT_THAT(matrix(rows + row + " 6\n", "full"),
              HasSubstr("m.txt:16:33: expected no more than 16 weights"));
  EXPECT_THAT(error("  - {pattern: matrix, file: none.txt, messages: 1}\n"),
              AllOf(HasSubstr("e.yaml:5:"), HasSubstr("cannot be read")));
  const auto trace = [&](const std::string& text) {
    write("t.csv", text);
    return error("  - {pattern: trace, file: t.csv}\n");
  };
  EXPECT_THAT(trace("cycle,source,destination\n5,1,2\n4,1,2\n"),
              HasSubstr("t.csv:3:1: expected cycles in ascending order"));
  EXPECT_THAT(trace("5,1,16,1\n"), HasSubstr("t.csv:1:5: expected a terminal 0..15, found 16"));
  EXPECT_THAT(trace("5,1,1,0\n"), HasSubstr("t.csv:1:7: expected a size of 1..65535 flits, found 0"));
  EXPECT_THAT(trace("5,1\n"), HasSubstr("t.csv:1:4: expected cycle,source,destination,size"));
  EXPECT_THAT(trace("5,1,2,1,7\n"),
              HasSubstr("t.csv:1:9: expected no more than cycle,source,destination,size"));
  EXPECT_THAT(trace("5,1,2\ncycle,source,destination\n6,1,2\n"),
              HasSubstr("t.csv:2:1: expected cycle,source,destination,size"))
      << "a heading is the first line";
}

TEST_F(traffic_runs, a_trace_may_have_the_longest_packet_there_is) {
  write("t.csv", "0,1,2,65535\n");
  write_traffic("  - {pattern: trace, file: t.csv}\n");
  EXPECT_THAT(call("check").output, HasSubstr("it has room for 16 flits, packets have up to 65535"));
  write("t.csv", "0,1,2,65536\n");
  EXPECT_THAT(call("check").output, HasSubstr("t.csv:1:7: expected a size of 1..65535 flits, found 65536"));
}

TEST_F(traffic_runs, a_batch_has_a_sender_at_least) {
  for (const auto& [share, senders] : {std::pair{"0", 1u}, {"0.03", 1u}, {"0.1", 2u}, {"1", 16u}}) {
    write_traffic("  - {pattern: uniform, injection: batch, batch: {count: 3, every: 20, share: " +
                  std::string(share) + "}}\n");
    EXPECT_EQ(deliveries().size(), 3 * senders) << share;
  }
}

TEST_F(traffic_runs, batches_have_senders_of_those_that_carry_out_the_entry) {
  const auto entry = [](const std::string& batch, const std::string& terminals) {
    return "  - {pattern: uniform, injection: batch, batch: {count: 10, every: 50" + batch +
           "}, terminals: " + terminals + "}\n";
  };
  for (const auto& [batch, senders] : {std::pair{", senders: 4", 4u},
                                       {", senders: 3", 3u},
                                       {", share: 0.5", 2u},
                                       {", share: 0.1", 1u},
                                       {"", 4u}}) {
    write_traffic(entry(batch, "[2, 3, 5, 15]"));
    std::map<std::uint64_t, std::set<unsigned>> at;  // batch
    for (const sent_packet& p : deliveries()) at[p.cycle / 50].insert(p.source);
    ASSERT_EQ(at.size(), 10u) << batch;
    std::set<unsigned> all;
    for (const auto& [number, sources] : at) {
      EXPECT_EQ(sources.size(), senders) << batch;
      all.insert(sources.begin(), sources.end());
    }
    EXPECT_EQ(all, (std::set<unsigned>{2, 3, 5, 15})) << batch;
  }
  EXPECT_THAT(error(entry(", senders: 5", "[2, 3, 5, 15]")),
              HasSubstr("e.yaml:5:81: traffic.0.batch.senders: expected at most 4, the terminals that carry "
                        "out the entry, found 5"));
  write_traffic(entry("", "0"));
  EXPECT_TRUE(deliveries().empty()) << "nobody carries it out";
}

TEST_F(traffic_runs, errors_name_the_entry) {
  EXPECT_THAT(
      error("  - {pattern: uniform, messages: 1, length: [1, 2], weights: [1]}\n"),
      AllOf(HasSubstr("e.yaml:5:"), HasSubstr("weights: every length"), HasSubstr("expected 2, found 1")));
  EXPECT_THAT(error("  - {pattern: uniform, messages: 1, length: [1, 2], weights: [0, 0]}\n"),
              HasSubstr("expected some weight above 0"));
  EXPECT_THAT(error("  - {pattern: uniform, messages: 1, length: 0}\n"),
              HasSubstr("length: expected 1..65535"));
  EXPECT_THAT(error("  - {pattern: uniform, messages: 1, terminals: [16]}\n"),
              HasSubstr("terminals.0: expected a terminal 0..15, found 16"));
  EXPECT_THAT(error("  - {pattern: uniform, messages: 1, terminals: 1.5}\n"), HasSubstr("expected 0..1"));
  EXPECT_THAT(error("  - {pattern: uniform, stream: 1}\n  - {pattern: uniform, messages: 1}\n"),
              AllOf(HasSubstr("e.yaml:5:"), HasSubstr("never ends")));
  EXPECT_THAT(error("  - {pattern: uniform, stream: 1}\n  - {pattern: uniform, stream: 1, messages: 1}\n"),
              HasSubstr("the next never begins"));
  EXPECT_THAT(error("  - {pattern: uniform, messages: 1, burst: {length: 3}}\n"),
              HasSubstr("unknown key 'burst' for pattern: uniform, expected one of"));
  EXPECT_THAT(error("  - {pattern: uniform, injection: burst, messages: 1, batch: {}}\n"),
              HasSubstr("unknown key 'batch' for pattern: uniform, injection: burst"));
  EXPECT_THAT(error("  - {pattern: locality, lambda: 1, cluster: [8, 4, 3], messages: 1}\n"),
              HasSubstr("expected clusters of 16 terminals in all, found 15"));
  EXPECT_THAT(error("  - {pattern: locality, lambda: 1, cluster: 3, messages: 1}\n"),
              HasSubstr("expected a divisor of 16 terminals, found 3"));
  EXPECT_THAT(error("  - {pattern: unifrom, messages: 1}\n"), HasSubstr("did you mean 'uniform'?"));
  EXPECT_THAT(error("  - {pattern: uniform, injection: burts, messages: 1}\n"),
              HasSubstr("did you mean 'burst'?"));
}

TEST_F(traffic_runs, a_users_own_pattern_and_injection_are_as_good_as_ours) {
  write_traffic(
      "  - {pattern: neighbour, away: 2, injection: metronome, period: 7, ticks: 4}\n"
      "  - {pattern: neighbour, messages: 1}\n"
      "  - {pattern: uniform, injection: metronome, period: 3, ticks: 1}\n");
  const process_result checked = call("check", "", own);
  EXPECT_EQ(checked.status, 0) << checked.output;
  const auto all = deliveries(own);
  EXPECT_EQ(all.size(), 16u * 6);
  unsigned forth = 0, back = 0;
  for (const sent_packet& p : all) {
    forth += p.destination == (p.source + 2) % 16;
    back += p.destination == (p.source + 14) % 16;
  }
  EXPECT_GE(forth, 32u);
  EXPECT_GE(back, 32u);
  EXPECT_GT(result().at("classes").at("hot").at("delivered"), 0) << "terminal 0 is hot, the pattern says";
  const auto text = read_text(folder / "out/deliveries.csv");
  deliveries(own, "--kernel signals");
  EXPECT_EQ(read_text(folder / "out/deliveries.csv"), text);

  EXPECT_THAT(error("  - {pattern: neighbuor, messages: 1}\n", own), HasSubstr("did you mean 'neighbour'?"));
  EXPECT_THAT(error("  - {pattern: uniform, injection: metronom, period: 3}\n", own),
              HasSubstr("did you mean 'metronome'?"));
  EXPECT_THAT(error("  - {pattern: neighbour, injection: metronome}\n", own),
              HasSubstr("missing key 'period'"));
  EXPECT_THAT(
      error("  - {pattern: neighbour, injection: metronome, period: 2, tick: 3}\n", own),
      HasSubstr("unknown key 'tick' for pattern: neighbour, injection: metronome, did you mean 'ticks'?"));
  EXPECT_THAT(error("  - {pattern: neighbour, away: 16, messages: 1}\n", own),
              AllOf(HasSubstr("e.yaml:5:"), HasSubstr("traffic.0.away: expected less than 16 terminals")));
}

TEST_F(traffic_runs, a_users_own_entries_are_listed_and_in_the_schema) {
  const std::string listed = run_process(own + " list traffic").output;
  EXPECT_THAT(listed, HasSubstr("traffic pattern\n"));
  EXPECT_THAT(listed, HasSubstr("traffic injection\n"));
  EXPECT_THAT(listed, HasSubstr("  neighbour        To and fro between neighbours.\n    away "));
  EXPECT_THAT(listed, HasSubstr("  metronome        A packet at every tick.\n    period "));
  EXPECT_THAT(run_process(own + " list workload").output, HasSubstr("  greeting "));
  EXPECT_THAT(run_process(plain + " list").output,
              AllOf(Not(HasSubstr("neighbour ")), HasSubstr("  uniform ")));
  const json schema = json::parse(run_process(own + " list --schema").output);
  EXPECT_TRUE(schema.at("definitions").contains("traffic.pattern.neighbour"));
  EXPECT_TRUE(schema.at("definitions").at("traffic.pattern.hotspot").at("properties").at("ticks"));
  EXPECT_THAT(run_process(own + " list --reference").output,
              HasSubstr("### traffic `injection: metronome`\n\nA packet at every tick.\n\n| key"));
}

TEST_F(traffic_runs, measures_are_chosen_like_all_else) {
  const std::string traffic = "  - {pattern: hotspot, fraction: 0.5, rate: 0.3, messages: 20}\n";
  const auto counters = [&](const std::string& more, int status) {
    write_traffic(traffic, more);
    const process_result r = call("run", "--out out", own);
    EXPECT_EQ(r.status, status) << r.output;
    return result();
  };
  const json measured =
      counters("measures: [{kind: guarantee, promise: strong, within: 9, required: false}]\n", 0);
  EXPECT_GT(measured.at("counters").at("guarantee.covered"), 0);
  EXPECT_EQ(counters("measures: [{kind: guarantee, promise: strong, within: 1}]\n", 1).at("status"),
            "guarantee broken");
  EXPECT_GT(counters("measures: [{kind: messages, unit: 8}]\n", 0).at("counters").at("messages.throughput"),
            0);
  EXPECT_EQ(counters("measures: [{kind: flit_count, from: 3}]\n", 0).at("counters").at("own.flits"), 20);
  EXPECT_THAT(read_text(folder / "out/series.csv"),
              AllOf(HasSubstr(",own.flits,"), EndsWith(",0,20,0,0,0,0\n")));
  EXPECT_THAT(read_text(folder / "out/report.html"),
              AllOf(HasSubstr("Flits that have come."), HasSubstr("fifteen")));
  ASSERT_EQ(run_process("cd '" + folder.path().string() + "' && " + own + " plot out").status, 0);
  EXPECT_THAT(read_text(folder / "out/own_flits.svg"), HasSubstr("fifteen"));
  write_traffic(traffic, "measures: [{kind: flit_count, from: 16}]\n");
  EXPECT_THAT(call("check", "", own).output,
              AllOf(HasSubstr("e.yaml:4:12: measures.0: "), HasSubstr("no terminal 16")));
  write_traffic(traffic, "measures: [{kind: flit_cuont, from: 3}]\n");
  EXPECT_THAT(call("check", "", own).output, HasSubstr("did you mean 'flit_count'?"));
}

TEST_F(traffic_runs, a_users_own_workload_runs) {
  write("e.yaml",
        "name: e\ntopology: {kind: omega, stages: 4}\nswitch: {kind: packet}\nworkload: {kind: greeting}\n");
  const auto all = deliveries(own);
  EXPECT_EQ(all.size(), 16u);
  for (const sent_packet& p : all) EXPECT_EQ(p.destination, (p.source + 1) % 16);
}

}  // namespace
