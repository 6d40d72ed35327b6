// A run that is recorded and played back gives the same deliveries.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;

struct recorded {
  std::string name, file, settings;
  bool replies = false;       // which are not recorded
  bool from_start = replies;  // cycles count from the start, not from arrivals
};
void PrintTo(const recorded& r, std::ostream* out) { *out << r.name; }

class runs {
public:
  explicit runs(const recorded& what)
      : file_(std::string(SPILLWAY_EXPERIMENTS) + "/" + what.file + ".yaml"), settings_(what.settings) {}

  /// What it delivers; `record()` is then what it has recorded.
  std::string operator()(const std::string& kernel, const std::string& settings = "") {
    const process_result r =
        run_process("cd '" + folder_.path().string() + "' && " + SPILLWAY_COMMAND + " run '" + file_ +
                    "' --no-report --deliveries --out out --kernel " + kernel +
                    " --set 'measures=[{kind: record, file: r.csv}]' " + settings_ + " " + settings);
    EXPECT_EQ(r.status, 0) << r.output;
    return read_text(folder_ / "out/deliveries.csv");
  }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string record() const { return read_text(folder_ / "r.csv"); }
  /// The settings with which the last record is played back.
  [[nodiscard]] std::string played() const {
    fs::copy_file(folder_ / "r.csv", folder_ / "played.csv");
    const bool software = read_text(file_).find("\nsoftware:") != std::string::npos;
    return std::string(software ? "software=~ " : "") +
           "'traffic=[]' 'workload={kind: packets, file: " + (folder_ / "played.csv").string() + "}'";
  }

private:
  const std::string file_, settings_;
  const scratch_folder folder_;
};

class recorder : public testing::TestWithParam<recorded> {};

TEST_P(recorder, plays_back_what_it_recorded) {
  runs run(GetParam());
  const std::string deliveries = run("fast"), record = run.record(), played = run.played();
  EXPECT_EQ(record.substr(0, record.find('\n')),
            std::string("cycle,source,destination,size,after,class,word,combinable") +
                (GetParam().from_start ? ",data" : ""));
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_GT(lines(deliveries), 300);
  EXPECT_GE(lines(record) * (GetParam().replies ? 2 : 1), lines(deliveries));
  for (const char* kernel : {"fast", "signals"}) {
    EXPECT_EQ(run(kernel, played), deliveries) << kernel;
    EXPECT_EQ(run.record(), record) << kernel;
  }
  // On the other kernel the record is the same, byte for byte.
  run("signals");
  EXPECT_EQ(run.record(), record);
}

