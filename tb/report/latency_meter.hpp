#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/tb/report/record.hpp>
#include <vector>

namespace spillway {

/// Latency statistics of any number of packets in little memory. Count, mean, minimum and maximum are exact;
/// percentiles come from a log-linear histogram: exact below 1024 cycles, and above with 128 bins an
/// octave, so wrong by less than 1/128 of the value, and never outside of what was seen.
class latency_meter {
public:
  /// One packet that took `cycles`.
  void add(std::uint64_t cycles) {
    const std::size_t bin = bin_of(cycles);
    if (bin >= bins_.size()) bins_.resize(std::max(bin + 1, bins_.size() * 2));
    ++bins_[bin];
    ++count_;
    sum_ += cycles;
    min_ = std::min(min_, cycles);
    max_ = std::max(max_, cycles);
  }
  /// Adds all that the other has seen; the order of merging does not matter.
  void merge(const latency_meter& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }
  /// Cycles; not a number while empty, as in summary().
  double mean() const;
  /// The smallest value that at least the share `p` (0 to 1) of the packets did not exceed (nearest rank);
  /// of a wide bin, its middle, or the least or greatest packet's if that is nearer. Not a number while
  /// empty.
  double percentile(double p) const;
  latency_summary summary() const;
  /// The bins that hold packets, ascending.
  std::vector<latency_bin> histogram() const;

  /// Bins: that of a latency, its least latency and how many it is of.
  static std::size_t bin_of(std::uint64_t value) {
    if (value < exact) return value;
    const unsigned octave = log2_of(value);
    const std::size_t within = (value >> (octave - octave_bits)) & (per_octave - 1);
    return exact + (octave - exact_bits) * per_octave + within;
  }
  static std::uint64_t width_of(std::size_t bin);
  static std::uint64_t lowest_of(std::size_t bin);
  /// What stands for all latencies of a bin: its middle.
  static double middle_of(std::size_t bin) {
    return static_cast<double>(lowest_of(bin)) + static_cast<double>(width_of(bin) - 1) / 2;
  }
  /// Of so many sorted values the one that is the smallest that the share `p` does not exceed, from 1 on.
  static std::uint64_t rank_of(double p, std::uint64_t count);

private:
  static constexpr unsigned exact_bits = 10, octave_bits = 7;
  static constexpr std::size_t exact = std::size_t{1} << exact_bits;
  static constexpr std::size_t per_octave = std::size_t{1} << octave_bits;

  static unsigned log2_of(std::uint64_t value) {
    unsigned result = 0;
    for (unsigned step = 32; step != 0; step /= 2)
      if (value >> step != 0) value >>= step, result += step;
    return result;
  }
  std::vector<std::uint64_t> bins_;
  std::uint64_t count_ = 0, sum_ = 0, min_ = ~std::uint64_t{0}, max_ = 0;
};

}  // namespace spillway
