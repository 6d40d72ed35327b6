#include <cmath>
#include <spillway/tb/report/latency_meter.hpp>

namespace spillway {

std::uint64_t latency_meter::width_of(std::size_t bin) {
  if (bin < exact) return 1;
  return std::uint64_t{1} << ((bin - exact) / per_octave + exact_bits - octave_bits);
}

std::uint64_t latency_meter::lowest_of(std::size_t bin) {
  if (bin < exact) return bin;
  return (per_octave + (bin - exact) % per_octave) * width_of(bin);
}

void latency_meter::merge(const latency_meter& other) {
  if (other.bins_.size() > bins_.size()) bins_.resize(other.bins_.size());
  for (std::size_t i = 0; i < other.bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double latency_meter::mean() const {
  return count_ == 0 ? not_measured : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t latency_meter::rank_of(double p, std::uint64_t count) {
  // The small factor keeps 0.99 * 100 from becoming the 100th of 100 through rounding.
  const double wanted = std::ceil(p * static_cast<double>(count) * (1 - 1e-12));
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, static_cast<double>(count)));
}

double latency_meter::percentile(double p) const {
  if (count_ == 0) return not_measured;
  const std::uint64_t rank = rank_of(p, count_);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    seen += bins_[i];
    if (seen < rank) continue;
    return std::clamp(middle_of(i), static_cast<double>(min_), static_cast<double>(max_));
  }
  return static_cast<double>(max_);
}

latency_summary latency_meter::summary() const {
  if (count_ == 0) return {};
  return {mean(), percentile(0.5), percentile(0.99), static_cast<double>(max_)};
}

std::vector<latency_bin> latency_meter::histogram() const {
  std::vector<latency_bin> result;
  for (std::size_t i = 0; i < bins_.size(); ++i)
    if (bins_[i] != 0) result.push_back({lowest_of(i), bins_[i], width_of(i)});
  return result;
}

}  // namespace spillway
