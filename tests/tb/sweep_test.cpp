// Parts of a sweep that can be looked at without running anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <spillway/tb/sweep/process.hpp>
#include <spillway/tb/sweep/slurm_engine.hpp>

namespace spillway {
namespace {

TEST(job_array, specification_is_as_short_as_it_can_be) {
  EXPECT_EQ(array_specification({0, 1, 2, 3, 7}), "0-3,7");
  EXPECT_EQ(array_specification({4}), "4");
  EXPECT_EQ(array_specification({1, 3, 4}), "1,3-4");
}

TEST(job_array, holds_every_open_run_once_and_no_more_elements_than_allowed) {
  for (const std::size_t group : {1u, 3u, 10u})
    for (const std::size_t most : {1u, 4u, 1000u}) {
      std::vector<std::size_t> runs;
      for (std::size_t i = 0; i < 200; ++i)
        if (i % 7 != 3 && (i < 40 || i > 80)) runs.push_back(i);
      std::set<std::size_t> covered;
      for (const array_submission& a : cut_into_arrays(runs, group, most)) {
        EXPECT_TRUE(std::is_sorted(a.tasks.begin(), a.tasks.end()));
        for (const std::size_t task : a.tasks) {
          EXPECT_LT(task, most);
          for (std::size_t i = 0; i < group; ++i)
            EXPECT_TRUE(covered.insert(a.slice.first + task * group + i).second) << "in two tasks";
        }
      }
      for (const std::size_t run : runs) EXPECT_EQ(covered.count(run), 1u) << run;
    }
}

TEST(job_array, leaves_out_tasks_that_have_nothing_to_do) {
  const auto arrays = cut_into_arrays({0, 1, 25, 26, 39}, 5, 4);
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].slice.first, 0u);
  EXPECT_EQ(arrays[0].tasks, (std::vector<std::size_t>{0}));
  EXPECT_EQ(arrays[1].slice.first, 20u);
  EXPECT_EQ(arrays[1].tasks, (std::vector<std::size_t>{1, 3}));
}

TEST(how_it_ended, names_the_signal_or_the_exit_status) {
  EXPECT_EQ(how_it_ended(std::system("kill -KILL $$")), "killed by signal 9");
  EXPECT_EQ(how_it_ended(std::system("exit 2")), "exit status 2");
}

TEST(shell_quote, holds_any_text) {
  for (const std::string text : {"plain", "two words", "it's", "$HOME `x` \"q\" \\", "'", ""}) {
    const std::string line = "printf %s " + shell_quote(text);
    std::FILE* pipe = popen(line.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string got;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) got += static_cast<char>(c);
    pclose(pipe);
    EXPECT_EQ(got, text);
  }
}

}  // namespace
}  // namespace spillway
