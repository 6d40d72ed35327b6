#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "process.hpp"

/// Stands for gnuplot, here and in the commands that a test runs: keeps what it is told to draw, and draws
/// nothing.
class kept_scripts {
public:
  kept_scripts() {
    const std::filesystem::path program = folder_ / "gnuplot";
    std::ofstream(program) << "#!/bin/sh\ncat >>'" << file().string() << "'\necho '<svg></svg>'\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    ::setenv("SPILLWAY_GNUPLOT", program.c_str(), 1);
  }
  ~kept_scripts() { ::unsetenv("SPILLWAY_GNUPLOT"); }
  kept_scripts(const kept_scripts&) = delete;
  kept_scripts& operator=(const kept_scripts&) = delete;

  /// All of them, one behind the other.
  std::string text() const { return read_text(file()); }

private:
  std::filesystem::path file() const { return folder_ / "script"; }
  scratch_folder folder_;
};
