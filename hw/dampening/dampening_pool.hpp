#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/hw/dampening/embargo_logic.hpp>
#include <spillway/hw/dampening/message_table.hpp>
#include <vector>

namespace spillway {

/// What a pool of a dampening switch has where the receiver calculates: its embargo logic, and who lies where
/// in its emergency bank. A part of the switch, which calls it in its own tick; it drives the pool's share of
/// the switch's spill and refill links.
class dampening_pool {
public:
  /// The ports of the pool: `inputs` of the switch's, from `first` on.
  struct bank_ports {
    row<spill_out>& spill;   ///< spill links of the switch
    row<refill_in>& refill;  ///< its refill links
    unsigned first;          ///< first input of the pool
    unsigned inputs;         ///< inputs of the pool
  };

  /// `slots`: places of the bank. `reserve`: messages that may still come once all senders are interdicted,
  /// fewer than `slots`, else std::invalid_argument. `messages`: of the switch; it must outlive the pool.
  dampening_pool(const bank_ports& ports, std::unique_ptr<assignment> rule, unsigned slots, unsigned reserve,
                 message_table& messages);

  /// Gives a message that comes in at the switch's input `i` a place, and shows it to the bank if that is
  /// there. False when pool and bank are full, which takes a sender that ignores the interdiction.
  bool store(message_table::id m, unsigned i, const flit& f);
  /// The message leaves the switch. The move of another into its buffer, if there is one.
  std::optional<embargo_logic::move> release(const message& m);
  /// Asks the bank for the flit of a message, ahead of those that move.
  void fetch_now(message_table::id m);
  /// Takes what the bank gives: calls on_refill(message, flit) for each. What was not asked for is ignored:
  /// the links' checker says what is wrong.
  template <class OnRefill>
  bool take_refills(OnRefill&& on_refill);
  /// Drives the pins of spill and refill links; true while there is more to do.
  bool drive();
  void clear();  ///< reset: pool and bank are empty, and the pins of the links idle

  /// @{
  /// Who lies where, and who is embargoed.
  embargo_logic& logic() { return logic_; }
  const embargo_logic& logic() const { return logic_; }
  /// @}
  /// The logic's, and of each place of the bank its message and its turn to be fetched.
  hardware_size storage() const {
    const std::uint64_t slots = in_slot_.size();
    return logic_.storage() + slots * hardware_size{0, 0, bits_to(messages_.places()) + bits_below(slots)};
  }
  std::uint64_t spilled() const { return spilled_; }  ///< messages that found no buffer so far
  std::uint64_t moved() const { return moved_; }      ///< messages of the bank that got a buffer so far

private:
  const bank_ports ports_;
  embargo_logic logic_;
  message_table& messages_;
  std::vector<message_table::id> in_slot_;  // by place of the bank
  std::uint64_t spills_ = 0;                // inputs of the switch that spill in this cycle
  std::deque<std::uint16_t> fetches_;       // places whose flit is wanted, each at most once
  std::uint64_t spilled_ = 0, moved_ = 0;
};

template <class OnRefill>
bool dampening_pool::take_refills(OnRefill&& on_refill) {
  bool active = false;
  for (unsigned i = ports_.first; i < ports_.first + ports_.inputs; ++i) {
    const refill_in& port = ports_.refill[i];
    if (!port.valid.read()) continue;
    active = true;
    const std::uint16_t slot = port.slot.read();
    const message_table::id id = slot < in_slot_.size() ? in_slot_[slot] : message_table::none;
    if (id == message_table::none || !messages_[id].fetched) continue;
    message& m = messages_[id];
    m.fetched = false;
    if (m.buffer != message::none) {
      logic_.vacate(slot);
      in_slot_[slot] = message_table::none;
      m.slot = message::none;
    }
    on_refill(id, port.data.read());
  }
  return active;
}

}  // namespace spillway
