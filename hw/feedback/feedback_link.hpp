#pragma once
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <spillway/hw/links/link.hpp>
#include <string>
#include <vector>

namespace spillway {

// What memories tell processor interfaces: lines that all see at once, or a bus that carries one change a
// cycle (Farrens, Wetmore and Woodruff, section 6.1). The rules FL2 to FL5 are stated in
// docs/checker-rules.md.

/// Ideal broadcast: one line a memory module, high while the module is hot. The lines are packed 64 to a
/// word, so that a reader needs one pin a word and a driver one pin a line.
class feedback_lines final : public network_link {
public:
  static constexpr unsigned lines_a_word = 64;  ///< packed into one pin
  using word = std::uint64_t;                   ///< bit i of word w: line 64 w + i

  /// `place`: name and ends of the link. It belongs to the module that is being made. `modules`: lines.
  feedback_lines(link_place place, unsigned modules);
  ~feedback_lines() override;

  /// That so many lines take.
  static unsigned words(unsigned modules) { return (modules + lines_a_word - 1) / lines_a_word; }
  unsigned modules() const { return modules_; }  ///< lines, one each
  bool hot(unsigned module) const;               ///< what the module's line shows

  /// Binds the pin of the module that drives a line; each line has one driver.
  void connect_line(unsigned module, output<bool>& pin);
  /// Binds a row of word pins, one a word.
  void connect_words(row<input<word>>& pins);
  /// Binds the pin of the word that holds a module's line.
  void connect_word_of(unsigned module, input<word>& pin);

  const char* kind() const override { return "feedback_lines"; }
  hardware_size wires() override { return {0, 0, modules_}; }  ///< those of all modules
  std::vector<link_signal> signals() const override;
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;

private:
  class channel;
  class driver;
  const unsigned modules_;
  std::vector<std::unique_ptr<channel>> channels_;  // one a word
  std::vector<std::unique_ptr<driver>> drivers_;    // one a line
};

/// What the feedback bus carries in a cycle: a module that turned hot or cool, or nothing.
struct announcement {
  bool valid = false;        ///< there is an announcement in this cycle
  bool hot = false;          ///< the module turned hot; else it turned cool
  std::uint32_t module = 0;  ///< number of the module
};
/// @{
/// All fields are the same.
inline bool operator==(const announcement& a, const announcement& b) {
  return a.valid == b.valid && a.hot == b.hot && a.module == b.module;
}
inline bool operator!=(const announcement& a, const announcement& b) { return !(a == b); }
/// @}
/// As bits (bit_pins.hpp).
template <class F>
void each_bit_field(announcement& a, F&& f) {
  f(a.valid, 1), f(a.hot, 1), f(a.module, 28);
}
/// `hot 3`, `cool 3` or `-`.
std::ostream& operator<<(std::ostream& os, const announcement& a);
/// Traces every field as `name.field`.
void sc_trace(sc_core::sc_trace_file* tf, const announcement& a, const std::string& name);

/// The pin of the bus.
template <class As>
struct feedback_bus_pins {
  /// `of`: what the pin is named by, see bundle_name.
  explicit feedback_bus_pins(const typename As::names& of) : said(of["said"]) {}
  forward_pin<As, announcement> said;  ///< registered; each announcement is shown for a cycle

  /// Calls `f` with the pins of the bundles.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.said...);
  }
};

using feedback_bus_in = bundle<feedback_bus_pins, as_receiver>;  ///< an interface's end
using feedback_bus_out = bundle<feedback_bus_pins, as_sender>;   ///< the bus's end

/// The feedback bus of a platform. Its rules look at the lines too: see bus_checker.
class feedback_bus_link final : public wired_link<feedback_bus_pins> {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  using wired_link::wired_link;
  const char* kind() const override { return "feedback_bus"; }
};

}  // namespace spillway
