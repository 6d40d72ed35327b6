#pragma once
#include <cstdint>
#include <iosfwd>
#include <spillway/hw/links/packet_link.hpp>
#include <string>
#include <utility>

namespace spillway {

/// What the receiver of an embargo link tells its sender in a cycle: at most one of the three.
///
/// Layout in bits (for RTL): terminal 0-27, by_source 28, embargo 29, release 30, report 31, place 32-47.
struct control_message {
  std::uint32_t terminal = 0;  ///< whose messages it is about
  bool by_source = false;      ///< those from the terminal, not those to it
  bool embargo = false;        ///< send no more of them ...
  bool release = false;        ///< ... until this comes
  bool report = false;         ///< one of them has left the pool (sender calculates), from
  std::uint16_t place = 0;     ///< this place, which it came with

  bool any() const { return embargo || release || report; }  ///< it tells something
  /// Whether it is about this flit.
  bool concerns(const flit& f) const { return (by_source ? f.source : f.destination) == terminal; }
};

/// @{
/// All fields are the same.
inline bool operator==(const control_message& a, const control_message& b) {
  return a.terminal == b.terminal && a.by_source == b.by_source && a.embargo == b.embargo &&
         a.release == b.release && a.report == b.report && a.place == b.place;
}
inline bool operator!=(const control_message& a, const control_message& b) { return !(a == b); }
/// @}
/// As bits (bit_pins.hpp).
template <class F>
void each_bit_field(control_message& m, F&& f) {
  f(m.terminal, 28), f(m.by_source, 1), f(m.embargo, 1), f(m.release, 1), f(m.report, 1), f(m.place, 16);
}

/// `embargo 7`, `release 7`, `report 7 at 3`, `-`; `from 7` instead of `7` when it is by source.
std::ostream& operator<<(std::ostream& os, const control_message& m);
/// Traces every field as `name.field`.
void sc_trace(sc_core::sc_trace_file* tf, const control_message& m, const std::string& name);

// An embargo link is a packet link of single-flit messages, lane 0, with one more pin that goes with the
// message, `place`: the number of the place that the sender has given it in the receiver's pool, where the
// sender calculates; and two more that go back: `control`, and `interdict`, which stops everything while it
// is high. A receiver of switches takes whatever is sent (`ready` is high out of reset); a terminal may
// refuse, and has no numbered places. The rules EL1 to EL7 are listed in docs/checker-rules.md.

/// The pins of an embargo link.
template <class As>
struct embargo_pins : packet_pins<As> {
  /// `of`: what the pins are named by, see bundle_name.
  explicit embargo_pins(const typename As::names& of)
      : packet_pins<As>(of), place(of["place"]), control(of["control"]), interdict(of["interdict"]) {}
  /// Number of the flit's place in the receiver's pool; embargo_sender::no_place: none.
  forward_pin<As, std::uint16_t> place;
  backward_pin<As, control_message> control;  ///< of this cycle; registered
  backward_pin<As, bool> interdict;           ///< no flit may be sent; registered

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    packet_pins<As>::each(f, b...);
    f(b.place...), f(b.control...), f(b.interdict...);
  }
};

using embargo_signals = bundle<embargo_pins, as_signals>;  ///< its wires on signals
using embargo_wires = bundle<embargo_pins, as_wires>;      ///< its wires on the fast kernel
using embargo_in = bundle<embargo_pins, as_receiver>;      ///< the receiving end
using embargo_out = bundle<embargo_pins, as_sender>;       ///< the sending end

/// An embargo link of a platform. The pins of a packet link fit its receiving end too: a terminal sends no
/// control.
class embargo_link final : public packet_carrier<embargo_pins> {
public:
  /// `reported`: its receiver reports every message that leaves its pool (sender calculates). `places`: of
  /// that pool's partition; 0: not known.
  embargo_link(link_place place, bool reported, unsigned places = 0)
      : packet_carrier(std::move(place)), reported_(reported), places_(places) {}

  const char* kind() const override { return "embargo"; }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;
  /// Of numbers of places, out and back, what the pool needs; where nothing is reported neither these nor
  /// `report`.
  hardware_size wires() override {
    constexpr unsigned pin = 16;
    const unsigned needed = !reported_ ? 0 : places_ ? bits_below(places_) : pin;
    hardware_size all = packet_carrier::wires();
    all.bits -= 2 * (pin - needed) + (reported_ ? 0 : 1);
    return all;
  }

private:
  const bool reported_;
  const unsigned places_;
};

}  // namespace spillway
