#pragma once
#include <memory>
#include <spillway/hw/links/bundle.hpp>
#include <spillway/hw/links/link_watch.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A pin of a kind of link, for people.
struct link_pin {
  std::string name;
  bool forward = true;  ///< goes with the data, rather than against them
};

namespace detail {

/// What the pins of a bundle are: descriptions of themselves.
struct as_descriptions {
  static constexpr link_lanes::role role = link_lanes::role::watcher;
  struct names {
    const char* operator[](const char* member) const { return member; }
  };
  template <class T>
  struct forward : link_pin {
    explicit forward(const char* pin) : link_pin{pin, true} {}
  };
  template <class T>
  struct backward : link_pin {
    explicit backward(const char* pin) : link_pin{pin, false} {}
  };
};

template <template <class> class Pins>
void add_pins(std::vector<link_pin>& all) {
  const Pins<as_descriptions> pins{as_descriptions::names{}};
  Pins<as_descriptions>::each([&all](const link_pin& pin) { all.push_back(pin); }, pins);
}

}  // namespace detail

/// The pins that bundles declare, in their order.
template <template <class> class... Pins>
std::vector<link_pin> pins_of() {
  std::vector<link_pin> all;
  (detail::add_pins<Pins>(all), ...);
  return all;
}

/// A kind of link: what is said of it. An experiment does not choose it, the switches and interfaces do, and
/// make the links; a kind that is in no catalogue works as well, and is not listed.
class link_entry : public catalogue_entry {
public:
  using axis_entry = link_entry;
  static axis_place place() { return {"link", ""}; }

  nlohmann::json schema() const override;
  /// One sentence.
  virtual std::string description() const = 0;
  virtual std::vector<link_pin> pins() const = 0;
  /// Names of the rules that its checker holds it to.
  virtual std::vector<std::string> rules() const { return {}; }
  /// Keys of the section `link` that mean something for such links.
  virtual std::vector<std::string> keys() const { return {}; }
  /// Makes what tells `to` of a link of this kind by `number`, in a module of this name, bound to its wires;
  /// clock and reset are left to the caller. nullptr: nothing does.
  virtual std::unique_ptr<clocked> make_watch(network_link& /*l*/, const std::string& /*name*/,
                                              unsigned /*number*/, link_listener& /*to*/) const {
    return nullptr;
  }
  /// Whether checkers of such links tell of the packets that cross them.
  virtual bool tells_of_packets() const { return true; }
  /// Bytes that a link takes besides the pins of its ends.
  virtual double bytes() const { return link_memory{}.bytes; }

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
