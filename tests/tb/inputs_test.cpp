// Files that nobody would write, but somebody may have: each is refused with one message, and nothing is
// touched.
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/studies.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string repeated(const std::string& text, unsigned times) {
  std::string result;
  for (unsigned i = 0; i < times; ++i) result += text;
  return result;
}

class inputs : public studies {
protected:
  inputs() {
    write("t.csv", "cycle,source,destination\n1,0,1\n");
    write("traced.yaml",
          "name: traced\ntopology: {kind: butterfly, radix: 2, stages: 3}\ntraffic:\n"
          "  - {pattern: trace, file: t.csv}\n");
    write("s.yaml",
          "name: s\nexperiment: e.yaml\nseeds: 1\npictures: [{name: one, x: throughput, y: delivered}]\n");
  }
  void expect_refused(const process_result& r, const std::string& words) {
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr(words));
  }
  /// What `run` says with that as the trace.
  process_result run_trace(const std::string& file) {
    return spillway("run traced.yaml --set 'traffic.0.file=" + file + "'");
  }
  std::vector<std::string> names_in(const std::string& where) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder / where)) names.push_back(entry.path().filename());
    return names;
  }
};

TEST_F(inputs, a_first_sweep_into_a_relative_folder_finds_the_files_of_its_experiment) {
  write("s.yaml", "name: s\nexperiment: traced.yaml\nseeds: 2\n");
  const process_result r = spillway("sweep s.yaml --out new/folder");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(count_runs("new/folder"), 2u);
}

TEST_F(inputs, a_first_run_into_a_relative_folder_names_its_files_relative_to_it) {
  ASSERT_EQ(spillway("run traced.yaml --no-report --out new/folder").status, 0);
  EXPECT_THAT(read_text(folder / "new/folder/config.yaml"), HasSubstr("file: \"../../t.csv\""));
  EXPECT_EQ(spillway("run new/folder/config.yaml").status, 0);
}

TEST_F(inputs, only_regular_files_are_read) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder / "some");
  expect_refused(run_trace("some"), "found a folder, expected a file");
  expect_refused(run_trace("pipe"), "found a pipe, expected a file");
  expect_refused(run_trace("/dev/zero"), "found a device, expected a file");
  expect_refused(run_trace("/dev/null"), "found a device, expected a file");
  expect_refused(run_trace("/proc/self/mem"), "cannot be read");
  expect_refused(run_trace("none.csv"), "cannot be read: No such file");
  for (const char* file : {"pipe", "/dev/zero", "/dev/null", "some"}) {
    expect_refused(spillway(std::string("check ") + file), "expected a file");
    write("g.yaml",
          std::string("name: g\ntopology: {kind: file, format: graphml, path: ") + file + "}\ntraffic: []\n");
    expect_refused(spillway("check g.yaml"), "expected a file");
    expect_refused(spillway("check g.yaml --set topology.format=edge_list"), "expected a file");
  }
}

TEST_F(inputs, what_is_too_deep_is_refused) {
  constexpr unsigned levels = 25000;
  write("g.yaml", "name: g\ntopology: {kind: file, path: g.graphml}\ntraffic: []\n");
  // What is passed over may be as deep as it likes.
  write("g.graphml", "<graphml><key id='k'/><graph><data key='k'>" + repeated("<b>", levels) +
                         repeated("</b>", levels) + "</data></graph></graphml>");
  expect_refused(spillway("check g.yaml"), "g.graphml:1:1: the graph has no links");

  const auto claim = [this](const std::string& value) {
    write("r.yaml",
          "name: r\ntitle: t\npaper: p\nsource: s\nruns: {a: {experiment: e.yaml, seeds: 1}}\nclaims:\n  - "
          "{claim: c, value: '" +
              value + "'}\n");
    return spillway("reproduce r.yaml --out out");
  };
  expect_refused(claim(repeated("-", 60000) + "1 < 2"), "parentheses and signs within each other");
  expect_refused(claim("delivered[a, =] < 2"), "found '=', expected path=value");
  expect_refused(claim("delivered[a, x=] < 2"), "found 'x=', expected path=value");

  const std::string deep = repeated("[", levels) + repeated("]", levels);
  ASSERT_EQ(spillway("sweep s.yaml --out out").status, 0);
  write("out/plan.jsonl", "{\"sweep\": \"s\", \"x\": " + deep + "}\n");
  expect_refused(spillway("plot out"), "plan.jsonl:1:1: found more than 64 levels");
  ASSERT_EQ(spillway("run e.yaml --no-report --out one").status, 0);
  write("one/result.json", "{\"x\": " + deep + "}");
  expect_refused(spillway("plot one"), "result.json: found more than 64 levels");

  write("s.yaml", "name: " + std::string(60000, 'a') + "\nexperiment: e.yaml\n");
  expect_refused(spillway("sweep s.yaml"), "s.yaml:1:7: name: expected at most");
}

