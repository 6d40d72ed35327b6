#pragma once
#include <cstdint>

namespace spillway::theory {

/// When the sender of a link knows that a message has left the pool behind it.
enum class report_delay {
  at_once,      ///< in the cycle in which it leaves: no hardware with registers can have that
  registered,   ///< in the cycle after, of all that have left
  one_a_cycle,  ///< the same, and a link tells of one message a cycle
};

/// The network of figure 3 (Kuszmaul and Kuszmaul, section IX) before its hot spot: 2^stages processors, 2x2
/// switches, a pool of B buffers an input port.
struct butterfly_parameters {
  std::uint32_t stages = 7;  ///< 1 to 12
  std::uint32_t B = 13;      ///< buffers of a pool, 1 to 64
  std::uint32_t j = 6;       ///< buffers of a processor with hashing, at most B
  report_delay reports = report_delay::one_a_cycle;
};

/// Messages a cycle that saturated sources of uniform traffic, with one queue each, deliver from cycle 200 to
/// 450, and how much more hashing delivers than counting with one message a destination and pool.
struct butterfly_rates {
  double hashing, counting, ratio, ratio_error;  ///< means over the trials, and a standard error
};

/// A program that goes through all switches of a cycle in turn, from the last stage to the first, and shares
/// nothing with the blocks. Each output serves the destinations in turn.
butterfly_rates simulate_butterfly(const butterfly_parameters& p, std::uint32_t trials, std::uint32_t seed);

}  // namespace spillway::theory
