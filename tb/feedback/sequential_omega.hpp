#pragma once
#include <cstdint>

namespace spillway::theory {

/// Which blocked requests go although their module is hot.
enum class program_bleeding {
  none,         ///< none
  round_robin,  ///< a cycle that of one processor with a blocked request, in turn (section 5.2)
  slots,        ///< that of the processor whose number a counter shows, if it has one (section 6.3)
  random,       ///< each with a probability of one in as many as there are processors (section 7)
};

/// The machine of Farrens, Wetmore and Woodruff, section 4: 2^stages processors and modules, queues at the
/// outputs of 2x2 switches, a request a cycle and processor as long as it is taken.
struct omega_parameters {
  std::uint32_t stages = 8;         ///< 1 to 12
  std::uint32_t depth = 4;          ///< requests of a queue, at least 1
  std::uint32_t memory_depth = 32;  ///< of a memory's queue, at least 1
  std::uint32_t threshold = 3;      ///< requests from which on a module is hot; 0: no feedback
  double h = 0.08;                  ///< share of a hot processor's requests that go to module 0
  double Ph = 0.5;                  ///< share of hot processors, the first ones
  program_bleeding bleeding = program_bleeding::none;
  bool registered = false;  ///< a place is free in the cycle after its request left; else in the same
  std::uint32_t delay = 0;  ///< cycles by which processors learn later that a module is hot, or no longer
};

/// Requests a cycle and processor that memories take in 2,000 cycles after 500.
struct omega_bandwidth {
  double mean, error;  ///< over the trials, and its standard error
};

/// A program that goes through all queues of a cycle in turn, from the memories to the processors, and shares
/// nothing with the blocks. Without delay processors know which modules were hot at the end of the cycle
/// before.
omega_bandwidth simulate_omega(const omega_parameters& p, std::uint32_t trials, std::uint32_t seed);

}  // namespace spillway::theory
