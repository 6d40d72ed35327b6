#pragma once
#include <cstdint>
#include <spillway/tb/theory/sample.hpp>

namespace spillway::theory {

/// Packets a slot and port of a saturated k x k crossbar with one FIFO an input, uniform destinations:
/// head-of-line blocking (Karol, Hluchyj, Morgan). Exact, from the stationary distribution of the number of
/// heads that want each output; 1 <= k <= 20 (the states are the partitions of k). 0.75 at k = 2.
double crossbar_throughput(std::uint32_t k);
/// Its limit for large k, 2 - sqrt 2.
double crossbar_limit();
/// The same by simulating `slots` slots after as many / 10 of warm-up, in 20 batches. k >= 1.
sample simulate_crossbar(std::uint32_t k, std::uint32_t slots, std::uint32_t seed);

}  // namespace spillway::theory
