#pragma once
#include <cstdint>
#include <spillway/hw/links/packet_link.hpp>
#include <string>

namespace spillway {

/// A packet link from a memory queue to its memory, with the length of the queue beside it.
/// The rule FL1 is stated in docs/checker-rules.md.
class memory_link final : public packet_link {
public:
  explicit memory_link(link_place place) : packet_link(std::move(place)) {
    if (clock_domain* const domain = domain_here())
      wire_ = std::make_unique<wire<std::uint16_t>>(*domain);
    else
      signal_ = std::make_unique<sc_core::sc_signal<std::uint16_t>>((name() + "_length").c_str());
  }

  /// Flits in the queue, the one that is shown included.
  std::uint16_t length() const { return wire_ ? wire_->read() : signal_->read(); }
  /// Binds the pin that drives or reads the length.
  template <class Pin>
  void connect_length(Pin& pin) {
    if (wire_)
      pin(*wire_);
    else
      pin(*signal_);
  }

  /// Most flits that the queue may hold without showing one: those of a packet that it stores before it
  /// forwards it.
  unsigned unshown() const { return unshown_; }
  void set_unshown(unsigned flits) { unshown_ = flits; }

  const char* kind() const override { return "memory"; }
  unsigned trace(sc_core::sc_trace_file* file,
                 const std::function<bool(const char* name)>& chosen) const override {
    const unsigned traced = packet_link::trace(file, chosen);
    if (!signal_ || !chosen(signal_->name())) return traced;
    sc_core::sc_trace(file, signal_->read(), signal_->name());
    return traced + 1;
  }

private:
  unsigned unshown_ = 0;
  std::unique_ptr<wire<std::uint16_t>> wire_;
  std::unique_ptr<sc_core::sc_signal<std::uint16_t>> signal_;
};

}  // namespace spillway
