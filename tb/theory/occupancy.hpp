#pragma once
#include <cstdint>
#include <vector>

namespace spillway::theory {

/// Distribution of the number of bins that are hit by `throws` independent uniform throws into B bins:
/// element x is Pr[X = x], x = 0..min(B, throws). Takes throws * B steps.
std::vector<double> occupancy(std::uint32_t B, std::uint64_t throws);

}  // namespace spillway::theory
