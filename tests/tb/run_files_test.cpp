// What a run writes, and what is said when it cannot.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/command_input.hpp"
#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;

TEST_F(input, that_is_right_runs) {
  const process_result r = run(small, "--out '" + (folder / "out").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  for (const char* file : {"result.json", "series.csv", "report.html", "config.yaml"})
    EXPECT_TRUE(fs::exists(folder / "out" / file)) << file;
}

TEST_F(input, the_effective_configuration_runs_again_and_gives_the_same) {
  ASSERT_EQ(run(small, "--deliveries --out '" + (folder / "a").string() + "'").status, 0);
  const process_result r = run_process(command + " run '" + (folder / "a" / "config.yaml").string() +
                                       "' --deliveries --out '" + (folder / "b").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(read_text(folder / "a" / "deliveries.csv"), read_text(folder / "b" / "deliveries.csv"));
}

TEST_F(input, a_folder_that_was_used_before_has_the_files_of_this_run_alone) {
  const fs::path out = folder / "out";
  const std::string more = "measure: {flows: true, snapshots: [100]}\n";
  ASSERT_EQ(run(small + more, "--deliveries --out '" + out.string() + "'").status, 0);
  std::ofstream(out / "notes.txt") << "mine";
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(out)) all.insert(entry.path().filename());
    return all;
  };
  EXPECT_EQ(names().size(), 12u) << "all that a run can write, and notes";
  ASSERT_EQ(run(small, "--no-report --out '" + out.string() + "'").status, 0);
  EXPECT_EQ(names(), (std::set<std::string>{"config.yaml", "histogram.csv", "links.csv", "notes.txt",
                                            "result.json", "series.csv", "switches.csv", "timing.json"}));
}

// Somebody else puts results there: these wait, or there would be some of both.
TEST_F(input, results_of_two_runs_at_a_time_are_those_of_one) {
  write(small);
  const process_result r = run_process("cd '" + folder.path().string() +
                                       "'; mkdir out; (flock 9; touch held; sleep 2; ls out >seen) 9<out & "
                                       "while ! [ -e held ]; do sleep 0.01; done; " +
                                       command + " run e.yaml --out out; s=$?; wait; exit $s");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(read_text(folder / "seen"), "");
  EXPECT_TRUE(fs::exists(folder / "out" / "result.json"));
}

TEST_F(input, full_disk) {
  fs::create_directory(folder / "out");
  fs::create_symlink("/dev/full", folder / "out" / "result.json");
  const process_result r = run(small, "--out '" + (folder / "out").string() + "'");
  expect_wrong(r, "result.json", "No space left");
}
TEST_F(input, disk_that_is_full_in_the_middle_of_a_run) {
  const std::string file = write(with(small, "cycles: 200", "cycles: 20000"));
  const process_result r = run_process("ulimit -f 1; " + command + " run '" + file +
                                       "' --deliveries --out '" + (folder / "out").string() + "'");
  expect_wrong(r, "deliveries.csv: cannot write", "File too large");
  EXPECT_EQ(r.output.find("uncaught"), std::string::npos) << r.output;
}
TEST_F(input, standard_output_that_is_full) {
  expect_wrong(run_process(command + " theory hotspot > /dev/full"), "standard output", "cannot write");
}
TEST_F(input, output_folder_that_cannot_be_made) {
  std::ofstream(folder / "file") << "x";
  expect_wrong(run(small, "--out '" + (folder / "file" / "out").string() + "'"), "file", "");
}

TEST_F(input, output_folder_that_cannot_be_written_is_told_before_anything_runs) {
  // The superuser may write anywhere, unless it gives that up.
  const std::string bound = ::geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : "";
  const fs::path out = folder / "out";
  fs::create_directory(out);
  fs::permissions(out, fs::perms::owner_read | fs::perms::owner_exec);
  if (run_process(bound + "test -w '" + out.string() + "'").status != 1)
    GTEST_SKIP() << "this user may write anywhere, and cannot give it up";
  const std::string file = write(with(small, "cycles: 200", "cycles: 100000000") +
                                 "measure: {limit: 100000000, interval: 50000000}\n");
  for (const char* what : {"run", "compare"})
    expect_wrong(run_process("timeout 20 " + bound + command + " " + what + " '" + file + "' --out '" +
                             out.string() + "'"),
                 out.string() + ": cannot write into this folder", "Permission denied");
}

TEST_F(input, interrupt_keeps_what_there_is_and_marks_it) {
  const std::string out = (folder / "out").string();
  const std::string file = write(with(small, "cycles: 200", "cycles: 100000000") +
                                 "measure: {limit: 100000000, interval: 50000000}\n");
  const process_result r =
      run_process("timeout -s INT 2 " + command + " run '" + file + "' --out '" + out + "'; echo status $?");
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  EXPECT_EQ(result["status"], "interrupted");
  EXPECT_EQ(result["partial"], true);
  EXPECT_GT(result["delivered"], 0);
}

