#pragma once
#include <cstdint>
#include <spillway/hw/dampening/cache_lines.hpp>

namespace spillway::theory {

/// A cache that threads share while one of them streams (Kuszmaul and Kuszmaul, section X): thread 0 never
/// asks for an address twice, the others draw from working sets of their own.
struct thread_cache_parameters {
  cache_config cache;
  double working_sets = 0.4;    ///< lines of all the others' working sets, as a share of the cache
  std::uint32_t pace = 16;      ///< accesses of the stream to one of each other thread
  std::uint32_t rounds = 1000;  ///< of accesses that count, after as many that do not
};

/// What simulate_thread_cache() finds, as means over the trials.
struct thread_cache_rates {
  double others_hit;        ///< share of hits of the threads with working sets
  double others_hit_plain;  ///< the same without a limit, with the same accesses
  double least_gain;        ///< the least of their difference in a trial
  double stream_share;      ///< lines of the stream at the end, as a share
  double lone_share;        ///< the same of one that has the cache to itself
};

/// Runs the lines of a shared_cache. At least two threads.
thread_cache_rates simulate_thread_cache(const thread_cache_parameters& p, std::uint32_t trials,
                                         std::uint32_t seed);

}  // namespace spillway::theory
