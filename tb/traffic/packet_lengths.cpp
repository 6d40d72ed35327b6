#include <algorithm>
#include <numeric>
#include <spillway/tb/traffic/packet_lengths.hpp>

namespace spillway {

packet_lengths::packet_lengths(std::vector<std::uint16_t> lengths, const std::vector<double>& weights)
    : lengths_(std::move(lengths)), up_to_(weights), mean_(0) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < lengths_.size(); ++i) mean_ += lengths_[i] * weights[i] / sum;
  std::partial_sum(up_to_.begin(), up_to_.end(), up_to_.begin());
  for (double& u : up_to_) u /= sum;
}

std::uint16_t packet_lengths::longest() const { return *std::max_element(lengths_.begin(), lengths_.end()); }

std::uint16_t packet_lengths::pick(random_stream& random) const {
  const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), uniform(random));
  // Past the last one only by rounding.
  return lengths_[std::min<std::size_t>(static_cast<std::size_t>(found - up_to_.begin()),
                                        lengths_.size() - 1)];
}

}  // namespace spillway
