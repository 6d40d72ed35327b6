#pragma once
#include <cstdint>
#include <spillway/hw/links/link.hpp>
#include <utility>

namespace spillway {

// The links between a pool and its emergency bank. A spill link brings flits to the bank: while `valid` is
// high, `data` goes to place `slot`. A refill link fetches them: while `fetch` is high, the flit at place
// `wanted` is asked for, and two edges later the pool samples `valid`, `slot` and `data`. Nothing ever waits
// on them, since the pool keeps account of the places. The rules BL1 to BL6 are listed in
// docs/checker-rules.md.

/// The pins of a spill link.
template <class As>
struct spill_pins {
  /// `of`: what the pins are named by, see bundle_name.
  explicit spill_pins(const typename As::names& of)
      : valid(of["valid"]), slot(of["slot"]), data(of["data"]) {}
  forward_pin<As, bool> valid;          ///< a flit is given; it is always taken
  forward_pin<As, std::uint16_t> slot;  ///< place of the bank, below the bank's slots
  forward_pin<As, flit> data;           ///< the flit of that place

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.valid...), f(b.slot...), f(b.data...);
  }
};

/// The pins of a refill link: those of a spill link, and what asks for the flits.
template <class As>
struct refill_pins : spill_pins<As> {
  /// `of`: what the pins are named by, see bundle_name.
  explicit refill_pins(const typename As::names& of)
      : spill_pins<As>(of), fetch(of["fetch"]), wanted(of["wanted"]) {}
  backward_pin<As, bool> fetch;            ///< a flit is asked for
  backward_pin<As, std::uint16_t> wanted;  ///< place of the bank that it lies at

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    spill_pins<As>::each(f, b...);
    f(b.fetch...), f(b.wanted...);
  }
};

using spill_signals = bundle<spill_pins, as_signals>;  ///< its wires on signals
using spill_wires = bundle<spill_pins, as_wires>;      ///< its wires on the fast kernel
using spill_in = bundle<spill_pins, as_receiver>;      ///< the bank's end
using spill_out = bundle<spill_pins, as_sender>;       ///< the pool's end
using spill_watch = bundle<spill_pins, as_watcher>;    ///< who only looks on

using refill_signals = bundle<refill_pins, as_signals>;  ///< its wires on signals
using refill_wires = bundle<refill_pins, as_wires>;      ///< its wires on the fast kernel
using refill_in = bundle<refill_pins, as_receiver>;      ///< the pool's end
using refill_out = bundle<refill_pins, as_sender>;       ///< the bank's end
using refill_watch = bundle<refill_pins, as_watcher>;    ///< who only looks on

/// A spill link within a switch.
class spill_link final : public wired_link<spill_pins> {
public:
  /// `slots`: places of the bank.
  spill_link(link_place place, unsigned slots) : wired_link(std::move(place)), slots_(slots) {}

  const char* kind() const override { return "spill"; }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;

private:
  const unsigned slots_;
};

/// A refill link within a switch.
class refill_link final : public wired_link<refill_pins> {
public:
  /// `slots`: places of the bank.
  refill_link(link_place place, unsigned slots) : wired_link(std::move(place)), slots_(slots) {}

  const char* kind() const override { return "refill"; }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;

private:
  const unsigned slots_;
};

}  // namespace spillway
