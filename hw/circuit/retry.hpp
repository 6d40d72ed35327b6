#pragma once
#include <cstdint>

namespace spillway {

/// When an interface sends a message again that was rejected (Strumpen and Krishnamurthy, section 7).
enum class retry : std::uint8_t {
  immediate,    ///< one cycle after sensing the collision
  rounds,       ///< when every message of the round has been delivered or rejected, all together
  held_rounds,  ///< the same, and receivers hold their circuits to the end of the round, as Lemma 1 has it
  exponential,  ///< after a random multiple of `unit`, below 2^failures of them
  random,       ///< after a random number of cycles below `window`
};

/// A plain part: how long to wait after a failure.
struct retry_policy {
  retry strategy = retry::immediate;  ///< when to try again
  std::uint64_t unit = 1;             ///< cycles, of exponential back-off
  unsigned most_doublings = 10;       ///< exponent at which its window stops growing
  std::uint64_t window = 1;           ///< cycles, of random back-off
  std::uint64_t seed = 1;             ///< of the random ones

  /// Needs a round_barrier.
  bool in_rounds() const { return strategy == retry::rounds || strategy == retry::held_rounds; }
  /// Cycles to wait over immediate retry when the attempt number `failures` (from 1) of `terminal`'s message
  /// has failed and the collision was sensed in cycle `now`. 0 for rounds, which wait for their barrier.
  std::uint64_t delay(std::uint32_t terminal, unsigned failures, std::uint64_t now) const;
};

}  // namespace spillway