TEST_F(inputs, results_that_somebody_changed_are_refused) {
  ASSERT_EQ(spillway("run e.yaml --no-report --out one").status, 0);
  const std::string result = read_text(folder / "one/result.json"),
                    series = read_text(folder / "one/series.csv"),
                    histogram = read_text(folder / "one/histogram.csv");
  const auto plot = [&](const std::string& file, const std::string& text) {
    write("one/result.json", result);
    write("one/series.csv", series);
    write("one/histogram.csv", histogram);
    write("one/" + file, text);
    return spillway("plot one");
  };
  EXPECT_EQ(plot("result.json", result).status, 0);
  expect_refused(plot("histogram.csv", "latency,packets,width\n5,1,100\n6,1,1\n7,1,1\n"),
                 "histogram.csv:3: expected a bin");
  expect_refused(plot("histogram.csv", "latency,packets,width\n5,1,0\n"), "histogram.csv:2: expected a bin");
  expect_refused(plot("histogram.csv", "latency,packets,width\n-5,1,1\n"),
                 "histogram.csv:2: found -5, expected whole numbers");
  expect_refused(plot("histogram.csv", "latency,packets,width\n5,nan,1\n"), "histogram.csv:2: found nan");
  expect_refused(plot("histogram.csv", "latency,packets\n5,1\n"), "histogram.csv:1: expected the columns");
  expect_refused(plot("series.csv", "occupancy.stage 0\n0.5\n"), "series.csv:1: expected 'cycle'");
  expect_refused(plot("series.csv", ""), "series.csv:1: expected 'cycle'");
  expect_refused(plot("series.csv", "cycle,delivered\n50,1\n20,2\n"),
                 "series.csv:3: found 20, expected a later cycle");
  expect_refused(plot("series.csv", "cycle\n1e300\n"), "series.csv:2: found 1e+300");
  expect_refused(plot("series.csv", "cycle,delivered\n50,many\n"),
                 "series.csv:2: found 'many', expected a number");
  expect_refused(plot("result.json", with(result, "\"cycles\": ", "\"cycles\": -")),
                 "expected a whole number");
  expect_refused(
      plot("result.json", with(result, "\"pictures\": []", "\"pictures\": [{\"name\": \"../pwned\"}]")),
      "found picture '../pwned', expected letters, digits and underscores");
  const auto table = [&](const std::string& row) {
    return plot("result.json", with(result, "\"pictures\":",
                                    "\"tables\": [{\"name\": \"t\", \"caption\": \"\", \"heads\": [\"a\", "
                                    "\"b\"], \"rows\": [" +
                                        row + "]}], \"pictures\":"));
  };
  EXPECT_EQ(table(R"(["1", "2"])").status, 0);
  expect_refused(table(R"(["1"])"), "table 't' has 2 heads and a row of 1");
  expect_refused(table(R"(["1", "2", "3"])"), "table 't' has 2 heads and a row of 3");
  expect_refused(plot("result.json", "{}"), "result.json: not a result of a run");
}

TEST_F(inputs, a_plan_of_somebody_else_leads_nowhere_else) {
  ASSERT_EQ(spillway("sweep s.yaml --out out").status, 0);
  const std::string plan = read_text(folder / "out/plan.jsonl");
  const auto plot = [&](const std::string& from, const std::string& to) {
    write("out/plan.jsonl", with(plan, from, to));
    return spillway("plot out");
  };
  expect_refused(plot("\"name\":\"one\"", "\"name\":\"../../pwned\""),
                 "plan.jsonl:1:1: not a line of a plan: pictures.0.name");
  expect_refused(plot("\"name\":\"one\"", "\"name\":\"plan.jsonl\\u0000\""),
                 "plan.jsonl:1:1: found a NUL in a text");
  expect_refused(plot("\"pictures\":", "\"pictures\":7,\"other\":"), "not a line of a plan");
  expect_refused(plot("\"set\":{}", "\"set\":"), "out/plan.jsonl:2:");
  EXPECT_THAT(plot("\"set\":{}", "\"set\":").output, testing::Not(HasSubstr("plan.jsonl:2:1:")))
      << "one place, of what is wrong";
  const std::string id = json::parse(plan.substr(plan.find('\n')))["id"];
  expect_refused(plot(id, "../../../e"), "plan.jsonl:2:1: not a line of a plan: found the id '../../../e'");
  expect_refused(plot("\"set\":{}", "\"set\":7"), "plan.jsonl:2:1: not a line of a plan");
  EXPECT_FALSE(fs::exists(folder.path().parent_path() / "pwned.svg"));
}

