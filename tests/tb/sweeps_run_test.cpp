// `spillway sweep` as a user runs it.
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "support/sweeps.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
const std::string command = SPILLWAY_COMMAND;

constexpr const char* sweep =
    "name: loads\n"
    "experiment: e.yaml\n"
    "set: {switch.depth: 2}\n"
    "cases:\n"
    "  - {name: fifo, set: {switch.buffering: fifo}}\n"
    "  - {name: voq, set: {switch.buffering: voq}}\n"
    "grid:\n"
    "  traffic.0.rate: [0.1, 0.3]\n"
    "  topology.stages: [2, 3]\n"
    "seeds: 2\n";

TEST_F(a_sweep, is_every_combination_in_the_order_of_the_file) {
  const process_result r = run_sweep(sweep);
  ASSERT_EQ(r.status, 0) << r.output;
  const auto plan = lines("out/plan.jsonl");
  ASSERT_EQ(plan.size(), 1u + 2 * 2 * 2 * 2);
  EXPECT_THAT(plan[1],
              HasSubstr(R"("case":"fifo","set":{"traffic.0.rate":0.1,"topology.stages":2},"seed":1)"));
  EXPECT_THAT(plan[2], HasSubstr(R"("set":{"traffic.0.rate":0.1,"topology.stages":2},"seed":2)"));
  EXPECT_THAT(plan[3], HasSubstr(R"("set":{"traffic.0.rate":0.1,"topology.stages":3},"seed":1)"));
  EXPECT_THAT(plan[5],
              HasSubstr(R"("case":"fifo","set":{"traffic.0.rate":0.3,"topology.stages":2},"seed":1)"));
  EXPECT_THAT(plan[9], HasSubstr(R"("case":"voq")"));

  const auto results = lines("out/results.csv");
  ASSERT_EQ(results.size(), 17u);
  EXPECT_THAT(results[0], testing::StartsWith("case,traffic.0.rate,topology.stages,seed,id,status,"));
  EXPECT_THAT(results[0], HasSubstr("latency.mean"));
  EXPECT_THAT(results[0], testing::Not(HasSubstr("wall_seconds")));
  EXPECT_THAT(results[16], testing::StartsWith("voq,0.3,3,2,"));
}

TEST_F(a_sweep, runs_what_its_settings_say) {
  ASSERT_EQ(run_sweep(sweep).status, 0);
  const json line = json::parse(lines("out/plan.jsonl").back());
  const std::string id = line["id"];
  const std::string config = read_text(folder / "out" / "runs" / id / "config.yaml");
  for (const char* part : {"seed: 2", "depth: 2", "buffering: voq", "rate: 0.3", "stages: 3"})
    EXPECT_THAT(config, HasSubstr(part));
  // The same by hand.
  const process_result alone = spillway(
      "run e.yaml --set switch.depth=2 --set switch.buffering=voq --set traffic.0.rate=0.3 --seed 2 --out "
      "alone");
  ASSERT_EQ(alone.status, 0) << alone.output;
  EXPECT_EQ(read_text(folder / "alone" / "result.json"),
            read_text(folder / "out" / "runs" / id / "result.json"));
}

TEST_F(a_sweep, gives_the_same_bytes_for_any_number_of_jobs) {
  ASSERT_EQ(run_sweep(sweep, "--out one -j 1").status, 0);
  ASSERT_EQ(run_sweep(sweep, "--out two -j 2").status, 0);
  ASSERT_EQ(run_sweep(sweep, "--out five -j 5").status, 0);
  for (const char* file : {"plan.jsonl", "results.csv", "summary.csv"})
    for (const char* other : {"two", "five"})
      EXPECT_EQ(read_text(folder / "one" / file), read_text(folder / other / file)) << other << '/' << file;
}

