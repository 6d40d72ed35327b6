#pragma once
#include <spillway/hw/dampening/embargo_link.hpp>

namespace spillway {

/// Hears what a dampening switch does with the places of its pools and banks, in the order in which it does,
/// and changes nothing. `pool` counts the pools of the switch.
class pool_observer {
public:
  virtual ~pool_observer() = default;
  std::uint64_t now = 0;  ///< the edge at which it is called
  /// A message is written to a buffer.
  virtual void stored(unsigned pool, unsigned buffer, const flit& f) = 0;
  /// A message passes through without a buffer, where the sender calculates and has given it one.
  virtual void passed(unsigned pool, const flit& f) = 0;
  /// The message in a buffer leaves the switch.
  virtual void freed(unsigned pool, unsigned buffer) = 0;
  /// A message that came finds no buffer and is spilled to this place of the bank.
  virtual void banked(unsigned pool, unsigned slot, const flit& f) = 0;
  /// A message of the bank gets a buffer. It keeps its place in the bank until its flit is stored there.
  virtual void assigned(unsigned pool, unsigned slot, unsigned buffer) = 0;
  /// A message of the bank leaves the switch from there.
  virtual void sent_from_bank(unsigned pool, unsigned slot) = 0;
  /// All of that in this cycle has been, and this is what the senders are told. Where the receiver
  /// calculates, in each cycle in which something has been or what is announced changes.
  virtual void announced(unsigned pool, const control_message& control, bool interdict) = 0;
};

}  // namespace spillway
