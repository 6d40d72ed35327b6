#pragma once
#include <spillway/hw/links/link.hpp>
#include <utility>

namespace spillway {

/// Declares the one pin of a bus.
template <class T>
struct bus_value {
  /// The pin of one end, its signal or its wire, by `As`.
  template <class As>
  struct pins {
    /// `of`: what the pin is named by, see bundle_name.
    explicit pins(const typename As::names& of) : value(of["value"]) {}
    forward_pin<As, T> value;  ///< registered

    /// Calls `f` with the pins of the bundles.
    template <class F, class... Bundles>
    static void each(F&& f, Bundles&... b) {
      f(b.value...);
    }
  };
};

/// A value that one block shows and any number read. It has no rules.
template <class T>
class bus_link final : public wired_link<bus_value<T>::template pins> {
public:
  using wired_link<bus_value<T>::template pins>::wired_link;

  /// Binds the pin that shows it, or one that reads it.
  template <class Pin>
  void connect_pin(Pin& pin) {
    this->with([&pin](auto& wires) { pin(wires.value); });
  }
  const char* kind() const override { return "bus"; }
};

}  // namespace spillway