TEST_F(a_sweep, has_a_core_a_run_or_shares_the_cores_among_fewer_runs) {
  const auto threads = [this](const std::string& out) {
    std::set<unsigned> seen;
    for (const auto& run : fs::directory_iterator(folder / out / "runs"))
      seen.insert(json::parse(read_text(run.path() / "timing.json"))["threads"].get<unsigned>());
    return seen;
  };
  // A part of the network is worth a thread, however small it is.
  const std::string wide = with(sweep, "set: {", "set: {threads: 3, blocks_a_thread: 1, ");
  const std::string two = with(with(wide, "[0.1, 0.3]", "[0.1]"), "[2, 3]", "[3]");
  ASSERT_EQ(run_sweep(wide, "--out many -j 5").status, 0);
  EXPECT_THAT(threads("many"), testing::ElementsAre(1u)) << "16 runs";
  const process_result few = run_sweep(with(two, "seeds: 2", "seeds: 1"), "--out few -j 5");
  ASSERT_EQ(few.status, 0) << few.output;
  EXPECT_THAT(few.output, HasSubstr("threads    2 for each run, as there are 5 cores for 2 runs"));
  EXPECT_THAT(threads("few"), testing::ElementsAre(2u));
  ASSERT_EQ(run_sweep(with(two, "seeds: 2", "seeds: 1"), "--out one -j 1").status, 0);
  EXPECT_EQ(read_text(folder / "few" / "results.csv"), read_text(folder / "one" / "results.csv"));
  for (const auto& run : fs::directory_iterator(folder / "few" / "runs"))
    EXPECT_EQ(read_text(run.path() / "config.yaml"),
              read_text(folder / "one" / "runs" / run.path().filename() / "config.yaml"));
}

TEST_F(a_sweep, summarises_over_the_seeds) {
  ASSERT_EQ(run_sweep(with(sweep, "seeds: 2", "seeds: [4, 7, 9]")).status, 0);
  std::vector<double> delivered;
  for (const std::string& line : lines("out/plan.jsonl")) {
    const json run = json::parse(line);
    if (run.value("case", "") == "voq" && run["set"]["traffic.0.rate"] == 0.3 &&
        run["set"]["topology.stages"] == 3)
      delivered.push_back(
          json::parse(read_text(folder / "out" / "runs" / run["id"] / "result.json"))["delivered"]);
  }
  ASSERT_EQ(delivered.size(), 3u);
  const double mean = (delivered[0] + delivered[1] + delivered[2]) / 3;
  double squares = 0;
  for (const double d : delivered) squares += (d - mean) * (d - mean);
  const double ci = 4.302652729749464 * std::sqrt(squares / 2 / 3);  // t(2), 97.5 %
  std::smatch found;
  const std::string summary = read_text(folder / "out" / "summary.csv");
  ASSERT_TRUE(std::regex_search(summary, found,
                                std::regex("voq,0.3,3,delivered,([^,]*),([^,]*),([^,]*),([^,]*),3\n")));
  EXPECT_NEAR(std::stod(found[1]), mean, 1e-9);
  EXPECT_NEAR(std::stod(found[2]), ci, 1e-9);
}

TEST_F(a_sweep, does_equal_runs_once) {
  ASSERT_EQ(run_sweep(with(sweep, "buffering: voq", "buffering: fifo")).status, 0);
  EXPECT_EQ(lines("out/results.csv").size(), 17u);
  EXPECT_EQ(count_runs(), 8u);
}

TEST_F(a_sweep, goes_on_where_it_was_killed) {
  const std::string longer =
      with(with(sweep, "seeds: 2", "seeds: 4"), "switch.depth: 2", "traffic.0.cycles: 20000");
  ASSERT_EQ(run_sweep(longer, "--out whole").status, 0);
  write("s.yaml", longer);
  // Killed outright, with no chance to tidy up.
  spillway(
      "sweep s.yaml --out out -j 1 & p=$!; while [ $(ls out/runs/*/result.json 2>/dev/null | wc -l) -lt 3 ]; "
      "do "
      "sleep 0.01; done; kill -KILL $p; wait $p");
  const std::size_t before = count_runs();
  EXPECT_GE(before, 3u);
  EXPECT_LT(before, 32u);
  EXPECT_FALSE(fs::exists(folder / "out" / "results.csv"));
  const fs::path first = folder / "out" / "runs" / std::string(json::parse(lines("out/plan.jsonl")[1])["id"]);
  const auto written = fs::last_write_time(first / "result.json");
  ASSERT_EQ(spillway("sweep s.yaml --out out -j 2").status, 0);
  EXPECT_EQ(fs::last_write_time(first / "result.json"), written) << "what is there is not run again";
  EXPECT_EQ(read_text(folder / "out" / "results.csv"), read_text(folder / "whole" / "results.csv"));
}

