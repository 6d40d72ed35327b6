#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/links/flit.hpp>
#include <utility>

namespace spillway {

/// What may be combined, and how much of it.
struct combining_config {
  unsigned degree = 0;      ///< messages that one queue makes one: 2 pairs, 1 none, 0 any number
  unsigned records = 0;     ///< records that the wait buffer holds; 0: any number
  bool in_service = false;  ///< whether a message may still be joined while it is being sent
  /// Whether the data of a combinable message say what it asks its destination for, such as a line of its
  /// memory; else all that go there ask for the same.
  bool data_tell = true;
  bool overtakes = false;  ///< whether a message overtakes combinable ones for something else to join one
  /// Whether a message does not overtake those that cannot be combined, to the same destination: one that it
  /// joins may stand for messages of any source.
  bool ordered = true;
};

/// Whether both ask for the same, so that one reply does for them.
inline bool ask_for_the_same(const flit& a, const flit& b, const combining_config& config) {
  return a.kind == flit_kind::combinable && b.kind == flit_kind::combinable &&
         a.destination == b.destination && (!config.data_tell || data_of(a) == data_of(b));
}

/// Whether `f` may join a message that already stands for `messages` of those that came to this queue.
inline bool may_join(const flit& f, const flit& waiting, unsigned messages, const combining_config& config) {
  return ask_for_the_same(f, waiting, config) && (!config.degree || messages < config.degree);
}

/// A queue of messages with search (Pfister and Norton, 1985; Dandamudi and Eager, section 3.3.1): a
/// combinable message joins one that waits and asks for the same, and takes no place of its own.
///
/// Of the messages that it might join only the latest is looked at (with no limit to the degree there is but
/// one), so messages that ask for the same never overtake each other. A plain part, not a block.
///
/// `Item`: what the queue holds, with the flit as its `message` and as `messages`, at first 1, how many of
/// those that came to the queue are in it.
template <class Item>
class combining_queue {
public:
  static constexpr std::size_t none = ~std::size_t{0};  ///< no place

  /// `config`: what may join what.
  explicit combining_queue(const combining_config& config) : config_(config) {}

  std::size_t size() const { return items_.size(); }                 ///< items, each of one or more messages
  bool empty() const { return items_.empty(); }                      ///< there is no item
  const Item& front() const { return items_.front(); }               ///< the one that came first
  const Item& operator[](std::size_t i) const { return items_[i]; }  ///< place `i`, 0 is the front
  /// @{
  /// From the front on.
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  /// @}

  /// The item joins the end.
  void push(Item item) {
    combinable_ += item.message.kind == flit_kind::combinable;
    items_.push_back(std::move(item));
  }
  /// Takes out the item in place `i`.
  Item take(std::size_t i = 0) {
    Item item = std::move(items_[i]);
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
    combinable_ -= item.message.kind == flit_kind::combinable;
    return item;
  }
  /// Takes all out.
  void clear() {
    items_.clear();
    combinable_ = 0;
  }

  /// Has `f` join a message that waits, and returns that message; nullptr: there is none that it may join.
  /// `serving`: place of the item that is being sent, or `none`. The caller has room in its wait buffer.
  const flit* join(const flit& f, std::size_t serving) {
    if (f.kind != flit_kind::combinable || combinable_ == 0) return nullptr;
    for (std::size_t i = items_.size(); i-- > 0;) {
      Item& item = items_[i];
      if (item.message.destination != f.destination) continue;
      if (!ask_for_the_same(f, item.message, config_)) {
        const bool combinable = item.message.kind == flit_kind::combinable;
        if (combinable ? !config_.overtakes : config_.ordered) return nullptr;
        continue;
      }
      if (!may_join(f, item.message, item.messages, config_)) return nullptr;
      if (i == serving && !config_.in_service) return nullptr;
      ++item.messages;
      return &item.message;
    }
    return nullptr;
  }

private:
  combining_config config_;
  std::deque<Item> items_;
  std::size_t combinable_ = 0;  // so that other traffic is not searched for any
};

}  // namespace spillway
