#pragma once
#include <cstdint>
#include <spillway/hw/links/link.hpp>

namespace spillway {

/// The pins between an output of a switch and what marks packets there.
template <class As>
struct marking_pins {
  /// `of`: what the pins are named by, see bundle_name.
  explicit marking_pins(const typename As::names& of) : waiting(of["waiting"]), marks(of["marks"]) {}
  /// Flits in the switch of packets that have chosen the output. What lies in a router's channel behind such
  /// a packet waits for it too, and counts. 65,535: so many or more.
  forward_pin<As, std::uint16_t> waiting;
  backward_pin<As, std::uint8_t> marks;  ///< added to flit::marks of heads that come to have the output

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.waiting...), f(b.marks...);
  }
};

using marking_out = bundle<marking_pins, as_sender>;   ///< the switch's end
using marking_in = bundle<marking_pins, as_receiver>;  ///< the marker's end

/// A marking link of a platform.
class marking_link final : public wired_link<marking_pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using wired_link::wired_link;
  const char* kind() const override { return "marking"; }
};

}  // namespace spillway
