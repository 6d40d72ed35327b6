// Sweeps on a Slurm that scripts of the test play: what is submitted, and what becomes of it. tests/slurm has
// a real one.
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "support/studies.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Eight runs. An array has two tasks at most; sbatch does them before it returns, unless there is a file
/// `held`. What is in the queue is in a file.
class sweep_on_slurm : public studies {
protected:
  sweep_on_slurm() {
    write("s.yaml",
          "name: loads\nexperiment: e.yaml\ngrid: {traffic.0.rate: [0.1, 0.2, 0.3, 0.4]}\nseeds: 2\n");
    fs::create_directory(folder / "bin");
    script("scontrol", "echo 'MaxArraySize            = 2'");
    script("squeue", "cat queue 2>/dev/null; true");
    script("scancel", "");
    script("sbatch",
           "printf '%s\\n' \"$@\" >>submitted\n"
           "n=$(($(cat number 2>/dev/null || echo 100) + 1)); echo $n >number\n"
           "for word; do case $word in --array=*) array=${word#*=};; --wrap=*) task=${word#*=};; esac; done\n"
           "[ -e held ] || for part in $(echo $array | tr , ' '); do\n"
           "  for i in $(seq ${part%-*} ${part#*-}); do SLURM_ARRAY_TASK_ID=$i sh -c \"$task\" >>log 2>&1; "
           "done\n"
           "done\n"
           "echo \"$n;cluster\"");
  }
  process_result sweep(const std::string& arguments) {
    return run_process("cd '" + folder.path().string() +
                       "'; PATH=$PWD/bin:$PATH " SPILLWAY_COMMAND " sweep " + arguments);
  }
  /// Of each array that would be submitted its tasks, the run of its first one, and how many runs a task has.
  std::vector<std::string> shown(const std::string& arguments) {
    return arrays_in(sweep(arguments + " --engine slurm --dry-run").output);
  }
  static std::vector<std::string> arrays_in(const std::string& words) {
    std::vector<std::string> all;
    const std::regex array(R"(--array=(\S+)\s[\s\S]*?--first (\d+) --group (\d+))");
    for (std::sregex_iterator at(words.begin(), words.end(), array), end; at != end; ++at)
      all.push_back((*at)[1].str() + " first " + (*at)[2].str() + " group " + (*at)[3].str());
    return all;
  }

  void script(const std::string& name, const std::string& text) {
    write("bin/" + name, "#!/bin/sh\n" + text + "\n");
    fs::permissions(folder / "bin" / name, fs::perms::owner_all);
  }
};

TEST_F(sweep_on_slurm, gives_the_bytes_of_one_on_this_machine) {
  ASSERT_EQ(spillway("sweep s.yaml --out local").status, 0);
  const process_result r = sweep("s.yaml --out out --engine slurm --group 3");
  EXPECT_EQ(r.status, 0) << r.output << read_text(folder / "log");
  EXPECT_EQ(read_text(folder / "out/results.csv"), read_text(folder / "local/results.csv"));
  EXPECT_EQ(read_text(folder / "out/summary.csv"), read_text(folder / "local/summary.csv"));
  EXPECT_THAT(arrays_in(read_text(folder / "submitted")),
              ElementsAre("0-1 first 0 group 3", "0 first 6 group 3"));
  EXPECT_EQ(json::parse(read_text(folder / "out/slurm/102.json")),
            json({{"job", "102"}, {"first", 6}, {"group", 3}, {"array", "0"}}));
}

TEST_F(sweep_on_slurm, hands_on_what_sbatch_is_to_be_told) {
  const std::string words =
      sweep("s.yaml --out out --engine slurm --group 4 --dry-run --partition fast --time 10").output;
  EXPECT_THAT(words,
              HasSubstr("sbatch --parsable --job-name=spillway --partition=fast --time=10 --array=0-1 "));
  EXPECT_THAT(words, HasSubstr("/out/slurm/%A_%a.log"));
  EXPECT_THAT(shown("s.yaml --out out --group 2"), ElementsAre("0-1 first 0 group 2", "0-1 first 4 group 2"));
}

// A task lasts a minute or more.
TEST_F(sweep_on_slurm, has_as_many_runs_a_task_as_last_a_minute) {
  ASSERT_EQ(sweep("s.yaml --out out --list-commands | head -n 1 | sh").status, 0);
  const fs::path run = folder / "out/runs" / json::parse(lines("out/plan.jsonl")[1])["id"].get<std::string>();
  for (const auto& [seconds, array] : {std::pair{"25", "0-1 first 0 group 3"},
                                       {"20", "0-1 first 0 group 3"},
                                       {"90", "1 first 0 group 1"},
                                       {"0", "0 first 0 group 1200"}}) {
    std::ofstream(run / "timing.json") << "{\"wall_seconds\": " << seconds << "}";
    const auto arrays = shown("out");
    ASSERT_FALSE(arrays.empty()) << seconds;
    EXPECT_EQ(arrays.front(), array) << seconds << " s a run";
  }
}

