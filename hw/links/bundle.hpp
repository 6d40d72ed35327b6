#pragma once
#include <spillway/hw/kernel/pins.hpp>
#include <spillway/hw/kernel/watch_input.hpp>
#include <spillway/hw/links/link_lanes.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace spillway {

// A bundle of pins is declared once, as a template over what its pins are: signals, wires, or the ports of an
// end. A pin has the name of its member, behind that of the bundle: `valid` of `in0` is `in0_valid`.
//
//   template <class As>
//   struct packet_pins {
//     explicit packet_pins(const typename As::names& of)
//         : valid(of["valid"]), data(of["data"]), ready(of["ready"]) {}
//     forward_pin<As, bool> valid;
//     forward_pin<As, flit> data;
//     backward_pin<As, lane_mask> ready;
//
//     template <class F, class... Bundles>
//     static void each(F&& f, Bundles&... b) {
//       f(b.valid...), f(b.data...), f(b.ready...);
//     }
//   };
//   using packet_in = bundle<packet_pins, as_receiver>;  // and so on

/// The name of a bundle, and the names of its pins. Without a name a pin has its own alone.
class bundle_name {
public:
  /// @{
  /// Of the bundle; empty: a pin has the name of its member.
  bundle_name(std::string name) : name_(std::move(name)) {}
  bundle_name(const char* name) : name_(name) {}
  /// @}

  /// The name of a pin, as a port or signal takes it.
  struct pin {
    std::string name;  ///< of the bundle and of the member, with `_` between them
    operator const char*() const { return name.c_str(); }  ///< good for as long as the object
  };
  /// Name of the pin that is this member.
  pin operator[](const char* member) const { return {name_.empty() ? member : name_ + '_' + member}; }

private:
  std::string name_;
};

/// Where wires are made; they have no names.
class wire_place {
public:
  wire_place(clock_domain& domain) : domain_(domain) {}  ///< `domain` must outlive what is made in it
  clock_domain& operator[](const char*) const { return domain_; }  ///< whatever the member

private:
  clock_domain& domain_;
};

// What the pins of a bundle are: `forward` those that go with the data, `backward` those against them.

/// sc_signals, for a design in plain SystemC.
struct as_signals {
  static constexpr link_lanes::role role = link_lanes::role::wires;  ///< what its links know of its lanes
  using names = bundle_name;                                         ///< what names its pins
  template <class T>
  using forward = sc_core::sc_signal<T>;  ///< a pin that goes with the data
  template <class T>
  using backward = sc_core::sc_signal<T>;  ///< a pin that goes against them
};
/// Wires of the fast kernel.
struct as_wires {
  /// @{
  /// As in as_signals.
  static constexpr link_lanes::role role = link_lanes::role::wires;
  using names = wire_place;
  template <class T>
  using forward = wire<T>;
  template <class T>
  using backward = wire<T>;
  /// @}
};
/// The ports of the receiving end.
struct as_receiver {
  /// @{
  /// As in as_signals.
  static constexpr link_lanes::role role = link_lanes::role::receiver;
  using names = bundle_name;
  template <class T>
  using forward = input<T>;
  template <class T>
  using backward = output<T>;
  /// @}
};
/// The ports of the sending end.
struct as_sender {
  /// @{
  /// As in as_signals.
  static constexpr link_lanes::role role = link_lanes::role::sender;
  using names = bundle_name;
  template <class T>
  using forward = output<T>;
  template <class T>
  using backward = input<T>;
  /// @}
};
/// The pins of who only looks on, such as a checker.
struct as_watcher {
  /// @{
  /// As in as_signals.
  static constexpr link_lanes::role role = link_lanes::role::watcher;
  using names = bundle_name;
  template <class T>
  using forward = watch_input<T>;
  template <class T>
  using backward = watch_input<T>;
  /// @}
};

/// The pin of a bundle that goes with the data: for `As` as_sender an output, for as_receiver an input.
template <class As, class T>
using forward_pin = typename As::template forward<T>;
/// The pin of a bundle that goes against the data: for `As` as_sender an input, for as_receiver an output.
template <class As, class T>
using backward_pin = typename As::template backward<T>;

namespace detail {
template <class Bundle, class Other, class = void>
struct both_have_lanes : std::false_type {};
template <class Bundle, class Other>
struct both_have_lanes<
    Bundle, Other,
    std::void_t<decltype(std::declval<Bundle&>().lanes().join(std::declval<Other&>().lanes(), ""))>>
    : std::true_type {};
}  // namespace detail

/// The bundle that `Pins` declares, with pins of one sort.
template <template <class> class Pins, class As>
struct bundle : Pins<As> {
  /// `of`: the name; of wires, the clock domain.
  explicit bundle(const typename As::names& of) : Pins<As>(of) {}

  /// Binds the ports to whatever has members of the same names: signals, wires, or the ports of a parent.
  template <class Other>
  void bind(Other& other) {
    Pins<As>::each([](auto& pin, auto& channel) { pin(channel); }, *this, other);
    if constexpr (detail::both_have_lanes<bundle, Other>::value) {
      if constexpr (As::role == link_lanes::role::watcher)
        this->lanes().look_at(other.lanes());
      else
        this->lanes().join(other.lanes(), this->valid.name());
    }
  }
  /// Traces the signals.
  void trace(sc_core::sc_trace_file* file) const {
    Pins<As>::each(
        [file](const auto& signal) {
          using sc_core::sc_trace;
          sc_trace(file, signal, std::string(signal.name()));
        },
        *this);
  }
};

}  // namespace spillway
