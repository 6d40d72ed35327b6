#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <vector>

namespace spillway::theory {

/// Bandwidth between two NIFDY units.
std::vector<model> nifdy_models();

}  // namespace spillway::theory
