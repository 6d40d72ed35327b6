#pragma once
#include <cstdint>
#include <spillway/hw/switching/port_sets.hpp>

namespace spillway {

/// Who goes first of those that want the same output.
enum class arbitration : std::uint8_t { round_robin, oldest_first };

/// Round-robin arbiter over the requesters that a `Set` can hold: the first one at or after the pointer wins,
/// and the pointer then stands one past the winner. A plain part, not a block.
template <class Set>
class basic_round_robin_arbiter {
public:
  /// `requests` must not be empty. The pointer moves only by granted().
  unsigned pick(const Set& requests) const { return requests.first_from(pointer_); }
  /// Whether `a` would win against `b`.
  bool prefers(unsigned a, unsigned b) const { return distance(a) < distance(b); }
  void granted(unsigned winner) {
    pointer_ = static_cast<typename Set::index>((winner + 1) & (Set::size - 1));
  }
  void clear() { pointer_ = 0; }

private:
  unsigned distance(unsigned requester) const { return (requester - pointer_) & (Set::size - 1); }

  typename Set::index pointer_ = 0;
};

/// Over at most 64 requesters.
using round_robin_arbiter = basic_round_robin_arbiter<word_set>;

}  // namespace spillway
