#pragma once
#include <cstdint>
#include <iosfwd>
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
  std::uint8_t count = 0;    ///< requests that wait for a grant, 0 to 2 (2: or more)
  std::uint32_t first = 0;   ///< module of the first
  std::uint32_t second = 0;  ///< module of the second
};
/// @{
/// All fields are the same.
inline bool operator==(const admission_wish& a, const admission_wish& b) {
  return a.count == b.count && a.first == b.first && a.second == b.second;
}
inline bool operator!=(const admission_wish& a, const admission_wish& b) { return !(a == b); }
/// @}
/// As bits (bit_pins.hpp).
template <class F>
void each_bit_field(admission_wish& w, F&& f) {
  f(w.count, 2), f(w.first, 28), f(w.second, 28);
}
/// The modules, or `-`.
std::ostream& operator<<(std::ostream& os, const admission_wish& w);
/// Traces every field as `name.field`.
void sc_trace(sc_core::sc_trace_file* tf, const admission_wish& w, const std::string& name);

/// The pins of an admission link.
template <class As>
struct admission_pins {
  /// `of`: what the pins are named by, see bundle_name.
  explicit admission_pins(const typename As::names& of) : wish(of["wish"]), grant(of["grant"]) {}
  forward_pin<As, admission_wish> wish;  ///< what the interface would like to send; registered
  backward_pin<As, bool> grant;          ///< one more of it may go; high for a cycle a request

  /// Calls `f` with each pin of the bundles, like pins together.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.wish...), f(b.grant...);
  }
};

using admission_client = bundle<admission_pins, as_sender>;    ///< the interface's end
using admission_server = bundle<admission_pins, as_receiver>;  ///< the arbiter's end
using admission_watch = bundle<admission_pins, as_watcher>;    ///< who only looks on

/// The admission link of one processor. The rules look at those of all processors: see admission_checker.
class admission_link final : public wired_link<admission_pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using wired_link::wired_link;
  const char* kind() const override { return "admission"; }
};

}  // namespace spillway
