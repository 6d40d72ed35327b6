#pragma once
#include <deque>
#include <spillway/hw/links/flit.hpp>
#include <utility>

namespace spillway {

/// What may be combined, and how much of it.
struct combining_config {
  unsigned degree = 0;      ///< messages that one queue makes one: 2 pairs, 1 none, 0 any number
  unsigned records = 0;     ///< merged messages that the wait buffer holds; 0: any number
  bool in_service = false;  ///< whether a message may still be joined while it is being sent
  /// Whether a message does not even overtake those that cannot be combined, to the same destination: one
  /// that it joins may stand for messages of any source.
  bool ordered = true;
};

/// A queue of messages with search (Pfister and Norton, 1985; Dandamudi and Eager, section 3.3.1): a
/// combinable message joins one that waits for the same destination, and takes no place of its own.
///
/// Of the messages that it might join only the latest is looked at (with no limit to the degree there is but
/// one), so combinable messages to one destination never overtake each other. A plain part, not a block.
///
/// `Item`: what the queue holds, with the flit as its `message`.
template <class Item>
class combining_queue {
public:
  explicit combining_queue(const combining_config& config) : config_(config) {}

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  const Item& front() const { return entries_.front().item; }

  void push(Item item) {
    combinable_ += item.message.kind == flit_kind::combinable;
    entries_.push_back({std::move(item), 1});
  }
  void pop() {
    combinable_ -= front().message.kind == flit_kind::combinable;
    entries_.pop_front();
  }
  void clear() {
    entries_.clear();
    combinable_ = 0;
  }

  /// Has `f` join a message that waits, and returns that message; nullptr: there is none that it may join.
  /// `serving`: the front is being sent. The caller has room for `f` in its wait buffer.
  const flit* join(const flit& f, bool serving) {
    if (f.kind != flit_kind::combinable || combinable_ == 0) return nullptr;
    for (std::size_t i = entries_.size(); i-- > 0;) {
      entry& e = entries_[i];
      const flit& waiting = e.item.message;
      if (waiting.destination != f.destination) continue;
      if (waiting.kind != flit_kind::combinable) {
        if (config_.ordered) return nullptr;
        continue;
      }
      if (config_.degree && e.messages >= config_.degree) return nullptr;
      if (i == 0 && serving && !config_.in_service) return nullptr;
      ++e.messages;
      return &waiting;
    }
    return nullptr;
  }

private:
  struct entry {
    Item item;
    unsigned messages;  // that this queue has made one
  };

  combining_config config_;
  std::deque<entry> entries_;
  std::size_t combinable_ = 0;  // combinable entries, so that other traffic is not searched for any
};

}  // namespace spillway
