#pragma once
#include <cstdint>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/report/record.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spillway {

/// Latency of the packets from each terminal to each other. Means and maxima are exact, percentiles as
/// latency_meter has them; there are many flows of few packets, so only bins that hold some are kept.
class flow_meter {
public:
  void add(const delivery& d);
  /// By source, then destination.
  std::vector<flow_record> report() const;

private:
  struct flow {
    std::uint64_t packets = 0, flits = 0, sum = 0, min = ~std::uint64_t{0}, max = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> bins;  // bin and packets, ascending
    double percentile(double p) const;
  };
  std::unordered_map<std::uint64_t, flow> flows_;  // by source and destination
};

}  // namespace spillway
