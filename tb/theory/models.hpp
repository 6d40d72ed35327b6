#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <vector>

namespace spillway::theory {

/// What belongs to no mechanism.
std::vector<model> general_models();

}  // namespace spillway::theory
