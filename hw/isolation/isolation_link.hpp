#pragma once
#include <cstdint>
#include <iosfwd>
#include <spillway/hw/links/packet_link.hpp>
#include <string>

namespace spillway {

/// What one end of an isolation link tells the other of a congestion tree, at most one word a cycle. Against
/// the packets: send nothing more that goes through the root (set), or send it again (clear). With them: some
/// of its packets are set aside here (set), or no longer, and the token is back (clear).
///
/// Layout in bits (for RTL): root 0-27, set 28, clear 29.
struct tree_message {
  std::uint32_t root = 0;  ///< number of the output, over all switches, that is the root
  bool set = false;        ///< from now on
  bool clear = false;      ///< no longer

  bool any() const { return set || clear; }  ///< it tells something
};

/// @{
/// All fields are the same.
inline bool operator==(const tree_message& a, const tree_message& b) {
  return a.root == b.root && a.set == b.set && a.clear == b.clear;
}
inline bool operator!=(const tree_message& a, const tree_message& b) { return !(a == b); }
/// @}
/// As bits (bit_pins.hpp).
template <class F>
void each_bit_field(tree_message& m, F&& f) {
  f(m.root, 28), f(m.set, 1), f(m.clear, 1);
}
/// `set 7`, `clear 7`, `-`.
std::ostream& operator<<(std::ostream& os, const tree_message& m);
/// Traces every field as `name.field`.
void sc_trace(sc_core::sc_trace_file* tf, const tree_message& m, const std::string& name);

// An isolation link is a packet link of one lane with two more pins: `stop`, which goes back, and `token`,
// which goes with the packets. The rules IS1 to IS8 are listed in docs/checker-rules.md.

/// What an isolation link has beside a packet link.
template <class As>
struct tree_pins {
  /// `of`: what the pins are named by, see bundle_name.
  explicit tree_pins(const typename As::names& of) : stop(of["stop"]), token(of["token"]) {}
  backward_pin<As, tree_message> stop;  ///< of this cycle; registered
  forward_pin<As, tree_message> token;  ///< of this cycle; registered

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.stop...), f(b.token...);
  }
};

/// The pins of an isolation link.
template <class As>
struct isolation_pins : packet_pins<As>, tree_pins<As> {
  /// `of`: what the pins are named by, see bundle_name.
  explicit isolation_pins(const typename As::names& of) : packet_pins<As>(of), tree_pins<As>(of) {}

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    packet_pins<As>::each(f, b...);
    tree_pins<As>::each(f, b...);
  }
};

using isolation_signals = bundle<isolation_pins, as_signals>;  ///< its wires on signals
using isolation_wires = bundle<isolation_pins, as_wires>;      ///< its wires on the fast kernel
using tree_in = bundle<tree_pins, as_receiver>;                ///< at the receiving end
using tree_out = bundle<tree_pins, as_sender>;                 ///< at the sending end

/// An isolation link of a platform. A terminal at its receiving end binds the pins of a packet link alone: it
/// stops nothing.
class isolation_link final : public packet_carrier<isolation_pins> {
public:
  /// `queues`: roots that its receiver may have stopped at a time.
  isolation_link(link_place place, unsigned queues) : packet_carrier(std::move(place)), queues_(queues) {}

  const char* kind() const override { return "isolation"; }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;

private:
  const unsigned queues_;
};

}  // namespace spillway