INSTANTIATE_TEST_SUITE_P(
    of, recorder,
    testing::Values(
        recorded{"storm", "storm-plain",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100"},
        recorded{"nifdy", "storm-nifdy",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100"},
        recorded{"dampening", "storm-dampening",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100"},
        recorded{"experts", "experts-feedback", "workload.repeat=1"}, recorded{"solver", "goal-solver", ""},
        recorded{"em3d", "nifdy-em3d", "workload.iterations=1"},
        recorded{"accesses", "dram-plain", "workload.accesses=20 workload.writes=0.2", true},
        recorded{"combined_accesses", "dram-plain",
                 "workload.accesses=20 workload.writes=0.2 'switch={kind: combining, overtakes: true}'",
                 true},
        recorded{"answering_terminals", "hypercube-hotspot", "measure.cycles=1280 measure.drain=0", true},
        recorded{"full_queues_of_answering_terminals", "hypercube-combining",
                 "measure.cycles=4000 measure.drain=0", true},
        recorded{"software_beside_answering_terminals", "hypercube-software",
                 "measure.cycles=2560 measure.drain=0", true},
        recorded{"contributions", "reduction-all-reduce", "workload.repeat=2", false, true},
        recorded{"without_dependencies", "storm-plain",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100 "
                 "measures.0.dependencies=false",
                 false, true},
        recorded{"resets", "mesh-wormhole",
                 "endpoint.replies=true endpoint.queue=2 traffic.0.cycles=1000 measure.cycles=~ "
                 "measure.warmup=0 'resets=[{cycle: 300, length: 7}, {cycle: 700, length: 20}]'",
                 true},
        recorded{"lost_packets_and_pauses", "nifdy-mesh",
                 "interface.loss=0.05 traffic.0.messages=20 'endpoint.pauses=[{terminals: [1, 5], from: 100, "
                 "until: 400}]'"},
        recorded{"transactions", "circuit-immediate", "level=transaction"}),
    [](const auto& p) { return p.param.name; });

/// Every experiment that is shipped, whole; the largest shortened.
std::vector<recorded> shipped() {
  std::vector<recorded> all;
  const fs::path folder = SPILLWAY_EXPERIMENTS;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string file = entry.path().lexically_relative(folder).replace_extension();
    std::string name;
    for (const char c : file) name += c == '/' ? "__" : c == '-' ? "_" : std::string(1, c);
    const bool large = file == "large/dampening-figure3";
    all.push_back({name, file, large ? "traffic.0.messages=300 traffic.2.messages=300" : ""});
  }
  return all;
}

class every_experiment : public testing::TestWithParam<recorded> {};

TEST_P(every_experiment, is_played_back_as_it_was_recorded) {
  runs run(GetParam());
  if (needs_what_is_left_out(SPILLWAY_COMMAND, run.file()))
    GTEST_SKIP() << "needs a mechanism that is left out";
  const std::string deliveries = run("fast"), record = run.record();
  EXPECT_GT(std::count(deliveries.begin(), deliveries.end(), '\n'), 1000);
  EXPECT_TRUE(run("fast", run.played()) == deliveries);
  EXPECT_TRUE(run.record() == record);
}

INSTANTIATE_TEST_SUITE_P(that_is_shipped, every_experiment, testing::ValuesIn(shipped()),
                         [](const auto& p) { return p.param.name; });

// A reset takes the packet that another one waits for.
TEST(packet_tables, that_come_to_no_end_say_who_waits_and_for_what) {
  const scratch_folder folder;
  std::ofstream(folder / "r.csv") << "199,0,60\n1,3,4\n7,60,2,1,1\n7,60,9,1,1\n";
  const std::string table = "{kind: packets, file: " + (folder / "r.csv").string() + "}";
  const auto run = [&](const std::string& workload) {
    const process_result r = run_process("cd '" + folder.path().string() + "' && " +
                                         SPILLWAY_COMMAND " run '" + SPILLWAY_EXPERIMENTS +
                                         "/storm-plain.yaml' --quiet --no-report --set measure.cycles=~ "
                                         "'traffic=[]' 'resets=[{cycle: 200, length: 2}]' 'workload=" +
                                         workload + "'");
    EXPECT_EQ(r.status, 1);
    return r.output;
  };
  const std::string first = "terminal 60 waits with packet 3 for packet 1 of terminal 0\n",
                    second = "terminal 60 waits with packet 4 for packet 1 of terminal 0\n";
  EXPECT_EQ(run(table), "storm-plain: stuck\n  " + first + "  " + second);
  EXPECT_EQ(run("{kind: jobs, jobs: [{name: one, first: 0, count: 64, workload: " + table + "}]}"),
            "storm-plain: stuck\n  job one: " + first + "  job one: " + second);
}

TEST(packet_tables, are_refused_where_they_are_wrong) {
  const scratch_folder folder;
  const std::pair<const char*, const char*> wrong[]{
      {"1,0,99\n", "r.csv:1:5: expected a terminal 0..63, found 99"},
      {"cycle,source\n1,0,2,1,1\n", "packet 1 can follow the packets 1..0 or 0, none, found 1"},
      {"1,0,2\n5,3,4,1,1\n", "packet 2 follows packet 1 at terminal 3, but that goes to 2"},
      {"1,0,2\n0,2,4,1,1\n", "packet 2 comes a cycle or more after packet 1, found 0"},
      {"1,0,2,0\n", "r.csv:1:7: expected a size of 1..65535, found 0"},
      {"1,0,2,1,0,16\n", "expected a class 0..15, found 16"},
      {"1,0,2,65536\n", "r.csv:1:7: expected a size of 1..65535, found 65536"},
      {"1,0,2,1,0,0,1099511627776\n", "expected a word 0..1099511627775, found 1099511627776"},
      {"1,0,2,1,0,0,0,2\n", "expected combinable 0..1, found 2"},
      {"1,64,2\n", "r.csv:1:3: expected a terminal 0..63, found 64"},
      {"1,0\n",
       "r.csv:1:4: expected a whole number as destination of "
       "cycle,source,destination,size,after,class,word,combinable,data, found nothing"},
      {"0,0,-1\n", "r.csv:1:5: expected a whole number as destination of cycle,source,destination,size"},
      {"0,0,-1\n", "combinable,data, found '-1'\n"},
      {"0,0,1,two,3\n", "combinable,data, found 'two'\n"},
      {"1,0,2,1,0,0,0,0,4294967296\n", "r.csv:1:17: expected data 0..4294967295, found 4294967296"},
      {"1,0,2,1,0,0,0,0,7\n1,2,4,1,1\n", "r.csv:2:10: where packets come after others"},
      {"1,0,2,1,0,0,0,0,7,8\n", "expected no more than cycle"},
      {"9007199254740992,0,2\n", "r.csv:1:1: expected a cycle 0..9007199254740991, found 9007199254740992"},
      {"", "r.csv:1:1: expected a packet, the table has none"},
      {"cycle,source,destination\n", "r.csv:1:1: expected a packet, the table has none"},
      {"cycle,destination,source\n1,0,2\n", "r.csv:1:7: found the column 'destination', expected 'source'"},
      {"cycle source destination after\n", "r.csv:1:26: found the column 'after', expected 'size'"},
      {"cycle,source,,size\n", "r.csv:1:14: found the column '', expected 'destination'"},
      {"1,,2\n", "r.csv:1:3: expected a whole number as source of cycle,source,destination"},
      {",0,2\n", "r.csv:1:1: expected a whole number as cycle of cycle,source,destination"},
      {"1,0,2,,,16\n", "r.csv:1:9: expected a class 0..15, found 16"},
      {"1,0,2,,,,,,,,\n", "expected no more than cycle"}};
  for (const auto& [text, message] : wrong) {
    std::ofstream(folder / "r.csv") << text;
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " check '" + SPILLWAY_EXPERIMENTS +
                    "/storm-plain.yaml' --set 'traffic=[]' 'workload={kind: packets, file: " +
                    (folder / "r.csv").string() + "}'");
    EXPECT_EQ(r.status, 2) << text;
    EXPECT_NE(r.output.find(message), std::string::npos) << text << r.output;
  }
}

// The second packet follows the first; cells that are empty, or the last of a line, say nothing.
TEST(packet_tables, have_the_default_where_a_cell_is_empty) {
  const scratch_folder folder;
  const auto delivered = [&folder](const std::string& table) {
    std::ofstream(folder / "r.csv") << table;
    const process_result r =
        run_process("cd '" + folder.path().string() + "' && " + SPILLWAY_COMMAND + " run '" +
                    SPILLWAY_EXPERIMENTS + "/storm-plain.yaml' --no-report --deliveries --out out --set " +
                    "'traffic=[]' 'workload={kind: packets, file: " + (folder / "r.csv").string() + "}'");
    EXPECT_EQ(r.status, 0) << r.output;
    return read_text(folder / "out/deliveries.csv");
  };
  const std::string full = delivered("100,0,1,1,0\n5,1,0,1,1\n");
  EXPECT_EQ(delivered("cycle,source,destination,size,after\n\n,,,,\n100,0,1,1,\n5,1,0,,1\n"), full);
  EXPECT_EQ(delivered("100, 0, 1, , , , , ,\n5, 1, 0, , 1\n"), full);
  EXPECT_EQ(delivered("100 0 1\n5\t1\t0 1  1\n"), full) << "blanks have no empty cells";
}

TEST(packet_tables, are_taken_up_to_the_limits_of_each_column) {
  const scratch_folder folder;
  std::ofstream(folder / "r.csv")
      << "9007199254740991,63,0,65535,0,15,1099511627775,1,4294967295\n0,0,63,1\n";
  const process_result r = run_process(
      std::string(SPILLWAY_COMMAND) + " check '" + SPILLWAY_EXPERIMENTS +
      "/storm-plain.yaml' --set 'switch={kind: wormhole}' 'traffic=[]' 'workload={kind: packets, file: " +
      (folder / "r.csv").string() + "}'");
  EXPECT_EQ(r.status, 0) << r.output;
}

// More rows than are kept in memory, so those in the file count as the others do.
TEST(packet_tables, may_have_their_rows_in_any_order_and_do_what_a_trace_does) {
  constexpr unsigned packets = 20'000, terminals = 64;
  const auto row = [](unsigned i) {
    const unsigned source = i * 13 % terminals;
    return std::to_string(i / terminals * 70) + ',' + std::to_string(source) + ',' +
           std::to_string((source + 1 + i % 63) % terminals) + ',' + std::to_string(1 + i % 3) + '\n';
  };
  const scratch_folder folder;
  const std::string file = (folder / "r.csv").string();
  const std::string table = "'traffic=[]' 'workload={kind: packets, file: " + file + "}'",
                    trace = "'traffic=[{pattern: trace, file: " + file + "}]'";
  const auto deliveries = [&](const std::string& how, const std::function<unsigned(unsigned)>& place) {
    std::ofstream out(file);
    for (unsigned i = 0; i < packets; ++i) out << row(place(i));
    out.close();
    const process_result r = run_process("cd '" + folder.path().string() + "' && " + SPILLWAY_COMMAND +
                                         " run '" SPILLWAY_EXPERIMENTS
                                         "/storm-plain.yaml' --quiet --no-report --deliveries --out out "
                                         "--set measure.cycles=~ " +
                                         how);
    EXPECT_EQ(r.status, 0) << r.output;
    return read_text(folder / "out/deliveries.csv");
  };
  const auto as_it_is = [](unsigned i) { return i; };
  const std::string in_order = deliveries(table, as_it_is);
  EXPECT_EQ(std::count(in_order.begin(), in_order.end(), '\n'), packets + 1);
  EXPECT_TRUE(in_order == deliveries(table, [](unsigned i) { return packets - 1 - i; }))
      << "the last row first";
  EXPECT_TRUE(in_order == deliveries(table, [](unsigned i) { return i * 7919 % packets; })) << "mixed";
  EXPECT_TRUE(in_order == deliveries(trace, as_it_is));
}

}  // namespace
