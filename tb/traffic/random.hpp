#pragma once
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <vector>

namespace spillway {

/// One generator a purpose and terminal, all from one seed: two networks see the same traffic.
using random_stream = boost::random::taus88;
random_stream make_stream(std::uint64_t seed, std::uint64_t terminal, std::uint64_t purpose);

/// What the random numbers of a terminal are for. Others of this level: 3 and 4 trees (software combining),
/// 16 to 20 workloads.
enum class purpose : std::uint64_t {
  times = 0,         ///< of the traffic's packets
  destinations = 1,  ///< of the same
  sources = 2,       ///< terminals whose traffic has the hot spot, once for all
  stopped = 3,       ///< terminals, once for all
  lengths = 5,       ///< of the traffic's packets
  shares = 6,        ///< of terminals that carry out an entry: by entry instead of by terminal
  batches = 7,       ///< terminals that send in each, once for all: by entry instead of by terminal
};
/// Streams of traffic that run side by side have generators of their own.
inline std::uint64_t purpose_of(purpose what, unsigned stream) {
  return static_cast<std::uint64_t>(what) + 256 * std::uint64_t{stream};
}

/// 0 <= x < 1, all alike.
inline double uniform(random_stream& random) { return boost::random::uniform_01<double>()(random); }
/// 0..n-1, all alike.
inline std::uint32_t below(std::uint32_t n, random_stream& random) {
  return boost::random::uniform_int_distribution<std::uint32_t>(0, n - 1)(random);
}

/// `share` of the terminals, to the nearest whole number: the first ones, or a random choice by `seed`.
std::vector<bool> choose_terminals(double share, std::uint32_t terminals, bool random, std::uint64_t seed);
/// The same choice from a stream.
std::vector<bool> choose_terminals(double share, std::uint32_t terminals, random_stream random);
/// `count` of them (all, if there are fewer) at random, in ascending order; independent of the above.
std::vector<std::uint32_t> choose_stopped(std::uint32_t count, std::uint32_t terminals, std::uint64_t seed);

}  // namespace spillway
