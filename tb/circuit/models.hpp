#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <vector>

namespace spillway::theory {

/// The circuit-switched fat tree: collisions, delivery rounds.
std::vector<model> circuit_models();

}  // namespace spillway::theory