// A search takes as long as its tries.
TEST_F(sweep_on_slurm, has_as_many_searches_a_task_as_last_a_minute) {
  write("s.yaml",
        "name: loads\nexperiment: e.yaml\nseeds: 8\nsearch: saturation\n"
        "saturation: {from: 0.05, to: 0.2, tolerance: 0.1}\n");
  ASSERT_EQ(sweep("s.yaml --out out --list-commands | head -n 1 | sh").status, 0);
  const fs::path run = folder / "out/runs" / json::parse(lines("out/plan.jsonl")[1])["id"].get<std::string>();
  unsigned tries = 0;
  for (const auto& entry : fs::directory_iterator(run)) {
    if (!entry.is_directory()) continue;
    std::ofstream(entry.path() / "timing.json") << "{\"wall_seconds\": 15}";
    ++tries;
  }
  EXPECT_EQ(tries, 2u);
  EXPECT_THAT(shown("out"), ElementsAre("0-1 first 0 group 2", "0-1 first 4 group 2"));
}

TEST_F(sweep_on_slurm, leaves_to_the_queue_what_is_in_it) {
  ASSERT_EQ(sweep("s.yaml --out out --list-commands").status, 0);
  fs::create_directory(folder / "out/slurm");
  write("out/slurm/7.json", R"({"job": "7", "first": 2, "group": 2, "array": "0-2"})");
  write("queue", "7 0\n7 2\n8 1\n");  // runs 2 and 3, 6 and 7; 8 is somebody else's
  EXPECT_THAT(shown("out --group 1"), ElementsAre("0-1 first 0 group 1", "0-1 first 4 group 1"));
}

TEST_F(sweep_on_slurm, is_joined_later_if_it_is_detached) {
  write("held", "");
  const process_result r = sweep("s.yaml --out out --engine slurm --group 4 --detach");
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.output, "submitted as 101\n");
  EXPECT_FALSE(fs::exists(folder / "out/results.csv"));
  write("queue", "101 0\n101 1\n");
  EXPECT_EQ(sweep("out --engine slurm --detach").output, "") << "all is in the queue";
  // It has left the queue, and done nothing.
  fs::remove(folder / "held");
  fs::remove(folder / "queue");
  EXPECT_EQ(sweep("out --engine slurm --group 4").status, 0);
  EXPECT_EQ(lines("out/results.csv").size(), 9u);
}

TEST_F(sweep_on_slurm, tells_of_an_sbatch_that_does_not_say_which_job_it_is) {
  for (const auto& [answer, words] : {std::pair{"Submitted batch job 7", "found 'Submitted batch job 7'"},
                                      {"", "found ''"},
                                      {"12x", "found '12x'"},
                                      {"sbatch: warning: 3 nodes\\nmany;cluster", "found 'many;cluster'"}}) {
    script("sbatch", std::string("printf '") + answer + "\\n'");
    const process_result r = sweep("s.yaml --out out --engine slurm --group 4");
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.output, HasSubstr(std::string("sbatch: expected the number of a job, ") + words)) << answer;
    EXPECT_TRUE(fs::is_empty(folder / "out/slurm"));
  }
  script("sbatch", "printf 'sbatch: warning: 3 nodes\\n9;cluster\\n\\n'");
  EXPECT_EQ(sweep("s.yaml --out out --engine slurm --group 8 --detach").output, "submitted as 9\n");
}

TEST_F(sweep_on_slurm, refuses_records_of_jobs_that_are_none) {
  ASSERT_EQ(sweep("s.yaml --out out --list-commands").status, 0);
  fs::create_directory(folder / "out/slurm");
  for (const auto& [record, words] :
       {std::pair{R"({"job": 78, "first": 0, "group": 1})",
                  "found 78 as 'job', expected the number of a job as a text"},
        {R"({"job": "7,8", "first": 0, "group": 1})", "found \"7,8\" as 'job'"},
        {R"({"first": 0, "group": 1})", "found nothing as 'job'"},
        {R"({"job": "7", "first": -1, "group": 1})", "found -1 as 'first', expected the number of a run"},
        {R"({"job": "7", "first": 0, "group": 0})", "found 0 as 'group', expected a number of runs"},
        {"[7]", "found array, expected the record of a job"}}) {
    write("out/slurm/7.json", record);
    const process_result r = sweep("out --engine slurm --group 4");
    EXPECT_EQ(r.status, 2) << record;
    EXPECT_THAT(r.output, HasSubstr(std::string("out/slurm/7.json: ") + words)) << record;
  }
}

TEST_F(sweep_on_slurm, that_ends_without_results_says_what_the_last_task_said) {
  write("held", "");
  fs::create_directories(folder / "out/slurm");
  write("out/slurm/101_1.log", "some\nslurmstepd: out of time\n");
  const process_result r = sweep("s.yaml --out out --engine slurm --group 4");
  EXPECT_EQ(r.status, 130) << "all is open";
  EXPECT_THAT(r.output, HasSubstr("8 runs are left by tasks that ended\n"));
  EXPECT_THAT(r.output, HasSubstr("101_1.log: slurmstepd: out of time\n"));
}

}  // namespace
