#pragma once
#include <memory>
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/dampening/message_store.hpp>
#include <vector>

namespace spillway {

/// The sending end of an embargo link: virtual output queues, one for each key that the pool downstream
/// tells apart, served in turn; a queue that may not send takes no turn and keeps its place (Kuszmaul and
/// Kuszmaul, sections VIII.A and VIII.B). A plain part, not a block.
class embargo_sender {
public:
  /// `pool`: image of the pool downstream where the sender calculates, else nullptr. `by_source`: what that
  /// pool's keys are. The store must outlive the sender.
  embargo_sender(message_store& store, std::unique_ptr<assignment> pool, bool by_source)
      : store_(store), pool_(std::move(pool)), by_source_(by_source) {
    if (pool_) held_.resize(pool_->buffers());
  }

  void hear(const control_message& m);
  void interdict(bool on) {
    interdicted_ = on;
    look_ = true;
  }

  /// The message joins the end of its queue.
  void add(message_store::id m);
  /// The message whose turn it is, or none. `usable` is asked about the first message of each queue that may
  /// send; what it says must not change until look_again(), add() or something heard.
  template <class Usable>
  message_store::id choose(Usable&& usable);
  void look_again() { look_ = true; }
  /// Whether a message may overtake the turns: nothing of its key waits and the link takes it.
  bool passes(const flit& f) const;
  /// Whether the first message of its queue may be sent now.
  bool may_send(message_store::id m) const;
  /// It leaves its queue, of which it is the first, and the link is charged with it.
  void send(message_store::id m);
  /// A message that was never queued goes out.
  void send_past(const flit& f) { charge(queue_of(key_of(f))); }

  bool waiting() const { return first_ != none; }
  void clear();

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct queue {
    message_key key = 0;
    std::uint32_t first = none, last = none;                   // messages
    std::uint32_t before = none, after = none;                 // queues whose turn comes before and after
    std::uint16_t oldest_held = 0, newest_held = 0, held = 0;  // buffers downstream
    bool embargoed = false, in_turn = false;
  };

  message_key key_of(const flit& f) const { return by_source_ ? f.source : f.destination; }
  bool admits(const queue& q) const { return !pool_ || pool_->admits(q.key); }
  std::uint32_t queue_of(message_key key);
  void join_turns(std::uint32_t q);
  void leave_turns(std::uint32_t q);
  void drop_if_idle(std::uint32_t q);
  void charge(std::uint32_t q);
  void report(std::uint32_t q);

  message_store& store_;
  const std::unique_ptr<assignment> pool_;
  const bool by_source_;
  std::vector<queue> queues_;
  key_table<std::uint32_t> index_;
  std::uint32_t free_ = none;                 // queues not in use, linked by `after`
  std::uint32_t first_ = none, last_ = none;  // turns
  std::vector<std::uint16_t> held_;           // by buffer downstream: the next younger one of the same key
  bool interdicted_ = false;
  bool look_ = false;  // something may have become possible since the last vain look
};

template <class Usable>
message_store::id embargo_sender::choose(Usable&& usable) {
  if (interdicted_ || !look_) return message_store::none;
  for (std::uint32_t q = first_; q != none; q = queues_[q].after)
    if (admits(queues_[q]) && usable(queues_[q].first)) return queues_[q].first;
  look_ = false;
  return message_store::none;
}

}  // namespace spillway