TEST_F(a_sweep, keeps_what_it_has_when_interrupted) {
  write("s.yaml", with(sweep, "switch.depth: 2", "traffic.0.cycles: 1000000"));
  const process_result r = spillway(
      "sweep s.yaml --out out -j 1 & p=$!; while ! [ -e out/plan.jsonl ]; do sleep 0.01; done; sleep 0.1; "
      "kill -TERM $p; wait $p");
  EXPECT_EQ(r.status, 130) << r.output;
  EXPECT_THAT(r.output, HasSubstr(" runs are left; the same command goes on from here\n"));
  EXPECT_TRUE(fs::exists(folder / "out" / "results.csv"));
}

TEST_F(a_sweep, two_at_once_do_no_harm) {
  ASSERT_EQ(run_sweep(sweep, "--out whole").status, 0);
  const process_result r =
      spillway("sweep s.yaml --out out -j 2 & p=$!; " + command + " sweep s.yaml --out out -j 2 && wait $p");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(read_text(folder / "out" / "results.csv"), read_text(folder / "whole" / "results.csv"));
}

TEST_F(a_sweep, refuses_the_folder_of_another) {
  ASSERT_EQ(run_sweep(sweep).status, 0);
  const process_result r = run_sweep(with(sweep, "0.3]", "0.4]"));
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.output, HasSubstr("out: holds another sweep"));
  EXPECT_EQ(lines("out/results.csv").size(), 17u);
  const std::string plan = read_text(folder / "out/plan.jsonl"),
                    build = json::parse(lines("out/plan.jsonl")[0])["build"];
  write("out/plan.jsonl", with(plan, build, "another"));
  const process_result older = run_sweep(sweep);
  EXPECT_EQ(older.status, 2);
  EXPECT_THAT(older.output, HasSubstr("out: holds results of another build of this program;"));
  for (const char* more : {"", " --task --index 0", " --search 0", " --list-commands"}) {
    const process_result begun = spillway("sweep out" + std::string(more));
    EXPECT_EQ(begun.status, 2) << more;
    EXPECT_THAT(begun.output, testing::StartsWith("out: holds results of another build of this program;"))
        << more;
  }
}

TEST_F(a_sweep, tells_of_runs_that_fail_and_retries_them_on_request) {
  // Passes the schema, but no permutation of 2^2 + 4 terminals is a bit reversal.
  const std::string bad = with(sweep, "grid:\n", "grid:\n  traffic.0.pattern: [uniform, transpose]\n");
  process_result r = run_sweep(bad);
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_THAT(r.output, HasSubstr("failed: exit status 2: "));
  EXPECT_THAT(r.output, HasSubstr("transpose"));
  EXPECT_EQ(lines("out/results.csv").size(), 1u + 8 + 8 + 8);
  const fs::path log =
      folder / "out" / "runs" / std::string(json::parse(lines("out/plan.jsonl")[11])["id"]) / "log";
  ASSERT_THAT(read_text(log), HasSubstr("transpose"));
  std::ofstream(log, std::ios::app) << "MARK";
  EXPECT_EQ(run_sweep(bad).status, 2);
  EXPECT_THAT(read_text(log), HasSubstr("MARK")) << "not tried again unasked";
  EXPECT_EQ(run_sweep(bad, "--out out --retry").status, 2);
  EXPECT_THAT(read_text(log), testing::Not(HasSubstr("MARK")));
}

// Somebody else is at the run and fails while this sweep waits.
TEST_F(a_sweep, does_not_run_again_what_has_failed_for_another_meanwhile) {
  write("s.yaml", "name: loads\nexperiment: e.yaml\ngrid: {traffic.0.rate: [0.1]}\n");
  ASSERT_EQ(spillway("sweep s.yaml --out out --list-commands").status, 0);
  const std::string id = json::parse(lines("out/plan.jsonl")[1])["id"], run = "out/runs/" + id;
  const process_result r = run_process(
      "cd '" + folder.path().string() + "'; (flock -x 9; touch held; sleep 2; echo of another > " + run +
      "/failed) 9> " + run + "/lock & while ! [ -e held ]; do sleep 0.01; done; " + command +
      " sweep s.yaml --out out -j 1; s=$?; wait; exit $s");
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_THAT(r.output, HasSubstr("failed: of another"));
  EXPECT_FALSE(fs::exists(folder / run / "log"));
}

