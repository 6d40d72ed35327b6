#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <vector>

namespace spillway::theory {

/// The omega network with a hot memory module.
std::vector<model> feedback_models();

}  // namespace spillway::theory
