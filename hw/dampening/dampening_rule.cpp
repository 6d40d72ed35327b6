#include <algorithm>
#include <cmath>
#include <spillway/hw/dampening/dampening_rule.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

dampening_rule::dampening_rule(unsigned buffers, unsigned j) : threshold_(buffers + 1) {
  if (j < 1 || j > buffers)
    throw std::invalid_argument("expected 1 to " + std::to_string(buffers) + " buffers a processor, found " +
                                std::to_string(j));
  constexpr double epsilon = 1e-9;  // against rounding where a threshold is a whole number
  const double B = buffers;
  for (unsigned k = 0; k <= buffers; ++k) {
    threshold_[k] = B - B * std::pow((B - j) / B, k) - epsilon;
    if (threshold_[k] <= B - 1) most_ = k;
  }
}

unsigned dampening_rule::hotspots(const impact_array& holders, unsigned held) const {
  const auto all = static_cast<unsigned>(holders.size());
  if (held + 1 == threshold_.size()) return all;  // no buffer is free
  unsigned hot = 0;
  std::uint64_t sum = 0;
  for (unsigned k = 1; k <= std::min(all, most_); ++k) {
    sum += holders[k - 1].value;
    if (static_cast<double>(sum) >= threshold_[k]) hot = k;
  }
  return hot;
}

}  // namespace spillway