TEST_F(a_sweep, passes_on_the_fault_of_a_run) {
  const process_result r = run_sweep(with(sweep, "switch.depth: 2", "measure.limit: 100"));
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_THAT(r.output, HasSubstr(": limit"));
  EXPECT_EQ(lines("out/results.csv").size(), 17u);
}

TEST_F(a_sweep, draws_its_pictures) {
  const process_result r = run_sweep(std::string(sweep) +
                                     "pictures:\n  - {name: load, x: rate, y: throughput}\n"
                                     "  - {name: time, x: cycle, y: delivered}\n");
  ASSERT_EQ(r.status, 0) << r.output;
  const std::string svg = read_text(folder / "out" / "load.svg");
  EXPECT_THAT(svg, HasSubstr("voq, stages 3"));
  fs::remove(folder / "out" / "load.svg");
  ASSERT_EQ(spillway("plot out").status, 0);
  EXPECT_EQ(read_text(folder / "out" / "load.svg"), svg);
  fs::remove(folder / "out" / "load.svg");
  const process_result quiet = spillway("plot out --quiet");
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.output, "");
  EXPECT_EQ(read_text(folder / "out" / "load.svg"), svg);
  EXPECT_TRUE(fs::exists(folder / "out" / "time.svg"));
}

TEST_F(a_sweep, checks_its_pictures_before_anything_runs) {
  const auto refused = [this](const std::string& picture, const std::string& why) {
    const process_result r = run_sweep(sweep + ("pictures: [" + picture + "]\n"));
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_EQ(r.output, "picture 'p': " + why + "\n");
    EXPECT_FALSE(fs::exists(folder / "out" / "results.csv"));
  };
  refused("{name: p, x: rate, y: troughput}",
          "no result has a number 'troughput', did you mean 'throughput'?");
  refused("{name: p, x: raet, y: throughput}", "no result has a number 'raet', did you mean 'rate'?");
  refused("{name: p, x: nothing, y: throughput}",
          "no result has a number 'nothing', and no setting is called so");
  refused("{name: p, x: cycle, y: deliverd}",
          "series.csv has no column 'deliverd', did you mean 'delivered'?");
  refused("{name: p, x: rate, y: throughput, relative_to: {where: {stages: 9}}}",
          "relative_to leaves no configuration");
  const process_result searched = run_sweep(
      "name: quarter\nexperiment: e.yaml\nsearch: saturation\npictures: [{name: p, x: cycle, y: "
      "delivered}]\n",
      "--out search");
  EXPECT_EQ(searched.status, 2);
  EXPECT_THAT(searched.output, testing::StartsWith("picture 'p': x is cycle, but a search for saturation"));
  EXPECT_FALSE(fs::exists(folder / "search" / "results.csv"));
}

TEST_F(a_sweep, may_grow_and_have_other_pictures) {
  ASSERT_EQ(run_sweep(sweep).status, 0);
  const std::string id = json::parse(lines("out/plan.jsonl")[1])["id"];
  const fs::path log = folder / "out" / "runs" / id / "log";
  std::ofstream(log, std::ios::app) << "MARK";
  const std::string more = with(with(sweep, "seeds: 2", "seeds: 3"), "[0.1, 0.3]", "[0.1, 0.2, 0.3]");
  const process_result r = run_sweep(more + "pictures: [{name: load, x: rate, y: throughput}]\n");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(lines("out/results.csv").size(), 1u + 2 * 3 * 2 * 3);
  EXPECT_THAT(read_text(log), HasSubstr("MARK")) << "what was done is not done again";
  EXPECT_TRUE(fs::exists(folder / "out" / "load.svg"));
  EXPECT_THAT(run_sweep(sweep).output, HasSubstr("holds another sweep")) << "it does not shrink";

  write("p.yaml", "pictures: [{name: other, x: stages, y: latency.mean}]\n");
  EXPECT_EQ(spillway("plot out --pictures p.yaml").status, 0);
  EXPECT_TRUE(fs::exists(folder / "out" / "other.svg"));
  EXPECT_THAT(spillway("plot out/runs/" + id + " --pictures p.yaml").output,
              HasSubstr("--pictures needs the output folder of a sweep"));
}

