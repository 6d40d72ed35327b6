#pragma once
#include <cstdint>
#include <spillway/hw/links/packet_link.hpp>
#include <utility>

namespace spillway {

/// What a memory link has beside the pins of a packet link.
template <class As>
struct length_pins {
  /// `of`: what the pin is named by, see bundle_name.
  explicit length_pins(const typename As::names& of) : length(of["length"]) {}
  forward_pin<As, std::uint16_t> length;  ///< flits in the queue, the one that is shown included; registered

  /// Calls `f` with the pins of the bundles.
  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.length...);
  }
};

/// A packet link from a memory queue to its memory, with the length of the queue beside it.
/// The rule FL1 is stated in docs/checker-rules.md.
class memory_link final : public packet_link {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  explicit memory_link(link_place place) : packet_link(std::move(place)), length_(name()) {}

  /// Flits in the queue, the one that is shown included.
  std::uint16_t length() const {
    return length_.with([](const auto& w) { return w.length.read(); });
  }
  /// Binds the pin that drives or reads the length.
  template <class Pin>
  void connect_length(Pin& pin) {
    length_.with([&pin](auto& w) { pin(w.length); });
  }

  /// Most flits that the queue may hold without showing one: those of a packet that it stores before it
  /// forwards it.
  unsigned unshown() const { return unshown_; }
  void set_unshown(unsigned flits) { unshown_ = flits; }  ///< of the queue, before the checker is made

  const char* kind() const override { return "memory"; }
  std::vector<link_signal> signals() const override {
    auto all = packet_link::signals();
    length_.add_signals(all);
    return all;
  }
  hardware_size wires() override { return packet_link::wires() + length_.size(); }  ///< with the length
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override;

private:
  unsigned unshown_ = 0;
  bundle_wires<length_pins> length_;
};

}  // namespace spillway
