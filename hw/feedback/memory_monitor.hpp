#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <spillway/hw/kernel/clocked.hpp>

namespace spillway {

/// When a memory queue is hot. Plain part.
struct temperature_rule {
  unsigned hot_at = 3;      ///< a cool queue turns hot when it holds so many requests, at least 1
  unsigned cool_below = 3;  ///< a hot one turns cool when it holds fewer, 1 to hot_at
  unsigned delay = 1;       ///< cycles from a length to the line that tells of it, at least 1
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
  /// Whether a queue is hot next, from what it was and its length.
  bool next(bool hot, unsigned length) const { return length >= (hot ? cool_below : hot_at); }
};

/// The memory's side of feedback: compares the length of its queue with the thresholds and drives the
/// module's line `delay` cycles later.
class memory_monitor final : public clocked {
public:
  input<std::uint16_t> length{"length"};  ///< requests in the memory queue
  output<bool> hot{"hot"};                ///< the module's line, registered; low out of reset

  /// Throws as temperature_rule::check().
  memory_monitor(const sc_core::sc_module_name& name, const temperature_rule& rule);

  hardware_size storage() const override { return {0, 0, 1}; }
  const temperature_rule& rule() const { return rule_; }  ///< what it was made with
  /// Called at an edge that sees a new length, which is 0 out of reset: cycle, length, and whether the module
  /// is hot from now on.
  std::function<void(std::uint64_t cycle, unsigned length, bool hot)> on_change;

private:
  void reset() override;
  void tick() override;

  const temperature_rule rule_;
  struct change {
    std::uint64_t at;
    bool hot;
  };
  bool hot_ = false;
  std::uint16_t said_ = 0;        // length that on_change has been told of
  std::deque<change> under_way_;  // to the line
};

}  // namespace spillway
