#pragma once
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/link.hpp>

namespace spillway {

// Within a terminal, from where flits come in to where they give rise to others: at every edge at which
// `valid` is high, `data` has come in at the edge before. Nothing waits on the link.

/// The pins of an arrival link.
template <class As>
struct arrival_pins {
  /// `of`: what the pins are named by, see bundle_name.
  explicit arrival_pins(const typename As::names& of) : valid(of["valid"]), data(of["data"]) {}
  forward_pin<As, bool> valid;  ///< a flit has come in
  forward_pin<As, flit> data;   ///< the flit; means something while `valid` is high

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.valid...), f(b.data...);
  }
};

using arrival_in = bundle<arrival_pins, as_receiver>;  ///< a source's end
using arrival_out = bundle<arrival_pins, as_sender>;   ///< a sink's end

/// The arrival link of one terminal.
class arrival_link final : public wired_link<arrival_pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using wired_link::wired_link;
  const char* kind() const override { return "arrival"; }
};

}  // namespace spillway
