#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/links/flit.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace spillway {

/// Where a link of a platform lies. Node -1: a terminal, or no node at all.
struct link_place {
  std::string name;
  unsigned network = 0;  ///< copy of the switch graph
  int from_switch = -1, to_switch = -1;
  unsigned from_port = 0, to_port = 0;
};

/// One link of a platform, of whatever kind, with its wires. Blocks bind their pins to it, testbenches
/// watch it.
class network_link {
public:
  explicit network_link(link_place place) : place_(std::move(place)) {}
  virtual ~network_link() = default;
  network_link(const network_link&) = delete;
  network_link& operator=(const network_link&) = delete;

  const std::string& name() const { return place_.name; }
  const link_place& place() const { return place_; }

  /// Name of the kind, which checkers are chosen by.
  virtual const char* kind() const = 0;
  /// The flit that waits to cross it, if one does.
  virtual std::optional<flit> blocked() const = 0;
  /// Traces those of its signals whose name is `chosen`, and says how many; without a file it only counts
  /// them. Signals kernel only.
  virtual unsigned trace(sc_core::sc_trace_file* file,
                         const std::function<bool(const char* name)>& chosen) const = 0;

private:
  const link_place place_;
};

/// The wires of one kind of link on the kernel of the place where it is made (clock_scope). `Signals(name)`
/// are sc_signals with a member `each(f)` that calls f for each of them, `Wires(domain)` the same members on
/// the fast kernel.
template <class Signals, class Wires>
class wired_link : public network_link {
public:
  explicit wired_link(link_place place) : network_link(std::move(place)) {
    if (clock_domain* const domain = domain_here())
      wires_ = std::make_unique<Wires>(*domain);
    else
      signals_ = std::make_unique<Signals>(name());
  }

  /// Binds a bundle of pins.
  template <class Bundle>
  void connect(Bundle& end) {
    if (wires_)
      end.bind(*wires_);
    else
      end.bind(*signals_);
  }

  unsigned trace(sc_core::sc_trace_file* file,
                 const std::function<bool(const char* name)>& chosen) const override {
    unsigned traced = 0;
    if (!signals_) return 0;
    signals_->each([&](const auto& signal) {
      if (!chosen(signal.name())) return;
      ++traced;
      using sc_core::sc_trace;
      // A trace file polls the value through this reference for as long as it is open.
      if (file) sc_trace(file, signal.read(), signal.name());
    });
    return traced;
  }

protected:
  /// Applies `f` to the wires, whichever they are.
  template <class F>
  auto with(F&& f) const {
    return wires_ ? f(*wires_) : f(*signals_);
  }

private:
  std::unique_ptr<Signals> signals_;
  std::unique_ptr<Wires> wires_;
};

/// The link as the kind that a block's pins are made for. Throws std::logic_error for another kind.
template <class Kind>
Kind& link_cast(network_link& l) {
  if (auto* const found = dynamic_cast<Kind*>(&l)) return *found;
  throw std::logic_error(l.name() + " is a link of kind '" + l.kind() +
                         "', which does not fit the pins that it leads to");
}

}  // namespace spillway
