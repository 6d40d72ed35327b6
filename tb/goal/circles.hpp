#pragma once
#include <spillway/tb/goal/goal_program.hpp>

namespace spillway {

/// For a rank in which an operation waits for a later one: reads it once and lets go, again and again, what
/// waits for nothing that is left. Throws config_error when some wait for each other in a circle, with their
/// places, each called a `unit` (`line` or `byte`).
void check_circles(rank_program& rank, const goal_program& program, const char* unit);

}  // namespace spillway
