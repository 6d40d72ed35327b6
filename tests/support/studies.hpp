#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "process.hpp"

/// `text` with the first `from` in it replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// A folder with a small experiment, e.yaml, in which the command runs as a user's does.
class studies : public testing::Test {
protected:
  studies() { write("e.yaml", small_experiment); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  process_result spillway(const std::string& arguments) {
    return run_process("cd '" + folder.path().string() + "'; " + SPILLWAY_COMMAND + " " + arguments);
  }
  void expect_wrong(const process_result& r, const std::string& place, const std::string& words) {
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, testing::HasSubstr(place));
    EXPECT_THAT(r.output, testing::HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "nothing is left of wrong input";
  }
  std::vector<std::string> lines(const std::string& file) {
    std::istringstream in(read_text(folder / file));
    std::vector<std::string> list;
    for (std::string line; std::getline(in, line);) list.push_back(line);
    return list;
  }
  std::size_t count_runs(const std::string& out = "out") {
    std::size_t n = 0;
    for (const auto& run : std::filesystem::directory_iterator(folder / out / "runs"))
      n += std::filesystem::exists(run.path() / "result.json");
    return n;
  }
  static constexpr const char* small_experiment =
      "name: small\n"
      "topology: {kind: butterfly, radix: 2, stages: 3}\n"
      "switch: {kind: packet}\n"
      "traffic:\n"
      "  - {pattern: uniform, rate: 0.2, cycles: 200}\n";
  scratch_folder folder;
};