TEST_F(inputs, a_name_with_a_nul_is_refused) {
  write("s.yaml",
        "name: s\nexperiment: e.yaml\nseeds: 1\npictures: [{name: \"plan.jsonl\\0\", x: seed, y: "
        "delivered}]\n");
  expect_refused(spillway("sweep s.yaml --out out"), "s.yaml:4:19: found a NUL in a text");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(inputs, a_temporary_folder_with_a_strange_name_does_nothing) {
  const std::string name = "a'; touch pwned; '";
  fs::create_directory(folder / name);
  const process_result r =
      run_process("cd '" + folder.path().string() + "'; TMPDIR=\"$PWD/a'; touch pwned; '\" " +
                  SPILLWAY_COMMAND + " graph e.yaml -o g.svg");
  if (r.output.find("not installed") != std::string::npos) GTEST_SKIP() << r.output;
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(read_text(folder / "g.svg"), HasSubstr("</svg>"));
  EXPECT_FALSE(fs::exists(folder / "pwned"));
}

// Spreadsheets put it there.
TEST_F(inputs, a_byte_order_mark_in_front_of_a_file_changes_nothing) {
  const auto marked = [this](const std::string& name, const std::string& text) {
    write(name, "\xef\xbb\xbf" + text);
  };
  marked("t.csv", "cycle,source,destination\n0,0,1\n");
  marked("plain.txt", "0 1\n1 2\n");
  marked("named.txt", "t0 -- s0\nt1 -- s0\n");
  marked("g.graphml",
         "<graphml><graph edgedefault=\"undirected\"><node id=\"0\"/><node id=\"1\"/><edge source=\"0\" "
         "target=\"1\"/></graph></graphml>\n");
  marked("p.goal", "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n");
  marked("where.txt", "1\n0\n");
  for (const char* const graph : {"plain.txt", "named.txt", "g.graphml"}) {
    marked("e.yaml", std::string("name: e\ntopology: {kind: file, path: ") + graph +
                         "}\nswitch: {kind: packet}\ntraffic: [{pattern: trace, file: t.csv}]\n");
    const process_result r = spillway("run e.yaml --no-report");
    EXPECT_EQ(r.status, 0) << graph << ": " << r.output;
  }
  marked("r.yaml",
         "name: r\ntopology: {kind: crossbar, terminals: 2}\nswitch: {kind: packet}\n"
         "workload: {kind: goal, file: p.goal, placement: file, placement_file: where.txt}\n");
  const process_result r = spillway("run r.yaml --no-report");
  EXPECT_EQ(r.status, 0) << r.output;
}

TEST_F(inputs, zeros_before_a_number_change_nothing) {
  const std::string experiment =
      "name: g\ntopology: {kind: file, path: g.txt}\ntraffic: [{pattern: uniform, rate: 0.1, cycles: 100}]\n";
  write("g.yaml", experiment);
  write("g.txt", "t0 -- s0\nt01 -- s00\nt2 -- s0000\n");
  EXPECT_EQ(spillway("check g.yaml").status, 0);
  const process_result r = spillway("run g.yaml");
  EXPECT_EQ(r.status, 0) << r.output;
  write("g.txt", "t0 -- s0\nt01 -- s00:00\nt2 -- s0000:0\n");
  expect_refused(spillway("check g.yaml"), "g.txt:3:7: input 0 of s0 is bound twice");
  write("g.txt", "t0 -- s0\nt1 -> s0\nt01 -> s0\n");
  expect_refused(spillway("check g.yaml"), "output 0 of t1 is bound twice");
}

TEST_F(inputs, a_standard_error_that_takes_nothing_changes_no_status) {
  write("e.yaml", "name: [");
  for (const char* to : {"2>&-", "2>/dev/full"})
    EXPECT_EQ(spillway(std::string("check e.yaml ") + to).status, 2) << to;
}

TEST_F(inputs, more_runs_than_anybody_has_time_for_are_refused) {
  write("s.yaml",
        "name: s\nexperiment: e.yaml\nseeds: 10000\ngrid:\n"
        "  traffic.0.rate: [0.1, 0.2, 0.3, 0.4]\n  switch.depth: [1, 2, 3, 4, 5, 6, 7, 8]\n");
  expect_refused(spillway("sweep s.yaml --out out"), "found 320000 runs, expected at most 100000");
  EXPECT_FALSE(fs::exists(folder / "out"));
  // Nobody looks through them for what is there twice, either.
  std::string many = "1";
  for (unsigned i = 1; i <= 100000; ++i) many += ", " + std::to_string(i);
  write("s.yaml", "name: s\nexperiment: e.yaml\nseeds: [" + many + "]\n");
  expect_refused(spillway("sweep s.yaml --out out"), "found 100001 runs, expected at most 100000");
  write("s.yaml", "name: s\nexperiment: e.yaml\nseeds: 1\ngrid: {switch.depth: [" + many + "]}\n");
  expect_refused(spillway("sweep s.yaml --out out"), "found 100001 runs, expected at most 100000");
}

TEST_F(inputs, a_series_that_no_memory_holds_is_refused) {
  expect_refused(spillway("check e.yaml --set measure.interval=1 --set measure.limit=1000000000"),
                 "the series of 1000000000 cycles could grow to 8000000000 numbers");
}

TEST_F(inputs, a_terminal_takes_no_orders_from_names) {
  write("e.yaml", with(small_experiment, "name: small", "name: \"\\e]0;owned\\a\\x9b\""));
  const process_result r = spillway("run e.yaml");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("?]0;owned??: ok"));
  const process_result wrong = spillway("check e.yaml --set $'traffic.0.rate=\\e[31m'");
  EXPECT_THAT(wrong.output, Not(HasSubstr("\x1b")));
}

