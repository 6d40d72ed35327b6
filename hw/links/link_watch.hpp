#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {

/// Hears of what is seen on links. `link`: the number by which it was asked for. Cycles are edges.
class link_listener {
public:
  virtual ~link_listener() = default;
  /// A flit that has been shown since `shown` crosses at `cycle`.
  virtual void crosses(unsigned link, std::uint64_t cycle, std::uint64_t shown, const flit& f) = 0;
  /// A flit is shown at `cycle` for the first time, and its receiver is not ready.
  virtual void refused(unsigned link, std::uint64_t cycle, const flit& f) = 0;
  /// A link without back-pressure begins to show flits of the packet of `head`, which are taken as they come.
  virtual void begins(unsigned link, std::uint64_t cycle, const flit& head) = 0;
  /// It has shown them from `from` until `until`.
  virtual void held(unsigned link, std::uint64_t from, std::uint64_t until, const flit& head) = 0;
  /// A pin has shown `value` from `from` until `until`. Values that say nothing (0, false) are not told of.
  virtual void says(unsigned link, std::uint64_t from, std::uint64_t until, const std::string& pin,
                    const std::string& value) = 0;
};

namespace detail {

template <class P, class = void>
struct has_ready : std::false_type {};
template <class P>
struct has_ready<P, std::void_t<decltype(std::declval<P&>().ready)>> : std::true_type {};
template <class P, class = void>
struct has_data : std::false_type {};
template <class P>
struct has_data<P, std::void_t<decltype(std::declval<P&>().data)>> : std::true_type {};
template <class P, class = void>
struct has_request : std::false_type {};
template <class P>
struct has_request<P, std::void_t<decltype(std::declval<P&>().request)>> : std::true_type {};

/// Pins that only say which way they go.
struct as_directions {
  static constexpr link_lanes::role role = link_lanes::role::watcher;
  struct names {
    const char* operator[](const char* member) const { return member; }
  };
  template <class T>
  struct forward {
    explicit forward(const char*) {}
    static constexpr bool is_forward = true;
  };
  template <class T>
  struct backward {
    explicit backward(const char*) {}
    static constexpr bool is_forward = false;
  };
};

inline std::string words_of(bool value) { return value ? "1" : "0"; }
template <class T>
std::string words_of(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_integral_v<T>)
    out << static_cast<std::uint64_t>(value);
  else
    out << value;
  return out.str();
}

}  // namespace detail

/// Looks at a link of the pins that `Pins` declares, and tells what it sees: of flits, on the pins `valid`
/// (or `request`), `data` and, if there is one, `ready`; of every other pin its values, but for those that go
/// with a flit and mean nothing without it.
template <template <class> class Pins>
class link_watch final : public clocked {
public:
  bundle<Pins, as_watcher> pins{""};  ///< to be bound to the wires of the link

  /// `link`: the number that `to` hears it by.
  link_watch(const sc_core::sc_module_name& name, unsigned link, link_listener& to)
      : clocked(name), link_(link), to_(to) {
    using directions = Pins<detail::as_directions>;
    const directions all{detail::as_directions::names{}};
    directions::each([this](const auto& pin) { reported_.push_back(!has_flits || !pin.is_forward); }, all);
  }
  /// What still lasts has lasted up to this cycle.
  ~link_watch() override { say_all(cycle()); }

private:
  static constexpr bool has_flits = detail::has_data<bundle<Pins, as_watcher>>::value;
  static constexpr bool has_ready = detail::has_ready<bundle<Pins, as_watcher>>::value;
  static constexpr bool has_request = detail::has_request<bundle<Pins, as_watcher>>::value;

  struct stretch {
    std::uint64_t since = 0;
    std::string pin, value;  // no value: it says nothing
  };

  void reset() override {
    say_all(cycle());
    shown_.reset();
  }
  void tick() override {
    if constexpr (has_flits) look_at_flits();
    std::size_t number = 0;
    Pins<as_watcher>::each([&](auto& pin) { look_at(pin, number++); }, pins);
  }

  bool valid() const {
    if constexpr (has_request)
      return pins.request.read();
    else
      return pins.valid.read();
  }
  void look_at_flits() {
    if constexpr (has_ready)
      look_at_crossing();
    else
      look_at_holding();
  }
  void look_at_crossing() {
    if (!valid()) {
      shown_.reset();
      return;
    }
    const flit& f = pins.data.read();
    const bool first = !shown_ || shown_->second != f;
    if (first) shown_.emplace(cycle(), f);
    if (!pins.crosses()) {
      if (first) to_.refused(link_, cycle(), f);
      return;
    }
    to_.crosses(link_, cycle(), shown_->first, f);
    shown_.reset();
    wake_at(cycle() + 1);  // the next may look the same
  }
  /// The packet whose flits it shows.
  void look_at_holding() {
    const bool same = shown_ && valid() && same_packet(shown_->second, pins.data.read());
    if (shown_ && !same) {
      to_.held(link_, shown_->first, cycle(), shown_->second);
      shown_.reset();
    }
    if (same || !valid()) return;
    shown_.emplace(cycle(), pins.data.read());
    to_.begins(link_, cycle(), shown_->second);
  }
  static bool same_packet(const flit& a, const flit& b) {
    return a.source == b.source && a.packet == b.packet && a.network == b.network && a.kind == b.kind;
  }

  template <class Pin>
  void look_at(Pin& pin, std::size_t number) {
    using value = std::decay_t<decltype(pin.read())>;
    if (!reported_[number]) return;
    if constexpr (has_ready) {
      if (static_cast<const void*>(&pin) == static_cast<const void*>(&pins.ready)) return;
    }
    if (stretches_.size() <= number) stretches_.resize(number + 1);
    stretch& s = stretches_[number];
    const value now = pin.read();
    const std::string words = now == value{} ? "" : detail::words_of(now);
    if (words == s.value) return;
    say(s, cycle());
    if (s.pin.empty()) {
      const std::string full = pin.name();
      s.pin = full.substr(full.rfind('.') + 1);
    }
    s.since = cycle();
    s.value = words;
  }
  void say(stretch& s, std::uint64_t until) {
    if (!s.value.empty() && until > s.since) to_.says(link_, s.since, until, s.pin, s.value);
    s.value.clear();
  }
  void say_all(std::uint64_t until) {
    for (stretch& s : stretches_) say(s, until);
    if (!has_ready && shown_ && until > shown_->first) to_.held(link_, shown_->first, until, shown_->second);
  }

  const unsigned link_;
  link_listener& to_;
  std::optional<std::pair<std::uint64_t, flit>> shown_;  // the flit that is shown, and since when
  std::vector<bool> reported_;                           // by pin
  std::vector<stretch> stretches_;                       // by pin
};

/// A watch on a link of these pins, bound to its wires; clock and reset are left to the caller.
template <template <class> class Pins, class Link>
std::unique_ptr<clocked> watch_link(Link& l, const std::string& name, unsigned number, link_listener& to) {
  auto watch = std::make_unique<link_watch<Pins>>(name.c_str(), number, to);
  l.connect(watch->pins);
  return watch;
}

}  // namespace spillway
