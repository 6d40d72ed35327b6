#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/links/bundle.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/violation.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {

template <class As>
struct packet_pins;  // of packet_link.hpp

/// Where a link of a platform lies. Node -1: a terminal, or no node at all.
struct link_place {
  std::string name;        ///< within the module that the link belongs to
  unsigned network = 0;    ///< copy of the switch graph
  int from_switch = -1;    ///< number of the sender's node
  int to_switch = -1;      ///< number of the receiver's node
  unsigned from_port = 0;  ///< output of the sender's node
  unsigned to_port = 0;    ///< input of the receiver's node
};

/// A signal of a link, as a waveform shows it.
struct link_signal {
  std::string name;                                    ///< hierarchical
  std::function<void(sc_core::sc_trace_file*)> trace;  ///< adds it to a trace file, by its own name
};

/// One link, of whatever kind, with its wires. Blocks bind their pins to it, testbenches watch it.
class network_link {
public:
  /// The link belongs to the module that is being made.
  explicit network_link(link_place place);
  virtual ~network_link() = default;
  network_link(const network_link&) = delete;
  network_link& operator=(const network_link&) = delete;

  /// Its name in the module that it belongs to.
  const std::string& name() const { return place_.name; }
  /// The same behind the names of the modules around it.
  std::string path() const;
  const link_place& place() const { return place_; }  ///< its ends in the platform

  /// Name of the kind.
  virtual const char* kind() const = 0;
  /// The flit that waits to cross it, if one does.
  virtual std::optional<flit> blocked() const { return std::nullopt; }
  /// Binds who looks on at its packets. Throws std::logic_error if it has no pins of a packet link.
  virtual void connect_watch(bundle<packet_pins, as_watcher>& to);
  /// Its signals, which are a group in a waveform; none on the fast kernel.
  virtual std::vector<link_signal> signals() const = 0;
  /// Makes the checker of the kind's rules, bound to the wires; clock and reset are left to the caller.
  /// nullptr: there are none.
  virtual std::unique_ptr<clocked> make_checker(const violation_handler&) { return nullptr; }
  /// The same for a link of wires of a clock domain, by who needs neither ports nor a name. nullptr: there is
  /// none, and make_checker() it is.
  virtual std::unique_ptr<stepped> make_watcher(wire<bool>& /*reset*/, const violation_handler&) {
    return nullptr;
  }
  /// What it takes in wires, both ways; of its ready pin one for each lane.
  virtual hardware_size wires() { return {}; }

protected:
  /// A name for the module of its checker.
  std::string checker_name() const;

private:
  const link_place place_;
  const sc_core::sc_object* const parent_;
};

namespace detail {

/// Adds up fields. What is as wide as the numbers of terminals is one.
struct field_adder {
  hardware_size& all;
  template <class Field>
  void operator()(Field&, unsigned width) {
    width == bits_below(flit::most_terminals) ? ++all.names : all.bits += width;
  }
};
template <class T, class = void>
struct has_bit_fields : std::false_type {};
template <class T>
struct has_bit_fields<T,
                      std::void_t<decltype(each_bit_field(std::declval<T&>(), std::declval<field_adder>()))>>
    : std::true_type {};

/// Wires of a pin that shows a T.
template <class T>
hardware_size wires_of() {
  hardware_size all;
  if constexpr (std::is_same_v<T, flit>) {
    all.flits = 1;
  } else if constexpr (std::is_same_v<T, bool>) {
    all.bits = 1;
  } else if constexpr (has_bit_fields<T>::value) {
    T value{};
    each_bit_field(value, field_adder{all});
  } else {
    all.bits = 8 * sizeof(T);
  }
  return all;
}

template <class Wires, class = void>
struct has_lanes : std::false_type {};
template <class Wires>
struct has_lanes<Wires, std::void_t<decltype(std::declval<Wires&>().lanes().count())>> : std::true_type {};

}  // namespace detail

/// The wires of a bundle, on the kernel of the place where they are made (clock_scope).
template <template <class> class Pins>
class bundle_wires {
public:
  /// `name`: of the bundle; wires of the fast kernel have none.
  explicit bundle_wires(const std::string& name) {
    if (clock_domain* const domain = domain_here())
      wires_ = std::make_unique<bundle<Pins, as_wires>>(*domain);
    else
      signals_ = std::make_unique<bundle<Pins, as_signals>>(name);
  }

  /// Binds the ports of an end, or of a part of one.
  template <class End>
  void connect(End& end) {
    with([&end](auto& wires) { end.bind(wires); });
  }
  /// Applies `f` to the wires, whichever they are.
  template <class F>
  auto with(F&& f) {
    return wires_ ? f(*wires_) : f(*signals_);
  }
  /// Applies `f` to them to be read.
  template <class F>
  auto with(F&& f) const {
    return wires_ ? f(std::as_const(*wires_)) : f(std::as_const(*signals_));
  }
  /// Appends the signals; none on the fast kernel.
  void add_signals(std::vector<link_signal>& all) const {
    if (!signals_) return;
    Pins<as_signals>::each([&all](const auto& signal) { add_signal(all, signal); }, std::as_const(*signals_));
  }

  /// What its pins take.
  hardware_size size() {
    return with([](auto& wires) {
      hardware_size all;
      Pins<as_wires>::each([&](auto& pin) { all += size_of(wires, pin); }, wires);
      return all;
    });
  }

private:
  template <class Wires, class Pin>
  static hardware_size size_of(Wires& wires, Pin& pin) {
    if constexpr (detail::has_lanes<Wires>::value)
      if (static_cast<const void*>(&pin) == &wires.ready) return {0, 0, wires.lanes().count()};
    return detail::wires_of<std::decay_t<decltype(pin.read())>>();
  }

  template <class Signal>
  static void add_signal(std::vector<link_signal>& all, const Signal& signal) {
    all.push_back({signal.name(), [&signal](sc_core::sc_trace_file* file) {
                     using sc_core::sc_trace;
                     sc_trace(file, signal, std::string(signal.name()));
                   }});
  }

  std::unique_ptr<bundle<Pins, as_signals>> signals_;
  std::unique_ptr<bundle<Pins, as_wires>> wires_;
};

/// A link of the pins that `Pins` declares. A kind of link derives from it, and says its name and its
/// checker.
template <template <class> class Pins>
class wired_link : public network_link {
public:
  /// `place`: name and ends of the link. It belongs to the module that is being made.
  explicit wired_link(link_place place) : network_link(std::move(place)), wires_(name()) {}

  /// Binds the ports of an end.
  template <class End>
  void connect(End& end) {
    wires_.connect(end);
  }
  /// Applies `f` to the wires, whichever they are.
  template <class F>
  auto with(F&& f) {
    return wires_.with(f);
  }
  /// Applies `f` to them to be read.
  template <class F>
  auto with(F&& f) const {
    return wires_.with(f);
  }

  /// One a pin; none on the fast kernel.
  std::vector<link_signal> signals() const override {
    std::vector<link_signal> all;
    wires_.add_signals(all);
    return all;
  }
  /// Those of all its pins.
  hardware_size wires() override { return wires_.size(); }

private:
  bundle_wires<Pins> wires_;
};

/// The link as the kind that a block's pins are made for. Throws std::logic_error for another kind.
template <class Kind>
Kind& link_cast(network_link& l) {
  if (auto* const found = dynamic_cast<Kind*>(&l)) return *found;
  throw std::logic_error(l.name() + " is a link of kind '" + l.kind() +
                         "', which does not fit the pins that it leads to");
}

}  // namespace spillway
