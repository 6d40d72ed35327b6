#pragma once
#include <cstdint>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/report/record.hpp>
#include <vector>

namespace spillway {

/// How full the switches were at the cycles that were asked for, and where they lie in a drawing.
class network_snapshots {
public:
  /// `at`: cycles, in ascending order.
  network_snapshots(const platform& network, const topology& shape, const std::vector<std::uint64_t>& at)
      : network_(network), shape_(shape), at_(at) {}

  /// An interval of the series ends: one snapshot for the cycles that were asked for since the last.
  void sample();
  /// The snapshots with the history, and where switches and links lie if there is either.
  network_record report(history_record history) const;

private:
  const platform& network_;
  const topology& shape_;
  const std::vector<std::uint64_t>& at_;
  std::size_t next_ = 0;  // of these
  std::vector<network_record::moment> taken_;
};

}  // namespace spillway
