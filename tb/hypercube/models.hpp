#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <vector>

namespace spillway::theory {

/// Hypercubes with a hot node.
std::vector<model> hypercube_models();

}  // namespace spillway::theory
