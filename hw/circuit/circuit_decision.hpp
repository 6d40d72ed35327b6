#pragma once
#include <array>
#include <cstdint>
#include <spillway/hw/circuit/fat_tree.hpp>

namespace spillway {

/// Where a message at an input of a circuit router wants to go.
enum class wish : std::uint8_t {
  nothing,  ///< no message
  a,        ///< down by port a
  b,        ///< down by port b
  up,       ///< by port c or d
};

/// The wishes that arise at the four inputs of a router in one cycle. A plain part of one byte.
class wishes {
public:
  /// `w` at `input`, 0 to 3, which has no wish yet.
  void add(unsigned input, wish w) {
    bits_ |= static_cast<std::uint8_t>(static_cast<unsigned>(w) << 2 * input);
  }
  wish of(unsigned input) const { return static_cast<wish>(bits_ >> 2 * input & 3); }  ///< at `input`, 0 to 3
  bool any() const { return bits_ != 0; }                                              ///< there is a wish
  void clear() { bits_ = 0; }                                                          ///< no wishes

private:
  std::uint8_t bits_ = 0;
};

/// Which of several messages that arrive in one cycle for one port down gets it. The paper does not say.
enum class contention : std::uint8_t {
  random,  ///< any, with equal probability
  fixed,   ///< the first of the inputs a, b, c, d
};

/// The output that each input got.
struct circuit_grants {
  static constexpr std::uint8_t none = 4;  ///< no output
  /// By input; `none`: it is rejected, or has no wish.
  std::array<std::uint8_t, 4> output{none, none, none, none};
};

/// Decides one cycle of a circuit router (section 3). Upwards, c or d at random; two messages at once take
/// one each, and where one port is in use the other is taken, so nothing collides. Downwards, a port in use
/// rejects all newcomers, and of several newcomers one wins.
/// `taken`: bit o for an output that a circuit holds; `random`: 64 random bits, of which bit 0 is the choice
/// upwards, bits 8-31 the winner of a and bits 32-55 that of b.
circuit_grants decide(wishes wanted, unsigned taken, contention rule, std::uint64_t random);

}  // namespace spillway
