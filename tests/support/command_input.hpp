#pragma once
#include <gtest/gtest.h>

#include <string>

#include "process.hpp"
#include "studies.hpp"

/// A small experiment, wrong or right as a test says, which the command runs or refuses.
class input : public studies {
protected:
  static constexpr const char* small = small_experiment;

  /// Makes it the text of e.yaml; the file's name.
  std::string write(const std::string& text) {
    studies::write("e.yaml", text);
    return (folder / "e.yaml").string();
  }
  process_result run(const std::string& text, const std::string& more = "") {
    return run_process(command + " run '" + write(text) + "' " + more);
  }
  /// Unlike that of `studies`, it does not look for what is left behind.
  void expect_wrong(const process_result& r, const std::string& place, const std::string& words) {
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_NE(r.output.find(place), std::string::npos) << r.output;
    EXPECT_NE(r.output.find(words), std::string::npos) << r.output;
  }
  const std::string command = SPILLWAY_COMMAND;
};
