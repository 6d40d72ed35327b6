#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/dampening/embargo_logic.hpp>
#include <spillway/hw/dampening/emergency_bank.hpp>
#include <spillway/hw/dampening/message_store.hpp>
#include <vector>

namespace spillway {

/// One pool of a dampening switch where the receiver calculates: its embargo logic, and the pool's ends of
/// the links to its emergency bank. A part of the switch, which calls it in its own tick.
class dampening_pool {
public:
  row<spill_out> spill;   ///< spill<i>
  row<refill_in> refill;  ///< refill<i>

  /// `inputs`: of the pool, as many as the bank has ports.
  dampening_pool(const std::string& name, unsigned inputs, std::unique_ptr<assignment> rule, unsigned slots,
                 unsigned reserve, message_store& store);

  /// Puts a message that came in at the pool's input `port` into a buffer or the bank. False when both are
  /// full, which takes a sender that ignores the interdiction.
  bool store(message_store::id m, unsigned port);
  /// The message leaves the switch. Another may move into its buffer.
  void leave(const message& m);
  /// Asks the bank for the flit of a message, ahead of those that move.
  void fetch_now(message_store::id m);
  /// Takes what the bank gives: calls landed(message) for each.
  template <class Landed>
  bool land(Landed&& landed);
  /// Drives the pins of spill and refill links; true while there is more to do.
  bool drive();
  void clear();

  embargo_logic& logic() { return logic_; }
  const embargo_logic& logic() const { return logic_; }
  std::uint64_t spilled() const { return spilled_; }
  std::uint64_t moved() const { return moved_; }

private:
  struct spilling {
    bool valid = false;
    std::uint16_t slot = 0;
    flit data;
  };

  embargo_logic logic_;
  message_store& store_;
  std::vector<message_store::id> in_slot_;  // by place of the bank
  std::vector<spilling> spills_;            // by port
  std::deque<std::uint16_t> fetches_;       // places whose flit is wanted
  std::uint64_t spilled_ = 0, moved_ = 0;
};

template <class Landed>
bool dampening_pool::land(Landed&& landed) {
  bool active = false;
  for (refill_in& port : refill) {
    if (!port.valid.read()) continue;
    active = true;
    const message_store::id id = in_slot_[port.slot.read()];
    message& m = store_[id];
    m.data = port.data.read();
    m.fetched = false;
    if (m.buffer != message::none) {
      logic_.vacate(m.slot);
      m.slot = message::none;
    }
    landed(id);
  }
  return active;
}

}  // namespace spillway
