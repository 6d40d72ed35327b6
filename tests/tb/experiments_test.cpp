// Every shipped experiment, as a user runs it: it delivers what deliveries.txt says, and the same, byte for
// byte, on every kernel and by several threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "kept_sums.hpp"

namespace {

namespace fs = std::filesystem;

/// A line of deliveries.txt.
struct shipped_experiment {
  std::string name, deliveries, numbers, word;

  [[nodiscard]] std::string file() const { return fs::path(SPILLWAY_EXPERIMENTS) / (name + ".yaml"); }
};

void PrintTo(const shipped_experiment& one, std::ostream* out) { *out << one.name; }

std::vector<shipped_experiment> listed(const std::vector<std::string>& words) {
  std::vector<shipped_experiment> found;
  std::ifstream in(SPILLWAY_DELIVERIES ".txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    shipped_experiment one;
    std::istringstream(line) >> one.name >> one.deliveries >> one.numbers >> one.word;
    if (std::find(words.begin(), words.end(), one.word) != words.end()) found.push_back(one);
  }
  return found;
}

/// Runs an experiment in a folder of the test's own.
class runs {
public:
  explicit runs(const shipped_experiment& experiment) : experiment_(experiment) {}

  /// What it delivers; `name` is the folder that its other results are kept in.
  std::string operator()(const std::string& name, const std::string& options) {
    const process_result r = run_process(std::string(SPILLWAY_COMMAND) + " run '" + experiment_.file() +
                                         "' --no-report --deliveries --kernel " + options + " --out '" +
                                         (folder_ / name).string() + "'");
    EXPECT_EQ(r.status, 0) << r.output;
    return read_text(folder_ / name / "deliveries.csv");
  }
  [[nodiscard]] std::string text(const std::string& name, const char* file) const {
    return read_text(folder_ / name / file);
  }
  [[nodiscard]] nlohmann::json json(const std::string& name, const char* file = "result.json") const {
    return nlohmann::json::parse(text(name, file));
  }
  [[nodiscard]] std::string sum(const std::string& name) const {
    return run_process(SPILLWAY_DELIVERIES ".sh '" + (folder_ / name / "deliveries.csv").string() + "'")
        .output;
  }
  [[nodiscard]] std::string sum_of_numbers(const std::string& name) const {
    return spillway::testing_support::sum_of_numbers(folder_ / name);
  }
  void expect_same_tables(const std::string& other) const {
    for (const char* file : {"series.csv", "histogram.csv", "links.csv", "switches.csv"})
      EXPECT_EQ(text("fast", file), text(other, file)) << file << ", " << other;
  }

private:
  shipped_experiment experiment_;
  scratch_folder folder_;
};

/// `threads`: by how many it is stepped, too; 0: neither that nor the other kernels.
void hold(const shipped_experiment& experiment, unsigned threads) {
  if (needs_what_is_left_out(SPILLWAY_COMMAND, experiment.file()))
    GTEST_SKIP() << "needs a mechanism that is left out";
  runs run(experiment);
  const std::string fast = run("fast", "fast");
  EXPECT_GT(std::count(fast.begin(), fast.end(), '\n'), 1000);
  EXPECT_EQ(run.sum("fast"), experiment.deliveries + "\n") << "deliveries have changed";
  EXPECT_EQ(run.sum_of_numbers("fast"), experiment.numbers)
      << experiment.name << ": what is measured has changed";
  auto result = run.json("fast");
  EXPECT_EQ(result["status"], "ok");
  EXPECT_EQ(result["lost"], 0);
  EXPECT_EQ(result["violations"], 0);
  if (!threads) return;

  EXPECT_EQ(fast, run("threads", "fast --threads " + std::to_string(threads) + " --set blocks_a_thread=1"));
  EXPECT_EQ(result, run.json("threads"));
  run.expect_same_tables("threads");
  EXPECT_EQ(run.json("threads", "timing.json")["threads"], threads)
      << "each experiment that is shipped can be stepped by several";

  EXPECT_EQ(result.erase("kernel"), 1u);
  // A block that sleeps when it should not is seen by the doubting kernel.
  for (const char* kernel : {"signals", "doubting"}) {
    EXPECT_EQ(fast, run(kernel, kernel));
    auto same = run.json(kernel);
    EXPECT_EQ(same.erase("kernel"), 1u);
    EXPECT_EQ(result, same) << kernel;
    run.expect_same_tables(kernel);
  }
}

class every_experiment : public testing::TestWithParam<shipped_experiment> {};
class experiment_at_night : public testing::TestWithParam<shipped_experiment> {};

TEST_P(every_experiment, delivers_what_it_always_did_on_every_kernel_and_by_threads) {
  hold(GetParam(), GetParam().word.empty() ? 2 : 0);
}

TEST_P(experiment_at_night, delivers_what_it_always_did_on_every_kernel_and_by_threads) {
  hold(GetParam(), 3);
}

const auto name_of = [](const auto& test) {
  std::string name;
  for (const char c : test.param.name) name += c == '/' ? "__" : c == '-' ? "_" : std::string(1, c);
  return name;
};
INSTANTIATE_TEST_SUITE_P(yaml, every_experiment, testing::ValuesIn(listed({"", "slow-others"})), name_of);
INSTANTIATE_TEST_SUITE_P(yaml, experiment_at_night, testing::ValuesIn(listed({"", "slow", "slow-others"})),
                         name_of);

TEST(experiments, that_are_shipped_are_all_listed_and_nothing_else) {
  std::vector<std::string> shipped, lines;
  const fs::path folder = SPILLWAY_EXPERIMENTS;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".yaml")
      shipped.push_back(entry.path().lexically_relative(folder).replace_extension());
  for (const auto& one : listed({"", "slow", "slow-others"})) lines.push_back(one.name);
  std::sort(shipped.begin(), shipped.end());
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(shipped, lines);
}

}  // namespace
