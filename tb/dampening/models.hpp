#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <vector>

namespace spillway::theory {

/// Dampening by hashing: blocking of coolspots, sizes.
std::vector<model> dampening_models();

}  // namespace spillway::theory
