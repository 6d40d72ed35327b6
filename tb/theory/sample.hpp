#pragma once
#include <boost/random/mersenne_twister.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace spillway::theory {

using random_engine = boost::random::mt19937;

/// Uniform in [0, n), 0 < n. The same numbers on every platform; without bias (Lemire's rejection), and
/// several times faster than a division for each number, which the balls-and-bins games need.
inline std::uint32_t below(random_engine& engine, std::uint32_t n) {
  std::uint64_t product = std::uint64_t{engine()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t threshold = static_cast<std::uint32_t>(-n) % n;
    while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{engine()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

/// Mean, standard error, least and largest of a series (Welford's update).
class sample {
public:
  void add(double x) {
    ++count_;
    const double delta = x - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (x - mean_);
    if (x < least_) least_ = x;
    if (x > most_) most_ = x;
  }
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  double least() const { return least_; }
  double most() const { return most_; }
  /// Standard error of the mean; NaN below two values.
  double error() const {
    if (count_ < 2) return std::numeric_limits<double>::quiet_NaN();
    const auto n = static_cast<double>(count_);
    return std::sqrt(squares_ / (n - 1) / n);
  }

private:
  std::uint64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
  double least_ = std::numeric_limits<double>::infinity(), most_ = -std::numeric_limits<double>::infinity();
};

}  // namespace spillway::theory
