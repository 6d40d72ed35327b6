#pragma once
#include <spillway/tb/built_in/built_in.hpp>

namespace spillway {

/// The command `spillway`: parses the arguments, does the work, returns the exit status (0 all is well,
/// 1 the run found a fault, 2 wrong input, 130 interrupted). Call it from sc_main with sc_main's
/// arguments; a program that adds its own entries passes its own catalogue.
int command(int argc, char** argv, const catalogue& all = standard_catalogue());

}  // namespace spillway
