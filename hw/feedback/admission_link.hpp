#pragma once
#include <cstdint>
#include <iosfwd>
#include <spillway/hw/kernel/pins.hpp>
#include <spillway/hw/links/link.hpp>
#include <string>

namespace spillway {

// Between a processor interface and the arbiter that admits requests. The interface shows the modules of the
// requests that it would like to send next; at every edge at which `grant` is high, one more of them may go,
// the first first. A grant is seen by the interface one edge after it was given, so what it shows is late by
// one: after a grant the arbiter looks at the second module. The rules FL6 and FL7 are stated in
// docs/checker-rules.md.

/// What an interface would like to send.
struct admission_wish {
  std::uint8_t count = 0;               ///< requests that wait for a grant, 0 to 2 (2: or more)
  std::uint32_t first = 0, second = 0;  ///< their modules
};
inline bool operator==(const admission_wish& a, const admission_wish& b) {
  return a.count == b.count && a.first == b.first && a.second == b.second;
}
inline bool operator!=(const admission_wish& a, const admission_wish& b) { return !(a == b); }
/// The modules, or `-`.
std::ostream& operator<<(std::ostream& os, const admission_wish& w);
void sc_trace(sc_core::sc_trace_file* tf, const admission_wish& w, const std::string& name);

/// The wires of one admission link, for a design in plain SystemC.
struct admission_signals {
  explicit admission_signals(const std::string& name)
      : wish((name + "_wish").c_str()), grant((name + "_grant").c_str()) {}
  sc_core::sc_signal<admission_wish> wish;
  sc_core::sc_signal<bool> grant;
  template <class F>
  void each(F&& f) const {
    f(wish), f(grant);
  }
};
/// The wires of one admission link on the fast kernel.
struct admission_wires {
  explicit admission_wires(clock_domain& domain) : wish(domain), grant(domain) {}
  wire<admission_wish> wish;
  wire<bool> grant;
};
/// One end of an admission link; pins `<name>_wish`, `<name>_grant`. `Forward`: what the pin of the wish is;
/// `Backward`: that of the grant.
template <template <class> class Forward, template <class> class Backward>
struct admission_end {
  explicit admission_end(const std::string& name) : wish(name + "_wish"), grant(name + "_grant") {}
  Forward<admission_wish> wish;
  Backward<bool> grant;

  template <class Bundle>
  void bind(Bundle& other) {
    wish(other.wish), grant(other.grant);
  }
};

using admission_client = admission_end<output, input>;  ///< the interface's end
using admission_server = admission_end<input, output>;  ///< the arbiter's end

/// The admission link of one processor.
class admission_link final : public wired_link<admission_signals, admission_wires> {
public:
  using wired_link::wired_link;
  const char* kind() const override { return "admission"; }
  std::optional<flit> blocked() const override { return std::nullopt; }
};

}  // namespace spillway