TEST_F(input, waveform_is_written_with_its_save_file) {
  const process_result r = run(small, "--vcd '" + (folder / "w.vcd").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  const std::string vcd = read_text(folder / "w.vcd");
  EXPECT_NE(vcd.find("$scope module network"), std::string::npos);
  EXPECT_NE(vcd.find(" valid "), std::string::npos);
  EXPECT_FALSE(read_text(folder / "w.gtkw").empty());
  EXPECT_EQ(partial_files(folder), 0u);
}
TEST_F(input, waveform_of_a_window) {
  const process_result r =
      run(small, "--set trace.from=20 --set trace.until=30 --vcd '" + (folder / "w.vcd").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  const std::string vcd = read_text(folder / "w.vcd");
  std::uint64_t first = 0, last = 0;
  for (std::size_t at = vcd.find("\n#"); at != std::string::npos; at = vcd.find("\n#", at + 1)) {
    last = std::stoull(vcd.substr(at + 2));
    if (!first) first = last;
  }
  EXPECT_GE(first, 20000u);  // ps
  EXPECT_LT(first, 22000u);
  EXPECT_GT(last, 28000u);
  EXPECT_LE(last, 30000u);
}
TEST_F(input, waveform_window_that_ends_before_it_begins) {
  expect_wrong(run(std::string(small) + "trace: {from: 20, until: 20}\n"), "e.yaml:6:", "after 20");
}
TEST_F(input, waveform_that_would_be_another_file) {
  const std::string before = read_text(write(small));
  expect_wrong(run(small, "--vcd '" + (folder / "e.yaml").string() + "'"), "--set", "ends with .vcd");
  EXPECT_EQ(read_text(folder / "e.yaml"), before);
  fs::create_directory(folder / "d.vcd");
  expect_wrong(run(small, "--vcd '" + (folder / "d.vcd").string() + "'"), "d.vcd", "which is a folder");
}
TEST_F(input, waveforms_and_records_without_a_place_are_refused_by_check_and_run) {
  const std::string file = write(small);
  const auto said = [&](const char* what, const std::string& more) {
    return run_process("cd '" + folder.path().string() + "'; " + command + ' ' + what + " '" + file + "' " +
                       more);
  };
  for (const char* what : {"check", "run"})
    for (const char* name : {"--vcd none/w.vcd", "--fst none/w.fst", "--trace none/w.json"}) {
      expect_wrong(said(what, name), "found 'none/w.", "expected a file in a folder that is there");
      EXPECT_FALSE(fs::exists(folder / "none"));
      // Results make their folder, and those that it is in.
      const process_result r = said(what, std::string(name) + " --no-report -o none/sub");
      EXPECT_EQ(r.status, 0) << r.output;
      fs::remove_all(folder / "none");
    }
}
TEST_F(input, waveform_whose_name_is_no_text) {
  expect_wrong(run_process("cd '" + folder.path().string() + "'; " + command + " run '" + write(small) +
                           "' --vcd \"$(printf 'a\\377.vcd')\""),
               "--vcd: expected a name in UTF-8, found 'a", "vcd'");
}
TEST_F(input, waveform_that_the_run_does_not_come_to) {
  const std::string vcd = " --vcd '" + (folder / "w.vcd").string() + "'";
  ASSERT_EQ(run(small, vcd).status, 0);
  ASSERT_TRUE(fs::exists(folder / "w.vcd") && fs::exists(folder / "w.gtkw"));
  const process_result r = run(small, "--json --set trace.from=1000000" + vcd);
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_NE(r.output.find("no waveform: the run ended before cycle 1000000"), std::string::npos) << r.output;
  EXPECT_FALSE(fs::exists(folder / "w.vcd") || fs::exists(folder / "w.gtkw")) << "that of the run before";
  EXPECT_EQ(partial_files(folder), 0u);
}
TEST_F(input, waveform_that_finds_no_room) {
  const std::string file = (folder / "w.vcd").string();
  const process_result r =
      run_process("ulimit -f 4; " + command + " run '" + write(small) + "' --vcd '" + file + "'");
  expect_wrong(r, "w.vcd", "cannot write all of the waveform");
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(partial_files(folder), 0u);
}
TEST_F(input, waveform_of_two_runs_at_a_time_is_one_of_theirs) {
  const std::string file = write(with(small, "cycles: 200", "cycles: 5000")),
                    to = (folder / "w.vcd").string();
  std::vector<std::string> alone;
  const auto seed = [&](int n) {
    return command + " run '" + file + "' --no-report --seed " + std::to_string(n) + " --vcd '" + to + "'";
  };
  const auto signals = [&] {  // without the date
    const std::string text = read_text(to);
    return text.substr(text.find("$scope"));
  };
  for (const int n : {1, 2}) {
    ASSERT_EQ(run_process(seed(n)).status, 0);
    alone.push_back(signals());
  }
  ASSERT_NE(alone[0], alone[1]);
  const process_result r = run_process("(" + seed(1) + ") & (" + seed(2) + ") && wait $!");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_TRUE(signals() == alone[0] || signals() == alone[1]);
  EXPECT_EQ(partial_files(folder), 0u);
}
TEST_F(input, record_of_packets_that_finds_no_room) {
  const std::string file = write(with(small, "cycles: 200", "cycles: 20000"));
  for (const char* kernel : {"fast", "signals"}) {
    const process_result r = run_process("ulimit -f 8; " + command + " run '" + file + "' --kernel " +
                                         kernel + " --trace '" + (folder / "t.json").string() + "'");
    expect_wrong(r, "t.json: cannot write", "File too large");
    EXPECT_EQ(r.output.find("E549"), std::string::npos) << r.output;
  }
}
TEST_F(input, waveform_that_cannot_be_written) {
  expect_wrong(run(small, "--vcd /proc/w.vcd"), "w.vcd", "cannot write");
}

/// What is said of an experiment that reads graph g.json and packets t.csv.
class read_files : public studies {
protected:
  read_files() {
    write("e.yaml",
          "name: e\ntopology: {kind: file, path: g.json}\nswitch: {kind: packet}\n"
          "traffic: [{pattern: trace, file: deliveries.csv}]\n");
    write("g.json", "t0 -- s0\nt1 -- s0\n");
    write("deliveries.csv", "cycle,source,destination,size\n5,0,1,2\n");
  }
  void expect_refused(const std::string& arguments, const std::string& words) {
    const process_result r = spillway(arguments);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, testing::HasSubstr(words)) << arguments;
    EXPECT_EQ(read_text(folder / "g.json"), "t0 -- s0\nt1 -- s0\n");
    EXPECT_EQ(read_text(folder / "e.yaml").substr(0, 7), "name: e");
    EXPECT_EQ(read_text(folder / "deliveries.csv").substr(0, 6), "cycle,");
  }
};

TEST_F(read_files, are_not_written) {
  ASSERT_EQ(spillway("run e.yaml --out out").status, 0);
  expect_refused(
      "run e.yaml --trace g.json",
      "--set trace.packets=\"g.json\": trace.packets: found 'g.json', which is read as topology.path, "
      "expected another file");
  expect_refused("check e.yaml --set 'measures=[{kind: record, file: ./e.yaml}]'",
                 "measures.0.file: found './e.yaml', which is read as the experiment, expected another file");
  expect_refused("check e.yaml --certificate out/../deliveries.csv",
                 "--certificate: found 'out/../deliveries.csv', which is read as traffic.0.file");
  expect_refused("check e.yaml --certificate e.yaml", "which is read as the experiment");
  expect_refused("graph e.yaml --format txt -o g.json", "-o: found 'g.json', which is read as topology.path");
  expect_refused("graph e.yaml --format dot -o e.yaml",
                 "-o: found 'e.yaml', which is read as the experiment");
}

TEST_F(read_files, are_not_among_the_results) {
  expect_refused(
      "run e.yaml --out .",
      "e.yaml:4:34: traffic.0.file: found 'deliveries.csv' among the results that --out . replaces, "
      "expected another folder");
  for (const char* command : {"run", "check"})
    expect_refused(
        std::string(command) + " e.yaml --out out --trace out/result.json",
        "trace.packets: found 'out/result.json', which is one of the results of --out out, expected "
        "another file");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(read_files, may_be_the_experiment_that_is_kept_with_the_results) {
  ASSERT_EQ(spillway("run e.yaml --out out").status, 0);
  EXPECT_EQ(spillway("run out/config.yaml --out out").status, 0);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPILLWAY_WITHOUT_LIMITS  // its own memory is beyond any limit
#endif
#endif
#ifndef SPILLWAY_WITHOUT_LIMITS
TEST_F(input, that_needs_more_memory_than_the_limit_is_refused) {
  const process_result r = run_process("ulimit -v 400000; " + command + " run '" +
                                       write(with(small, "stages: 3", "stages: 14")) + "'");
  expect_wrong(r, "", "need about");
  EXPECT_THAT(r.output, testing::HasSubstr("this process may have 0.381 GiB"));
}

TEST_F(input, that_turns_out_to_need_more_memory_than_there_is_ends_with_a_word) {
  // Nearly all packets wait at their sources.
  const std::string file = write(
      with(small, "uniform, rate: 0.2, cycles: 200", "hotspot, rate: 1, fraction: 1, cycles: 10000000"));
  const process_result r = run_process("ulimit -v 300000; " + command + " run '" + file + "' --out '" +
                                       (folder / "out").string() + "' --deliveries");
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_EQ(r.output,
            "spillway: found no more memory, expected a smaller network, or a shorter run that keeps less\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out"));
}
#endif

}  // namespace
