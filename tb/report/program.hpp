#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

/// How a program ended and what it wrote.
struct program_result {
  bool missing = false;  ///< there is no such program: nothing ran
  int status = -1;       ///< its exit status, or 128 and the number of the signal that ended it
  std::string output, errors;
};

/// Runs a program, found along PATH, and waits for its end. No shell is between: each word is one argument,
/// whatever is in it.
/// @param words its name and its arguments; @param input what it reads from standard input
/// Throws io_error if it cannot be started for another reason than being missing.
program_result run_program(const std::vector<std::string>& words, std::string_view input = {});

}  // namespace spillway
