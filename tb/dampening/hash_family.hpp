#pragma once
#include <cstdint>
#include <spillway/hw/dampening/buffer_sets.hpp>

namespace spillway::theory {

/// True when no choice of k hotspots fills every buffer of a coolspot (Kuszmaul and Kuszmaul, section VII).
/// Exact search for a cover, up to (processors a buffer)^k steps for each processor.
bool is_k_perfect(const buffer_sets& sets, std::uint32_t k);
/// Pairs of sets that share more than one buffer.
std::uint64_t pairs_sharing_two(const buffer_sets& sets);

}  // namespace spillway::theory
