#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/key_table.hpp>
#include <spillway/hw/dampening/waiting_lists.hpp>
#include <vector>

namespace spillway {

/// The receiver's side of the scheme with one pool of buffers and a bank of emergency buffers (Kuszmaul and
/// Kuszmaul, section VIII.B): where a message goes that arrives, which message of the bank takes a buffer
/// that is left, which processors are embargoed, and what the senders are told of it. O(j) work a message
/// where j buffers are assigned to a processor. A plain part, not a block.
///
/// A processor is embargoed while it has messages in the bank or, where the assignment counts, while it is a
/// declared hotspot. All senders are interdicted when the messages that may be under way would no longer
/// find places in the bank.
class embargo_logic {
public:
  static constexpr std::uint16_t none = 0xffff;

  /// Where a message has been put: one of the two is `none`; both where the bank overflowed.
  struct place {
    std::uint16_t buffer = none, slot = none;
  };
  /// A message that moves from the bank into a buffer.
  struct move {
    std::uint16_t slot, buffer;
  };
  /// What to tell the senders about a processor.
  struct notice {
    message_key key;
    bool embargo;
  };

  /// `slots`: places of the bank. `reserve`: messages that may still come once an interdiction has been
  /// decided, fewer than `slots`.
  embargo_logic(std::unique_ptr<assignment> rule, unsigned slots, unsigned reserve);

  place arrive(message_key key);
  /// A message has left its buffer. The one that takes it, if one does, keeps its place in the bank until
  /// vacate(), since its flit is still there.
  std::optional<move> leave_buffer(unsigned buffer);
  /// A message has left from the bank.
  void leave_slot(unsigned slot);
  /// The flit of a message that has moved into a buffer has arrived there.
  void vacate(unsigned slot) { free_.push_back(static_cast<std::uint16_t>(slot)); }
  void clear();

  bool embargoed(message_key key) const;
  bool interdicts() const { return free_.size() < reserve_ || (rule_->stops_all_when_full() && full()); }
  /// What has changed and was not told yet, the longest-standing change first. A processor that changed
  /// back meanwhile is left out.
  std::optional<notice> next_notice();
  bool has_news() const { return !news_.empty(); }

  const assignment& rule() const { return *rule_; }
  const waiting_lists& waiting() const { return waiting_; }
  unsigned slots_in_use() const { return slots_ - static_cast<unsigned>(free_.size()); }
  /// Steps of the assignment and the waiting lists so far.
  std::uint64_t work() const { return rule_->work() + waiting_.work(); }

private:
  struct processor {
    std::uint16_t oldest = none, newest = none;  // places in the bank
    waiting_lists::waiter waiter = waiting_lists::nobody;
    bool declared = false, told = false, queued = false;
    bool embargoed() const { return declared || oldest != none; }
  };
  struct banked {
    message_key key = 0;
    std::uint16_t older = none, newer = none;  // of the same processor
  };

  bool full() const { return rule_->used() == rule_->buffers(); }
  void unlink(processor& p, unsigned slot);
  void take_declarations();
  void settle(message_key key);

  const std::unique_ptr<assignment> rule_;
  const unsigned slots_, reserve_;
  waiting_lists waiting_;
  std::vector<banked> bank_;
  std::vector<std::uint16_t> free_;
  key_table<processor> processors_;  // those with something to remember
  std::deque<message_key> news_;
};

}  // namespace spillway
