#pragma once
#include <cstdint>
#include <spillway/hw/dampening/assignment.hpp>
#include <vector>

namespace spillway {

/// The bookkeeping of the emergency-backup scheme (Kuszmaul and Kuszmaul, section VIII.B and figures 1 and
/// 2): a doubly-linked waiting list for each buffer, with the places of the emergency bank whose messages
/// could use it, oldest message first. A place has a node for each of its message's buffers, one beside the
/// other, so that it leaves all its lists in as many steps. One more list is for messages that any buffer
/// would do. A plain part, not a block.
class waiting_lists {
public:
  static constexpr std::uint16_t nobody = 0xffff;  ///< no place

  /// `slots`: places of the bank. `choices`: most buffers that a message may wait for, at least 1.
  waiting_lists(unsigned buffers, unsigned slots, unsigned choices);

  /// The message at `slot`, which came last of all, joins the ends of these lists, or of that for any buffer
  /// if there are none. Throws std::length_error for more buffers than `choices`.
  void add(unsigned slot, buffer_span buffers);
  void remove(unsigned slot);  ///< the message at `slot` leaves all its lists
  void clear();                ///< reset: all lists are empty

  /// The place whose message has waited longest for this buffer, of those `admitted(slot)` now; else for any:
  /// who waits for this one has no other.
  template <class Admitted>
  std::uint16_t first(unsigned buffer, Admitted&& admitted) const;
  /// The places in the list of a buffer, the longest-waiting first. For tests.
  std::vector<std::uint16_t> list(unsigned buffer) const;

  /// Calls f(slot) for the places in the list of a buffer, the longest-waiting first, and f(buffer) for the
  /// buffers that the message at a place waits for.
  template <class F>
  void each_waiting(unsigned buffer, F&& f) const {
    for (std::uint32_t n = heads_[buffer]; n != none; n = nodes_[n].after) f(slot_of(n));
  }
  /// The same by place.
  template <class F>
  void each_wanted(unsigned slot, F&& f) const {
    const std::uint32_t first = slot * choices_;
    for (std::uint32_t n = first; n < first + used_[slot]; ++n) f(nodes_[n].list);
  }

  /// First and last node of each list; of each node those beside it and its list; of each place its nodes in
  /// use.
  hardware_size storage() const {
    const unsigned number = bits_to(nodes_.size());
    return {0, 0,
            heads_.size() * 2 * number + nodes_.size() * (2 * number + bits_below(heads_.size())) +
                used_.size() * bits_to(choices_)};
  }
  std::size_t waiting() const { return waiting_; }  ///< messages in the lists, each counted once
  /// Nodes linked, unlinked and passed over so far.
  std::uint64_t work() const { return work_; }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct node {
    std::uint32_t before = none, after = none;  // in the list
    std::uint16_t list = 0;
  };

  std::uint16_t slot_of(std::uint32_t n) const { return static_cast<std::uint16_t>(n / choices_); }
  void append(std::uint32_t n, unsigned list);
  void unlink(std::uint32_t n);
  template <class Admitted>
  std::uint32_t first_admitted(std::uint32_t n, Admitted&& admitted) const;

  const unsigned choices_;
  std::vector<std::uint32_t> heads_, tails_;  // by list; the last is for any buffer
  std::vector<node> nodes_;                   // `choices` a place
  std::vector<std::uint16_t> used_;           // nodes in use, by place; 0: it does not wait
  std::size_t waiting_ = 0;
  mutable std::uint64_t work_ = 0;
};

template <class Admitted>
std::uint32_t waiting_lists::first_admitted(std::uint32_t n, Admitted&& admitted) const {
  for (; n != none && !admitted(slot_of(n)); n = nodes_[n].after) ++work_;
  return n;
}

template <class Admitted>
std::uint16_t waiting_lists::first(unsigned buffer, Admitted&& admitted) const {
  std::uint32_t n = first_admitted(heads_[buffer], admitted);
  if (n == none) n = first_admitted(heads_.back(), admitted);
  return n == none ? nobody : slot_of(n);
}

}  // namespace spillway
