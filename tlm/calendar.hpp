#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace spillway {

/// Numbers that are due at cycles to come: cheap for the next `Slots` cycles, possible for any.
template <std::size_t Slots>
class basic_calendar {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};  ///< later than every cycle

  /// `cycle` is later than the last one taken.
  void add(std::uint64_t cycle, std::uint32_t what) {
    if (cycle - now_ < near_.size())
      near_[cycle % near_.size()].push_back(what);
    else
      far_[cycle].push_back(what);
  }

  /// What is due at `cycle`, in any order but always the same; good until the next call. No cycle at which
  /// something is due may be left out.
  const std::vector<std::uint32_t>& take(std::uint64_t cycle) {
    now_ = cycle;
    due_.clear();
    due_.swap(near_[cycle % near_.size()]);
    if (!far_.empty() && far_.begin()->first == cycle) {
      const std::vector<std::uint32_t>& more = far_.begin()->second;
      due_.insert(due_.end(), more.begin(), more.end());
      far_.erase(far_.begin());
    }
    return due_;
  }

  /// Forgets everything; `cycle` counts as taken.
  void clear(std::uint64_t cycle) {
    now_ = cycle;
    for (std::vector<std::uint32_t>& slot : near_) slot.clear();
    far_.clear();
  }

  /// The first cycle at which something is due.
  std::uint64_t next() const {
    const std::uint64_t far = far_.empty() ? never : far_.begin()->first;
    for (std::uint64_t cycle = now_ + 1; cycle < now_ + near_.size(); ++cycle)
      if (!near_[cycle % near_.size()].empty()) return std::min(cycle, far);
    return far;
  }

private:
  std::uint64_t now_ = never;  // cycle 0 comes next
  std::array<std::vector<std::uint32_t>, Slots> near_;
  std::map<std::uint64_t, std::vector<std::uint32_t>> far_;
  std::vector<std::uint32_t> due_;
};

/// Of the transaction-level models: cheap for the next 8 cycles.
using calendar = basic_calendar<8>;

}  // namespace spillway