TEST_F(inputs, a_run_that_is_killed_leaves_nothing) {
  write("long.yaml", with(small_experiment, "cycles: 200", "cycles: 100000000"));
  const process_result r =
      run_process("cd '" + folder.path().string() + "'; mkdir out; " + SPILLWAY_COMMAND +
                  " run long.yaml --deliveries --out out & sleep 1; kill -KILL $!; wait $!");
  EXPECT_EQ(r.status, 128 + SIGKILL) << r.output;
  EXPECT_EQ(names_in("out"), std::vector<std::string>{});
}

TEST_F(inputs, a_full_disk_leaves_the_old_deliveries_beside_the_old_results) {
  ASSERT_EQ(spillway("run e.yaml --no-report --deliveries --out out").status, 0);
  const std::string before = read_text(folder / "out/deliveries.csv");
  // A folder in the place of a file that comes after the deliveries.
  fs::remove(folder / "out/result.json");
  fs::create_directories(folder / "out/result.json/x");
  expect_refused(spillway("run e.yaml --seed 7 --no-report --deliveries --out out"), "Is a directory");
  EXPECT_EQ(read_text(folder / "out/deliveries.csv"), before);
}

// Once the router showed a flit anew in its turn although the one before had not been taken.
TEST_F(inputs, a_router_of_one_network_on_links_with_turns_keeps_what_it_shows) {
  write("w.yaml",
        "name: w\ntopology: {kind: mesh, dimensions: [2]}\n"
        "switch: {kind: wormhole, link: {cycles: 1, multiplexing: strict}}\n"
        "endpoint: {pauses: [{terminals: [0], from: 0, until: 60}]}\n"
        "traffic: [{pattern: hotspot, targets: [0], fraction: 1.0, rate: 1, messages: 7}]\n");
  for (const char* kernel : {"fast", "signals", "doubting"}) {
    const process_result r = spillway(std::string("run w.yaml --kernel ") + kernel);
    EXPECT_EQ(r.status, 0) << r.output;
    EXPECT_THAT(r.output, HasSubstr("14 of 14 packets delivered"));
  }
}

TEST_F(inputs, a_ring_of_a_thousand_is_checked_with_all_its_pairs) {
  write("r.yaml",
        "name: r\ntopology: {kind: ring, terminals: 1000}\nswitch: {kind: wormhole, virtual_channels: 2}\n"
        "traffic: [{pattern: uniform, rate: 0.01, cycles: 10}]\n");
  const process_result r = spillway("check r.yaml");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("all 1000000 pairs\ndiameter: 501 switches, mean 251.000\n"));
  EXPECT_THAT(r.output, HasSubstr("deadlock: free"));
}

}  // namespace
