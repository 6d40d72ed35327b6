#pragma once
#include <CLI/CLI.hpp>
#include <spillway/tb/command/command.hpp>

namespace spillway {

/// Adds `sweep`, `curve`, `compare`, `plot` and `reproduce`: the commands that make and look at many runs.
/// They set the exit status when they are called.
void add_study_commands(CLI::App& app, int& status, const catalogue& all);

}  // namespace spillway
