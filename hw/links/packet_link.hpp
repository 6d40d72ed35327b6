#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/link.hpp>

namespace spillway {

/// The `ready` pin of a packet link: bit l tells that a flit of lane l is accepted at the next edge.
/// A lane is a downstream queue or a virtual channel, so a sender that looks ahead never waits for
/// room in a queue that it does not want. At most flit::most_lanes.
using lane_mask = std::uint64_t;

/// Whether a receiver that shows `ready` takes the flit at the next edge.
inline bool accepts(lane_mask ready, const flit& f) { return ready >> f.lane & 1; }

// A flit crosses the link at an edge at which `valid` and bit flit.lane of `ready` are both set.
// The rules PL1 to PL5 are listed in docs/checker-rules.md.

/// The pins of a packet link.
template <class As>
struct packet_pins : lanes_holder<As> {
  /// `of`: what the pins are named by, see bundle_name.
  explicit packet_pins(const typename As::names& of)
      : valid(of["valid"]), data(of["data"]), ready(of["ready"]) {}
  forward_pin<As, bool> valid;        ///< a flit is shown
  forward_pin<As, flit> data;         ///< the flit; means something while `valid` is high
  backward_pin<As, lane_mask> ready;  ///< see lane_mask
  /// What this end knows of the lanes of its link.
  link_lanes& lanes() { return this->lanes_of(valid); }

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.valid...), f(b.data...), f(b.ready...);
  }
  /// Whether the flit that is shown crosses at this edge.
  bool crosses() const { return valid.read() && accepts(ready.read(), data.read()); }
};

using packet_signals =
    bundle<packet_pins, as_signals>;  ///< `packet_signals s("s"); a.out.bind(s); b.in.bind(s);`
using packet_wires = bundle<packet_pins, as_wires>;    ///< the same on the fast kernel
using packet_in = bundle<packet_pins, as_receiver>;    ///< the receiving end
using packet_out = bundle<packet_pins, as_sender>;     ///< the sending end
using packet_watch = bundle<packet_pins, as_watcher>;  ///< who only looks on
static_assert(sizeof(packet_in) <= 64 && sizeof(packet_out) <= 64, "the pins of an end are a cache line");

/// A link whose pins are those of a packet link, and what `Pins` declares beside them.
template <template <class> class Pins>
class packet_carrier : public wired_link<Pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using wired_link<Pins>::wired_link;

  /// Whether the sender shows a flit now.
  bool valid() const {
    return this->with([](const auto& w) { return w.valid.read(); });
  }
  /// The flit that it shows; means something while valid().
  flit data() const {
    return this->with([](const auto& w) { return w.data.read(); });
  }
  /// What the receiver shows now.
  lane_mask ready() const {
    return this->with([](const auto& w) { return w.ready.read(); });
  }

  /// The flit that waits to cross it.
  std::optional<flit> blocked() const override {
    if (!valid() || accepts(ready(), data())) return std::nullopt;
    return data();
  }
  /// Binds who looks on.
  void connect_watch(packet_watch& to) override { this->connect(to); }
};

/// A packet link of a platform.
class packet_link : public packet_carrier<packet_pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using packet_carrier::packet_carrier;

  const char* kind() const override { return "packet"; }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;
  std::unique_ptr<stepped> make_watcher(wire<bool>& reset, const violation_handler& handler) override;
};

/// What the receiving end of a link says of itself, for the sender's look-ahead.
struct link_end {
  unsigned node = 0;   ///< number of the switch or terminal
  unsigned input = 0;  ///< its input port
  unsigned lanes =
      1;  ///< of the link; more than one: one an output of that switch, so the sender looks ahead
  bool terminal = false;  ///< it is a terminal, not a switch
};

}  // namespace spillway
