// Every shipped experiment, as a user runs it: both kernels give the same deliveries, byte for byte, and
// so does a second run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> experiments() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(SPILLWAY_EXPERIMENTS))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

class every_experiment : public testing::TestWithParam<std::string> {};

TEST_P(every_experiment, gives_the_same_deliveries_on_every_kernel_and_twice) {
  const scratch_folder folder;
  const std::string file = fs::path(SPILLWAY_EXPERIMENTS) / (GetParam() + ".yaml");
  if (needs_what_is_left_out(SPILLWAY_COMMAND, file)) GTEST_SKIP() << "needs a mechanism that is left out";
  const auto run = [&](const std::string& kernel, const std::string& out) {
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + file + "' --deliveries --kernel " + kernel +
                    " --out '" + (folder / out).string() + "'");
    EXPECT_EQ(r.status, 0) << r.output;
    return read_text(folder / out / "deliveries.csv");
  };
  const std::string fast = run("fast", "fast");
  EXPECT_GT(std::count(fast.begin(), fast.end(), '\n'), 1000);
  EXPECT_EQ(fast, run("signals", "signals"));
  EXPECT_EQ(fast, run("doubting", "doubting"));  // and no block sleeps when it should not
  // Once more, and by several threads.
  EXPECT_EQ(fast, run("fast --threads 3 --set blocks_a_thread=1", "threads"));

  auto result = nlohmann::json::parse(read_text(folder / "fast" / "result.json"));
  auto signals = nlohmann::json::parse(read_text(folder / "signals" / "result.json"));
  auto doubting = nlohmann::json::parse(read_text(folder / "doubting" / "result.json"));
  EXPECT_EQ(result["status"], "ok");
  EXPECT_EQ(result["lost"], 0);
  EXPECT_EQ(result["violations"], 0);
  const auto threads = nlohmann::json::parse(read_text(folder / "threads" / "result.json"));
  EXPECT_EQ(result, threads);
  for (const char* file_of_all : {"series.csv", "histogram.csv", "links.csv", "switches.csv"})
    for (const char* other : {"threads", "signals", "doubting"})
      EXPECT_EQ(read_text(folder / "fast" / file_of_all), read_text(folder / other / file_of_all))
          << file_of_all << ", " << other;
  const auto timing = nlohmann::json::parse(read_text(folder / "threads" / "timing.json"));
  EXPECT_EQ(timing["threads"], 3) << "each experiment that is shipped can be stepped by several";
  for (auto* one : {&result, &signals, &doubting}) EXPECT_EQ(one->erase("kernel"), 1u);
  EXPECT_EQ(result, signals);
  EXPECT_EQ(result, doubting);
}

INSTANTIATE_TEST_SUITE_P(yaml, every_experiment, testing::ValuesIn(experiments()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
