#pragma once
#include <memory>
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/dampening/message_table.hpp>
#include <vector>

namespace spillway {

/// The sending end of an embargo link: virtual output queues, one for each key that the pool downstream
/// tells apart, served in turn; a queue that may not send takes no turn and keeps its place (Kuszmaul and
/// Kuszmaul, sections VIII.A and VIII.B). A plain part, not a block.
class embargo_sender {
public:
  /// A place of the pool downstream that no message is charged to.
  static constexpr std::uint16_t no_place = 0xffff;

  /// `messages`: those that are sent, which must outlive the sender. `pool`: image of the pool downstream
  /// where the sender calculates, else nullptr. `embargoes`: processors that may be embargoed at a time, else
  /// 0. A link that embargoes more is a std::length_error.
  embargo_sender(message_table& messages, std::unique_ptr<assignment> pool, std::size_t embargoes)
      : messages_(messages), pool_(std::move(pool)), index_(messages.places() + embargoes) {}

  void receive_control(const control_message& m);  ///< what `control` shows at this edge
  /// What `interdict` shows, from now on.
  void interdict(bool on) {
    interdicted_ = on;
    changed_ = true;
  }

  /// The message joins the end of its queue.
  void add(message_table::id m);
  /// The message whose turn it is, or none. `usable` is asked about the first message of each queue that may
  /// send; what it says must not change until choose_again(), add() or a control message.
  template <class Usable>
  message_table::id choose(Usable&& usable);
  void choose_again() { changed_ = true; }  ///< what `usable` says may have changed
  /// Whether a message may overtake the turns: nothing of its key waits and the link takes it.
  bool passes(message_key key) const;
  /// Whether the first message of its queue may be sent now.
  bool may_send(message_table::id m) const;
  /// It leaves its queue, of which it is the first. Its place downstream, where the sender calculates.
  std::uint16_t send(message_table::id m);
  /// A message that was never queued goes out. Its place downstream, where the sender calculates.
  std::uint16_t send_past(message_key key) { return charge(key); }

  /// A queue for each key that may wait or be embargoed: the key, its first and last message, the queues
  /// beside it in the turns, whether it is embargoed; and the image of the pool downstream.
  hardware_size storage() const {
    const std::uint64_t queues = index_.most();
    hardware_size all =
        queues * hardware_size{0, 1, 2u * bits_to(messages_.places()) + 2u * bits_to(queues) + 2u};
    all.bits += 2 * bits_to(queues) + 1;
    return pool_ ? all + pool_->storage() : all;
  }
  /// A message has a turn: it waits, and its key is not embargoed.
  bool waiting() const { return first_ != none; }
  void clear();  ///< reset: no queues, nothing embargoed

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct queue {
    message_key key = 0;
    std::uint32_t first = none, last = none;    // messages
    std::uint32_t before = none, after = none;  // queues whose turn comes before and after
    bool embargoed = false, in_turn = false;
  };

  bool admits(const queue& q) const { return !pool_ || pool_->admits(q.key); }
  std::uint32_t queue_of(message_key key);
  void join_turns(std::uint32_t q);
  void leave_turns(std::uint32_t q);
  void drop_if_idle(std::uint32_t q);
  std::uint16_t charge(message_key key);
  void on_report(const control_message& m);

  message_table& messages_;
  const std::unique_ptr<assignment> pool_;
  std::vector<queue> queues_;
  key_table<std::uint32_t> index_;
  std::uint32_t free_ = none;                 // queues not in use, linked by `after`
  std::uint32_t first_ = none, last_ = none;  // turns
  bool interdicted_ = false;
  bool changed_ = false;  // something may have become possible since the last vain look
};

template <class Usable>
message_table::id embargo_sender::choose(Usable&& usable) {
  if (interdicted_ || !changed_) return message_table::none;
  for (std::uint32_t q = first_; q != none; q = queues_[q].after)
    if (admits(queues_[q]) && usable(queues_[q].first)) return queues_[q].first;
  changed_ = false;
  return message_table::none;
}

/// Tells the sender of a block's output what `control` shows there. More embargoes than it has room for,
/// which no switch of ours sends, are an error `spillway/embargo`.
void receive_control(embargo_sender& sender, const control_message& m, const sc_core::sc_object& block,
                     unsigned output);

}  // namespace spillway
