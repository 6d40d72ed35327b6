#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/kernel/config_check.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// The table of injection delays, and what moves the indexes into it.
struct ecn_delays_config {
  std::vector<std::uint32_t> table{0};  ///< cycles by index, ascending from 0; at least 1 entry
  unsigned increase = 1;                ///< of an index by a notification, at least 1
  unsigned timer = 40;                  ///< cycles after which all indexes fall by 1, at least 1

  /// A table of `limit` + 1 entries, each `step` cycles more than the one before.
  static std::vector<std::uint32_t> linear(unsigned limit, unsigned step) {
    std::vector<std::uint32_t> table;
    for (unsigned i = 0; i <= limit; ++i) table.push_back(i * step);
    return table;
  }
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const {
    detail::need(!table.empty() && table.front() == 0, "a table of delays begins with 0");
    detail::need(std::is_sorted(table.begin(), table.end()), "a table of delays ascends");
    detail::need(increase >= 1, "a notification raises an index by at least 1");
    detail::need(timer >= 1, "a timer has at least 1 cycle");
  }
};

/// The delay of each destination: an index into the table that notifications raise and one timer lowers. A
/// plain part; an index is brought up to date when it is looked at.
class ecn_delays {
public:
  /// `config`: a valid one. `destinations`: numbers are below it.
  ecn_delays(ecn_delays_config config, unsigned destinations)
      : config_(std::move(config)), indexes_(destinations) {}

  /// The timer starts in cycle `now`.
  void clear(std::uint64_t now) {
    start_ = now;
    indexes_.assign(indexes_.size(), index{});
  }
  /// A notification about the destination has come in cycle `now`, not before the last. One about a
  /// destination that does not exist says nothing.
  void raise(unsigned destination, std::uint64_t now) {
    if (destination >= indexes_.size()) return;
    index& i = indexes_[destination];
    const auto last = static_cast<unsigned>(config_.table.size() - 1);
    i = {std::min(at(destination, now) + config_.increase, last), expiries(now)};
  }
  /// Index of the destination in cycle `now`, below the entries of the table.
  unsigned at(unsigned destination, std::uint64_t now) const {
    const index& i = indexes_[destination];
    const std::uint64_t lowered = expiries(now) - i.expiries;
    return lowered < i.value ? i.value - static_cast<unsigned>(lowered) : 0;
  }
  /// Cycles from one packet to the next.
  std::uint64_t delay(unsigned destination, std::uint64_t now) const {
    return config_.table[at(destination, now)];
  }
  /// First cycle after `now` in which the timer lowers the indexes.
  std::uint64_t next_expiry(std::uint64_t now) const { return start_ + (expiries(now) + 1) * config_.timer; }

private:
  struct index {
    unsigned value = 0;
    std::uint64_t expiries = 0;  // of the timer, up to which the value is right
  };
  std::uint64_t expiries(std::uint64_t now) const { return (now - start_) / config_.timer; }

  const ecn_delays_config config_;
  std::vector<index> indexes_;
  std::uint64_t start_ = 0;
};

}  // namespace spillway
