#pragma once
#include <spillway/hw/links/link.hpp>

namespace spillway {

// One direction of a circuit-switched link. A sender raises `request` and shows the head of its message on
// `data`, then one flit a cycle up to the tail, which stays. The receiver answers with one cycle of
// `acknowledge` (the message has arrived) or of `collision` (it was rejected), and the sender lowers
// `request` at the edge at which it sees the answer: that releases the link. There is no back-pressure, so
// a message needs no buffers on its way. The rules CL1 to CL7 are listed in docs/checker-rules.md.

/// The pins of a circuit link.
template <class As>
struct circuit_pins {
  /// `of`: what the pins are named by, see bundle_name.
  explicit circuit_pins(const typename As::names& of)
      : request(of["request"]),
        data(of["data"]),
        acknowledge(of["acknowledge"]),
        collision(of["collision"]) {}
  forward_pin<As, bool> request;       ///< the link is reserved, from the head to the answer
  forward_pin<As, flit> data;          ///< the flit of this cycle, while `request` is high
  backward_pin<As, bool> acknowledge;  ///< high for a cycle: the message has arrived
  backward_pin<As, bool> collision;    ///< high for a cycle: it was rejected

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.request...), f(b.data...), f(b.acknowledge...), f(b.collision...);
  }
};

using circuit_signals = bundle<circuit_pins, as_signals>;  ///< its wires on signals
using circuit_wires = bundle<circuit_pins, as_wires>;      ///< its wires on the fast kernel
using circuit_in = bundle<circuit_pins, as_receiver>;      ///< the receiving end
using circuit_out = bundle<circuit_pins, as_sender>;       ///< the sending end
using circuit_watch = bundle<circuit_pins, as_watcher>;    ///< who only looks on

/// A circuit link of a platform.
class circuit_link final : public wired_link<circuit_pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using wired_link::wired_link;

  const char* kind() const override { return "circuit"; }
  /// The flit on a link that is held and not answered.
  std::optional<flit> blocked() const override {
    return with([](const auto& w) -> std::optional<flit> {
      if (!w.request.read() || w.acknowledge.read() || w.collision.read()) return std::nullopt;
      return w.data.read();
    });
  }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;
};

}  // namespace spillway