TEST_F(a_sweep, draws_each_of_its_runs) {
  ASSERT_EQ(run_sweep(sweep).status, 0);
  const std::string id = json::parse(lines("out/plan.jsonl")[1])["id"];
  const fs::path run = folder / "out" / "runs" / id;
  EXPECT_FALSE(fs::exists(run / "report.html")) << "drawing takes longer than a short run";
  const process_result r = spillway("plot '" + run.string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  for (const char* file : {"report.html", "packets.svg", "occupancy.svg", "latency.svg"})
    EXPECT_TRUE(fs::exists(run / file)) << file;
  ASSERT_EQ(spillway("run '" + (run / "config.yaml").string() + "' --out again").status, 0);
  // The network over time is kept by runs that write a report themselves.
  const auto numbers = [](const std::string& page) { return page.substr(0, page.find("<h2>Pictures</h2>")); };
  EXPECT_EQ(numbers(read_text(run / "report.html")), numbers(read_text(folder / "again" / "report.html")));
}

TEST_F(a_sweep, that_is_wrong_names_the_place) {
  expect_wrong(run_sweep(with(sweep, "seeds: 2", "seed: 2")), "s.yaml:10:1:", "did you mean 'seeds'?");
  expect_wrong(run_sweep(with(sweep, "seeds: 2", "seeds: 0")), "s.yaml:10:8:", "expected");
  expect_wrong(run_sweep(with(sweep, "seeds: 2", "seeds: [1, 1]")), "s.yaml:10:", "seed 1 twice");
  expect_wrong(run_sweep(with(sweep, "[0.1, 0.3]", "0.1")), "s.yaml:8:19:", "expected list");
  expect_wrong(run_sweep(with(sweep, "0.1, 0.3", "0.1, 1.3")),
               "s.yaml:8:25:", "traffic.0.rate: expected 0..1");
  expect_wrong(run_sweep(with(sweep, "switch.depth", "switch.dept")), "s.yaml:3:", "did you mean 'depth'?");
  expect_wrong(run_sweep(with(sweep, "name: voq", "name: fifo")), "s.yaml:6:", "second case 'fifo'");
  expect_wrong(run_sweep(with(sweep, "e.yaml", "none.yaml")), "s.yaml:2:13:", "none.yaml");
  expect_wrong(run_sweep(with(sweep, "switch.depth: 2", "trace.vcd: a.vcd")), "s.yaml:", "waveform");
  expect_wrong(run_sweep(with(sweep, "switch.depth: 2", "trace.packets: a.json")),
               "s.yaml:", "a record of packets (trace.packets)");
  expect_wrong(run_sweep(with(sweep, "switch.depth: 2", "measures: [{kind: record, file: a.csv}]")),
               "s.yaml:", "a table of packets (measures.0.file)");
  expect_wrong(run_sweep(with(sweep, "[0.1, 0.3]", "[0.1, 0.1]")), "s.yaml:8:20:", "found 0.1 twice");
  for (const char* rates : {"[0.1, .nan]", "[.nan, 0.1]", "[0.3, 0.1, .nan, 0.2]"})
    expect_wrong(run_sweep(with(sweep, "[0.1, 0.3]", rates)),
                 "s.yaml:8:" + std::to_string(19 + std::string(rates).find(".n")) + ": ",
                 "expected a number, found .nan");
  expect_wrong(run_sweep(with(sweep, "switch.depth: 2", "seed: 2")),
               "s.yaml:3:", "expected the seeds of the runs");
  expect_wrong(run_sweep(with(sweep, "voq, set: {switch.buffering: voq}", "voq, set: {traffic.0.rate: 0.2}")),
               "s.yaml:6:", "cases.1.set.traffic.0.rate: found traffic.0.rate, which the grid sets as well");
  expect_wrong(run_sweep(with(sweep, "topology.stages: [", "seed: [")),
               "s.yaml:9:", "expected the seeds of the runs");
  expect_wrong(run_sweep(with(sweep, "traffic.0.rate: [0.1, 0.3]", "switch.depth: [2, 4]") +
                         "search: saturation\nsaturation: {from: 0.1, to: 5}\n"),
               "s.yaml:12:", "traffic.0.rate: expected 0..1, found 5");
  expect_wrong(run_sweep(std::string(sweep) + "pictures: [{name: ../p, x: rate, y: throughput}]\n"),
               "s.yaml:11:", "a name without '/'");
  expect_wrong(run_sweep(std::string(sweep) +
                         "pictures: [{name: p, x: rate, y: throughput}, {name: p, x: rate, y: delivered}]\n"),
               "s.yaml:11:", "second picture 'p'");
  expect_wrong(spillway("sweep none.yaml --out out"), "none.yaml", "");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(a_sweep, that_is_asked_for_what_it_cannot_do) {
  for (const char* option : {"--dry-run", "--detach", "--partition x", "--time 1", "--group 2"})
    expect_wrong(run_sweep(sweep, std::string("--out out ") + option), "", "needs --engine slurm");
  expect_wrong(run_sweep(sweep, "--out out --index 1"), "", "--index needs --task");
  EXPECT_FALSE(fs::exists(folder / "out"));
  fs::create_directory(folder / "begun");
  expect_wrong(spillway("sweep begun --set seeds=3"), "begun", "expected a sweep file");
  for (const char* plan : {"", "[1]\n", "{}\n"}) {
    write("begun/plan.jsonl", plan);
    expect_wrong(spillway("sweep begun"), "plan.jsonl:1:1:", "plan");
  }
  const std::string run = R"({"run":0,"id":"0000000000000000","set":{},"seed":1})";
  write("begun/plan.jsonl", "{\"sweep\":\"x\"}\n" + run + "\n");
  for (const char* task : {"abc", "-1", "", "99999999999999999999"}) {
    ASSERT_EQ(setenv("SLURM_ARRAY_TASK_ID", task, 1), 0);
    expect_wrong(spillway("sweep begun --task"), "SLURM_ARRAY_TASK_ID", "expected the number of a task");
  }
}

TEST_F(a_sweep, is_asked_for_tasks_that_there_are) {
  ASSERT_EQ(run_sweep(sweep, "--out begun --list-commands").status, 0);  // 16 runs
  const auto refused = [this](const std::string& options, const std::string& words) {
    const process_result r = spillway("sweep begun " + options);
    EXPECT_EQ(r.status, 2) << options;
    EXPECT_THAT(r.output, HasSubstr(words)) << options;
    EXPECT_EQ(count_runs("begun"), 0u) << options;
  };
  refused("--task --index -1", "--index: found '-1', expected a whole number from 0 on");
  refused("--task --index 1 --first -1", "--first: found '-1', expected a whole number from 0 on");
  refused("--task --index 1 --group 0", "--group: found '0', expected a whole number from 1 on");
  refused("--task --index 9223372036854775808 --group 2",
          "--index 9223372036854775808: found a task behind the last run, which is 15");
  refused("--task --index 4 --group 4", "--index 4: found a task behind the last run, which is 15");
  refused("--task --index 0 --first 16", "--index 0: found a task behind the last run, which is 15");
  refused("--first 3", "--first needs --task");
  for (const char* run : {"99", "3"})
    refused(std::string("--search ") + run, std::string("--search ") + run + ": found no such run, expected");
  expect_wrong(spillway("plot nope"), "nope: ", "expected the output folder of a sweep or a run");
}

TEST_F(a_sweep, tells_of_a_run_whose_folder_has_gone) {
  ASSERT_EQ(run_sweep(sweep, "--out begun --list-commands").status, 0);
  const std::string id = json::parse(lines("begun/plan.jsonl")[1])["id"];
  fs::remove_all(folder / "begun/runs" / id);
  const process_result r = spillway("sweep begun");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.output,
            "begun/runs/" + id +
                ": found no config.yaml, expected the folder of a run; the sweep's file makes it again\n");
  EXPECT_EQ(run_sweep(sweep, "--out begun").status, 0) << "as it says";
}

TEST_F(a_sweep, can_be_driven_by_the_tasks_of_others) {
  ASSERT_EQ(run_sweep(sweep, "--out whole").status, 0);
  write("s.yaml", sweep);
  const process_result commands = spillway("sweep s.yaml --out out --list-commands");
  ASSERT_EQ(commands.status, 0);
  EXPECT_EQ(std::count(commands.output.begin(), commands.output.end(), '\n'), 16);
  EXPECT_EQ(spillway("sweep out --list-commands | head -n 5 | sh").status, 0);
  EXPECT_EQ(count_runs(), 5u);
  EXPECT_EQ(spillway("sweep out --task --index 1 --first 5 --group 4").status, 0);  // 9, 10, 11, 12
  EXPECT_EQ(count_runs(), 9u);
  EXPECT_EQ(spillway("sweep out --task --index 16").status, 2);
  EXPECT_EQ(spillway("sweep out --task").status, 2);
  EXPECT_EQ(run_process("cd '" + folder.path().string() + "'; SLURM_ARRAY_TASK_ID=15 " + command +
                        " sweep out --task")
                .status,
            0);
  EXPECT_EQ(count_runs(), 10u);
  EXPECT_EQ(spillway("sweep out").status, 0);
  EXPECT_EQ(read_text(folder / "out" / "results.csv"), read_text(folder / "whole" / "results.csv"));
}

TEST_F(a_sweep, is_another_when_a_file_that_it_reads_is) {
  write("t.csv", "cycle,source,destination,size\n3,0,5,1\n");
  write("e.yaml",
        "name: small\ntopology: {kind: butterfly, radix: 2, stages: 3}\n"
        "traffic:\n  - {pattern: trace, file: t.csv}\n");
  const std::string traced = "name: loads\nexperiment: e.yaml\ngrid: {topology.stages: [3, 4]}\n";
  ASSERT_EQ(run_sweep(traced).status, 0);
  const auto id = [this](const std::string& out) { return json::parse(lines(out + "/plan.jsonl")[1])["id"]; };
  ASSERT_EQ(run_sweep(traced, "--out elsewhere/deep").status, 0);
  EXPECT_EQ(id("out"), id("elsewhere/deep"));
  EXPECT_THAT(lines("out/results.csv"), lines("elsewhere/deep/results.csv"));

  write("t.csv", "cycle,source,destination,size\n3,0,5,1\n9,1,5,1\n");
  const process_result r = run_sweep(traced);
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.output, HasSubstr("out: holds another sweep"));
  ASSERT_EQ(run_sweep(traced, "--out second").status, 0);
  EXPECT_NE(id("out"), id("second"));
  // What the first plan runs is what was there when it was made.
  fs::remove(folder / "t.csv");
  const fs::path run = folder / "out" / "runs" / std::string(id("out"));
  fs::remove(run / "result.json");
  ASSERT_EQ(spillway("sweep out").status, 0);
  EXPECT_EQ(json::parse(read_text(run / "result.json"))["delivered"], 1);

  const process_result gone = run_sweep(traced);
  EXPECT_EQ(gone.status, 2);
  EXPECT_THAT(gone.output, HasSubstr("e.yaml:4:28: traffic.0.file: t.csv: cannot be read"));
}

