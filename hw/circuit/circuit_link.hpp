#pragma once
#include <spillway/hw/kernel/pins.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/link.hpp>
#include <string>

namespace spillway {

// One direction of a circuit-switched link. A sender raises `request` and shows the head of its message on
// `data`, then one flit a cycle up to the tail, which stays. The receiver answers with one cycle of
// `acknowledge` (the message has arrived) or of `collision` (it was rejected), and the sender lowers
// `request` at the edge at which it sees the answer: that releases the link. There is no back-pressure, so
// a message needs no buffers on its way. The rules CL1 to CL7 are listed in docs/checker-rules.md.

/// The wires of one circuit link, for a design in plain SystemC.
struct circuit_signals {
  explicit circuit_signals(const std::string& name)
      : request((name + "_request").c_str()),
        data((name + "_data").c_str()),
        acknowledge((name + "_acknowledge").c_str()),
        collision((name + "_collision").c_str()) {}
  sc_core::sc_signal<bool> request;
  sc_core::sc_signal<flit> data;
  sc_core::sc_signal<bool> acknowledge, collision;

  template <class F>
  void each(F&& f) const {
    f(request), f(data), f(acknowledge), f(collision);
  }
};

/// The wires of one circuit link on the fast kernel.
struct circuit_wires {
  explicit circuit_wires(clock_domain& domain)
      : request(domain), data(domain), acknowledge(domain), collision(domain) {}
  wire<bool> request;
  wire<flit> data;
  wire<bool> acknowledge, collision;
};

/// One end of a circuit link; pins `<name>_request`, `<name>_data`, `<name>_acknowledge`, `<name>_collision`.
/// `Forward`: what the pins are that go with the message; `Backward`: those of its answer.
template <template <class> class Forward, template <class> class Backward>
struct circuit_end {
  explicit circuit_end(const std::string& name)
      : request(name + "_request"),
        data(name + "_data"),
        acknowledge(name + "_acknowledge"),
        collision(name + "_collision") {}
  Forward<bool> request;
  Forward<flit> data;
  Backward<bool> acknowledge, collision;

  template <class Bundle>
  void bind(Bundle& other) {
    request(other.request), data(other.data), acknowledge(other.acknowledge), collision(other.collision);
  }
};

using circuit_in = circuit_end<input, output>;   ///< the receiving end
using circuit_out = circuit_end<output, input>;  ///< the sending end

/// A circuit link of a platform.
class circuit_link final : public wired_link<circuit_signals, circuit_wires> {
public:
  using wired_link::wired_link;

  const char* kind() const override { return "circuit"; }
  /// The flit on a link that is held and not answered.
  std::optional<flit> blocked() const override {
    return with([](const auto& w) -> std::optional<flit> {
      if (!w.request.read() || w.acknowledge.read() || w.collision.read()) return std::nullopt;
      return w.data.read();
    });
  }
};

}  // namespace spillway
