#pragma once
#include <spillway/tb/experiment/experiment.hpp>

namespace spillway {

/// Cycles that a mechanism of this experiment may wait by itself where that is more than the numbers of its
/// section add up to, as it is a multiple of one; 0: there is none.
std::uint64_t multiple_waits(const experiment& e);

}  // namespace spillway
