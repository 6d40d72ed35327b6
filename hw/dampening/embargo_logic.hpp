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
  static constexpr std::uint16_t none = 0xffff;  ///< no buffer, no place of the bank

  /// Where a message has been put: one of the two is `none`; both where the bank overflowed.
  struct place {
    std::uint16_t buffer = none;  ///< number of a buffer of the pool
    std::uint16_t slot = none;    ///< place of the bank
  };
  /// A message that moves from the bank into a buffer.
  struct move {
    std::uint16_t slot;    ///< place of the bank that it leaves
    std::uint16_t buffer;  ///< buffer that it gets
  };
  /// What to tell the senders about a processor.
  struct notice {
    message_key key;  ///< the processor, see assignment_plan::by_source()
    bool embargo;     ///< hold its messages back from now on; else send them again
  };

  /// `slots`: places of the bank. `reserve`: messages that may still come once an interdiction has been
  /// decided, fewer than `slots`.
  embargo_logic(std::unique_ptr<assignment> rule, unsigned slots, unsigned reserve);

  place arrive(message_key key);  ///< a message has come: what it gets
  /// A message has left its buffer. The one that takes it, if one does, keeps its place in the bank until
  /// vacate(), since its flit is still there.
  std::optional<move> leave_buffer(unsigned buffer);
  /// A message has left from the bank.
  void leave_slot(unsigned slot);
  /// The flit of a message that has moved into a buffer has arrived there. Throws std::logic_error for a
  /// place that no message is moving from.
  void vacate(unsigned slot);
  void clear();  ///< reset: no message, nothing to tell

  /// Processors that may be embargoed at a time, by a rule and a bank of so many places (section VIII.B: B
  /// and those for messages under way), and that a sender keeps in a table.
  static std::size_t most_embargoed(const assignment& rule, unsigned slots) {
    return std::size_t{slots} + rule.most_declared();
  }

  bool embargoed(message_key key) const;  ///< senders are to hold back messages of the key
  /// All senders are to stop now.
  bool interdicts() const { return free_.size() < reserve_ || (rule_->stops_all_when_full() && full()); }
  /// What has changed and was not told yet, the longest-standing change first. A processor that changed
  /// back meanwhile is left out; if it changes again it is the last.
  std::optional<notice> next_notice();

  const assignment& rule() const { return *rule_; }          ///< who has which buffer
  const waiting_lists& waiting() const { return waiting_; }  ///< messages of the bank by what they wait for
  /// Whose message lies at an occupied place of the bank.
  message_key owner(unsigned slot) const { return bank_[slot].key; }
  /// Of the bank: with a message that waits or moves.
  unsigned slots_in_use() const { return slots_ - static_cast<unsigned>(free_.size()); }
  /// What it keeps: the rule's, the lists, of each place of the bank whose message is there, and the
  /// processors with something to remember.
  hardware_size storage() const {
    const std::uint64_t slots = slots_, most = processors_.most();
    return rule_->storage() + waiting_.storage() + slots * hardware_size{0, 1, 2u + bits_below(slots)} +
           most * hardware_size{0, 1, bits_to(slots) + 3u + bits_below(most)};
  }
  /// Steps of the assignment and the waiting lists so far.
  std::uint64_t work() const { return rule_->work() + waiting_.work(); }
  std::uint64_t impact_steps() const { return rule_->impact_steps(); }  ///< see assignment::impact_steps()

private:
  struct processor {
    std::uint16_t banked = 0;  // messages in the bank, without those that move
    bool declared = false, reported = false, queued = false;
    bool embargoed() const { return declared || banked != 0; }
  };
  enum class use : std::uint8_t { free, waits, moves };
  struct bank_place {
    message_key key = 0;
    use now = use::free;
  };

  bool full() const { return rule_->used() == rule_->buffers(); }
  void stop_waiting(unsigned slot, use next);
  void take_declarations();
  void update_embargo(message_key key);

  const std::unique_ptr<assignment> rule_;
  const unsigned slots_, reserve_;
  waiting_lists waiting_;
  std::vector<bank_place> bank_;
  std::vector<std::uint16_t> free_;
  key_table<processor> processors_;  // those with something to remember
  std::deque<message_key> notices_;  // those that are `queued`
};

}  // namespace spillway
