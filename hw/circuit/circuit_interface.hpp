#pragma once
#include <deque>
#include <optional>
#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/circuit/retry.hpp>
#include <spillway/hw/circuit/round_barrier.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <vector>

namespace spillway {

/// Whose interface it is, and when it tries again.
struct circuit_interface_config {
  std::uint32_t terminal = 0;  ///< number of the terminal
  retry_policy policy;         ///< when a rejected message is sent again
};

/// Pins of an interface to the round barrier.
struct round_pins {
  output<round_state> state{"state"};         ///< what the terminal does, bits of round_state
  input<std::uint32_t> round{"round"};        ///< the round under way, from the barrier
  input<std::uint32_t> released{"released"};  ///< the last round whose circuits are let go
};

/// Network interface of a circuit-switched network: at most one transmission and at the same time one
/// reception. It takes a whole message from the processor's side before it sends, keeps it until it is
/// acknowledged, and sends again what was rejected. It accepts a message when it has handed the last one over
/// in full, and answers with a collision otherwise.
///
/// A message accepted in full at edge t is requested at t and seen by the first router at t + 1; a collision
/// sensed at t is requested again at t + 1.
class circuit_interface : public clocked {
public:
  packet_in in{"in"};                 ///< from the processor, one lane
  packet_out out{"out"};              ///< to it
  circuit_out send{"send"};           ///< into the network
  circuit_in receive{"receive"};      ///< from it
  std::optional<round_pins> barrier;  ///< with rounds only

  /// `config`: with a strategy of rounds it has the pins `barrier`, else none.
  circuit_interface(const sc_core::sc_module_name& name, const circuit_interface_config& config);

  /// When the next attempt is, and counts of flits and attempts; messages lie in the terminal's memory.
  hardware_size storage() const override { return {0, 0, time_bits + 2u * 16u + 8u}; }
  /// Flits of messages that are not acknowledged, or not handed over.
  std::uint64_t held_flits() const { return message_.size() + arrived_.size(); }
  /// The same of all resets so far; a message on its way may count at both ends.
  std::uint64_t lost_in_reset() const { return lost_; }
  /// Flits of a message that was rejected and backs off; one that waits for a round of the barrier does not.
  std::uint64_t resting_flits() const {
    return tx_ == sending::waiting && !barrier && !may_start() ? message_.size() : 0;
  }
  /// `circuit.transmissions`, `circuit.acknowledged`, `circuit.rejected`, `circuit.refused`; and, over all
  /// interfaces, `circuit.first_request` and `circuit.last_release` in cycles at the first router.
  void count(counters& all) const;

private:
  enum class sending : std::uint8_t { filling, waiting, under_way };
  enum class receiving : std::uint8_t { idle, taking, holding, closing };

  void reset() override;
  void tick() override;
  void fill();
  void transmit();
  void finish(bool acknowledged);
  void launch();
  void take();
  void answer(bool acknowledged);
  void finish_delivery();
  void show_round_state();
  bool may_start() const;

  const circuit_interface_config config_;
  std::vector<flit> message_;
  std::size_t sent_ = 0;  // flits of the attempt
  std::uint64_t start_at_ = 0;
  unsigned failures_ = 0;                   // of this message
  std::uint32_t round_ = 0, released_ = 0;  // as seen at the last edge
  sending tx_ = sending::filling;
  bool open_ = false;  // what in.ready shows

  std::deque<flit> arrived_;
  std::uint16_t taken_ = 0;
  receiving rx_ = receiving::idle;
  bool answering_ = false;

  std::uint64_t lost_ = 0, transmissions_ = 0, acknowledged_ = 0, rejected_ = 0, refused_ = 0;
  std::uint64_t first_request_ = 0, last_release_ = 0;
};

}  // namespace spillway
