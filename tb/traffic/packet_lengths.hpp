#pragma once
#include <cstdint>
#include <spillway/tb/traffic/random.hpp>
#include <vector>

namespace spillway {

/// Flits of the packets of an entry: one number, or a mix of several.
class packet_lengths {
public:
  packet_lengths(std::uint16_t one = 1) : lengths_{one}, up_to_{1}, mean_(one) {}
  /// A weight a length, some above 0.
  packet_lengths(std::vector<std::uint16_t> lengths, const std::vector<double>& weights);

  std::uint16_t draw(random_stream& random) const {
    return lengths_.size() == 1 ? lengths_[0] : pick(random);
  }
  double mean() const { return mean_; }
  std::uint16_t longest() const;

private:
  std::uint16_t pick(random_stream& random) const;

  std::vector<std::uint16_t> lengths_;
  std::vector<double> up_to_;  // probability of this length or one before
  double mean_;
};

}  // namespace spillway
