#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/switching/port_sets.hpp>

namespace spillway {

/// What an arbiter may know of those that want the same output.
class contenders {
public:
  virtual ~contenders() = default;
  /// The flit that the requester would send first.
  virtual const flit& front(unsigned requester) const = 0;
  /// Low bits of the cycle at which that flit came to the switch.
  virtual std::uint32_t arrived(unsigned requester) const = 0;
};

/// Chooses which of the packets that want the same output of a switch goes first. A plain part, with the
/// state that its rule needs; one object an output.
class arbiter {
public:
  virtual ~arbiter() = default;
  /// Who of `requests`, bit i for requester i, goes first; there is at least one, and it goes.
  virtual unsigned grant(std::uint64_t requests, const contenders& of) = 0;
  /// Reset.
  virtual void clear() {}
};

/// Makes the arbiter of an output that so many requesters, at most 64, may want. Empty: a round-robin
/// arbiter, which switches have built in.
using arbiter_maker = std::function<std::unique_ptr<arbiter>(unsigned requesters)>;

/// Round-robin arbiter over the requesters that a `Set` can hold: the first one at or after the pointer wins,
/// and the pointer then stands one past the winner. A plain part, not a block.
template <class Set>
class basic_round_robin_arbiter {
public:
  /// `requests` must not be empty. The pointer moves only by granted().
  unsigned pick(const Set& requests) const { return requests.first_from(pointer_); }
  /// Whether `a` would win against `b`.
  bool prefers(unsigned a, unsigned b) const { return distance(a) < distance(b); }
  /// The pointer moves to one past `winner`.
  void granted(unsigned winner) {
    pointer_ = static_cast<typename Set::index>((winner + 1) & (Set::size - 1));
  }
  void clear() { pointer_ = 0; }  ///< the pointer back to 0

private:
  unsigned distance(unsigned requester) const { return (requester - pointer_) & (Set::size - 1); }

  typename Set::index pointer_ = 0;
};

/// Over at most 64 requesters.
using round_robin_arbiter = basic_round_robin_arbiter<word_set>;

}  // namespace spillway
