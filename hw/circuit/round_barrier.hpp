#pragma once
#include <cstdint>
#include <spillway/hw/kernel/clocked.hpp>
#include <string>

namespace spillway {

/// What an interface tells the barrier: bits that may be set together.
using round_state = std::uint8_t;
constexpr round_state round_waiting = 1;  ///< has a message for the next round
constexpr round_state round_sending = 2;  ///< has sent one in this round and has no answer yet
constexpr round_state round_holding = 4;  ///< has received one and holds its circuit to the end of the round

/// Global synchronisation of the terminals of a network in delivery rounds. An ideal barrier: it sees all
/// interfaces and tells them at once.
///
/// When some terminal waits and none sends, `round` counts up: all that wait send, one edge later. When all
/// messages on their way have arrived at terminals that hold their circuits, `released` becomes the number of
/// the round, and they let go.
class round_barrier : public clocked {
public:
  row<input<round_state>> state;               ///< state0, ...: of terminals 0, ...
  output<std::uint32_t> round{"round"};        ///< rounds begun so far
  output<std::uint32_t> released{"released"};  ///< the last round whose circuits are let go

  /// `terminals`: pins of `state`.
  round_barrier(const sc_core::sc_module_name& name, unsigned terminals)
      : clocked(name), state(terminals, "state") {}

  hardware_size storage() const override { return {0, 0, 1}; }  ///< its counts are what its pins show
  std::uint32_t rounds() const { return rounds_; }              ///< begun so far

private:
  void reset() override;
  void tick() override;

  std::uint32_t rounds_ = 0, released_ = 0;
  bool input_pending_ = false;  // what was written at the last edge is read at the next
};

}  // namespace spillway
