#pragma once
#include <cstdint>
#include <spillway/hw/kernel/pins.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/link.hpp>
#include <string>

namespace spillway {

/// The `ready` pin of a packet link: bit l tells that a flit of lane l is accepted at the next edge.
/// A lane is a downstream queue or a virtual channel, so a sender that looks ahead never waits for
/// room in a queue that it does not want. At most flit::most_lanes.
using lane_mask = std::uint64_t;

/// Whether a receiver that shows `ready` takes the flit at the next edge.
inline bool accepts(lane_mask ready, const flit& f) { return ready >> f.lane & 1; }

// A flit crosses the link at an edge at which `valid` and bit flit.lane of `ready` are both set.
// The rules PL1 to PL5 are listed in docs/checker-rules.md.

/// The wires of one packet link, for a design in plain SystemC: `packet_signals s("s"); a.out.bind(s);
/// b.in.bind(s);`
struct packet_signals {
  explicit packet_signals(const std::string& name)
      : valid((name + "_valid").c_str()), data((name + "_flit").c_str()), ready((name + "_ready").c_str()) {}
  sc_core::sc_signal<bool> valid;
  sc_core::sc_signal<flit> data;
  sc_core::sc_signal<lane_mask> ready;

  template <class F>
  void each(F&& f) const {
    f(valid), f(data), f(ready);
  }
  void trace(sc_core::sc_trace_file* tf) const {
    each([tf](const auto& signal) {
      using sc_core::sc_trace;
      sc_trace(tf, signal, std::string(signal.name()));
    });
  }
};

/// The wires of one packet link on the fast kernel.
struct packet_wires {
  explicit packet_wires(clock_domain& domain) : valid(domain), data(domain), ready(domain) {}
  wire<bool> valid;
  wire<flit> data;
  wire<lane_mask> ready;
};

/// One end of a packet link; pins `<name>_valid`, `<name>_flit`, `<name>_ready`. `Forward`: what the pins are
/// that go with the flits; `Backward`: those against them.
template <template <class> class Forward, template <class> class Backward>
struct packet_end {
  explicit packet_end(const std::string& name)
      : valid(name + "_valid"), data(name + "_flit"), ready(name + "_ready") {}
  Forward<bool> valid;
  Forward<flit> data;
  Backward<lane_mask> ready;

  template <class Bundle>
  void bind(Bundle& other) {
    valid(other.valid), data(other.data), ready(other.ready);
  }
  /// Whether the flit that is shown crosses at this edge.
  bool crosses() const { return valid.read() && accepts(ready.read(), data.read()); }
};

using packet_in = packet_end<input, output>;    ///< the receiving end
using packet_out = packet_end<output, input>;   ///< the sending end
using packet_watch = packet_end<input, input>;  ///< who only looks on

/// A packet link of a platform.
class packet_link : public wired_link<packet_signals, packet_wires> {
public:
  using wired_link::wired_link;

  bool valid() const {
    return with([](const auto& w) { return w.valid.read(); });
  }
  flit data() const {
    return with([](const auto& w) { return w.data.read(); });
  }
  lane_mask ready() const {
    return with([](const auto& w) { return w.ready.read(); });
  }

  const char* kind() const override { return "packet"; }
  std::optional<flit> blocked() const override {
    if (!valid() || accepts(ready(), data())) return std::nullopt;
    return data();
  }
};

/// What the receiving end of a link says of itself, for the sender's look-ahead.
struct link_end {
  unsigned node = 0;   ///< number of the switch or terminal
  unsigned input = 0;  ///< its input port
  bool lanes = false;  ///< one lane an output of that switch, so the sender must look ahead
  bool terminal = false;
};

}  // namespace spillway