TEST(sweeps_of_the_project, expand) {
  const scratch_folder out;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SPILLWAY_YAML_DIR) / "sweeps")) {
    const process_result r =
        run_process(command + " sweep '" + entry.path().string() + "' --list-commands --out '" +
                    (out / entry.path().stem().string()).string() + "'");
    EXPECT_EQ(r.status, 0) << entry.path() << ": " << r.output;
    ++files;
  }
  EXPECT_GT(files, 0u);
}

TEST_F(a_sweep, shows_what_it_would_submit_where_no_slurm_answers) {
  write("s.yaml", sweep);
  write("scontrol", "#!/bin/sh\nexit 1\n");
  fs::permissions(folder / "scontrol", fs::perms::owner_all);
  const auto expect_shown = [&](const std::string& group, const std::string& tasks) {
    const process_result r = run_process("cd '" + folder.path().string() + "'; PATH=$PWD:$PATH " + command +
                                         " sweep s.yaml --out out --engine slurm --dry-run" + group);
    EXPECT_EQ(r.status, 0) << r.output;
    EXPECT_THAT(r.output, HasSubstr("MaxArraySize, 1001"));
    EXPECT_THAT(r.output, HasSubstr("sbatch --parsable --job-name=spillway --array=" + tasks + " "));
    EXPECT_EQ(count_runs(), 0u) << "none to see how long it takes, either";
    return r.output;
  };
  expect_shown(" --group 4", "0-3");
  EXPECT_THAT(expect_shown("", "0-15"), HasSubstr("no run is done: shown with one run a task"));
}

}  // namespace
