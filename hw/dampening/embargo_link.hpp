#pragma once
#include <cstdint>
#include <iosfwd>
#include <spillway/hw/links/packet_link.hpp>
#include <string>
#include <utility>

namespace spillway {

/// What the receiver of an embargo link tells its sender in a cycle: at most one of the three.
///
/// Layout in bits (for RTL): terminal 0-31, by_source 32, embargo 33, release 34, report 35.
struct control_message {
  std::uint32_t terminal = 0;  ///< whose messages it is about
  bool by_source = false;      ///< those from the terminal, not those to it
  bool embargo = false;        ///< send no more of them ...
  bool release = false;        ///< ... until this comes
  bool report = false;         ///< one of them has left the pool (sender calculates)

  bool any() const { return embargo || release || report; }
  /// Whether it is about this flit.
  bool concerns(const flit& f) const { return (by_source ? f.source : f.destination) == terminal; }
};

inline bool operator==(const control_message& a, const control_message& b) {
  return a.terminal == b.terminal && a.by_source == b.by_source && a.embargo == b.embargo &&
         a.release == b.release && a.report == b.report;
}
inline bool operator!=(const control_message& a, const control_message& b) { return !(a == b); }

/// `embargo 7`, `release 7`, `report 7`, `-`; `from 7` instead of `7` when it is by source.
std::ostream& operator<<(std::ostream& os, const control_message& m);
/// Traces every field as `name.field`.
void sc_trace(sc_core::sc_trace_file* tf, const control_message& m, const std::string& name);

// An embargo link is a packet link of single-flit messages, lane 0, with two more pins that go back:
// `control` and `interdict`, which stops everything while it is high. A receiver of switches takes whatever
// is sent (`ready` is high out of reset); a terminal may refuse. The rules EL1 to EL6 are listed in
// docs/checker-rules.md.

/// The wires of one embargo link, for a design in plain SystemC.
struct embargo_signals : packet_signals {
  explicit embargo_signals(const std::string& name)
      : packet_signals(name),
        control((name + "_control").c_str()),
        interdict((name + "_interdict").c_str()) {}
  sc_core::sc_signal<control_message> control;
  sc_core::sc_signal<bool> interdict;

  template <class F>
  void each(F&& f) const {
    packet_signals::each(f);
    f(control), f(interdict);
  }
};

/// The wires of one embargo link on the fast kernel.
struct embargo_wires : packet_wires {
  explicit embargo_wires(clock_domain& domain) : packet_wires(domain), control(domain), interdict(domain) {}
  wire<control_message> control;
  wire<bool> interdict;
};

/// One end of an embargo link: the pins of packet_end, `<name>_control` and `<name>_interdict`.
template <template <class> class Forward, template <class> class Backward>
struct embargo_end : packet_end<Forward, Backward> {
  explicit embargo_end(const std::string& name)
      : packet_end<Forward, Backward>(name), control(name + "_control"), interdict(name + "_interdict") {}
  Backward<control_message> control;
  Backward<bool> interdict;

  template <class Bundle>
  void bind(Bundle& other) {
    packet_end<Forward, Backward>::bind(other);
    control(other.control), interdict(other.interdict);
  }
};

using embargo_in = embargo_end<input, output>;   ///< the receiving end
using embargo_out = embargo_end<output, input>;  ///< the sending end

/// An embargo link of a platform. The pins of a packet link fit its receiving end too: a terminal sends no
/// control.
class embargo_link final : public wired_link<embargo_signals, embargo_wires> {
public:
  /// `reported`: its receiver reports every message that leaves its pool (sender calculates).
  embargo_link(link_place place, bool reported) : wired_link(std::move(place)), reported_(reported) {}

  bool reported() const { return reported_; }
  const char* kind() const override { return "embargo"; }
  std::optional<flit> blocked() const override {
    return with([](const auto& w) -> std::optional<flit> {
      if (!w.valid.read() || accepts(w.ready.read(), w.data.read())) return std::nullopt;
      return w.data.read();
    });
  }

private:
  const bool reported_;
};

}  // namespace spillway
