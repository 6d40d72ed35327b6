#include <cmath>
#include <limits>
#include <numeric>
#include <spillway/tb/measure/steady_state.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

constexpr std::size_t group = 5;
constexpr double student_19 = 2.0930240544;  // 97.5 % of 19 degrees of freedom

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

warmup_length mser5(const std::vector<double>& observations) {
  std::vector<double> z;
  for (std::size_t i = 0; i + group <= observations.size(); i += group)
    z.push_back(std::accumulate(&observations[i], &observations[i] + group, 0.0) / group);
  if (observations.size() < least_observations) return {z.size() / 2 * group, false};
  // From the end on, so that each value is looked at once; Welford's way keeps small differences.
  double mean = 0, squares = 0, least = std::numeric_limits<double>::infinity();
  const std::size_t half = z.size() / 2;  // the end may be of little error by chance
  std::size_t best = 0, count = 0;
  for (std::size_t d = z.size(); d-- > 0;) {
    const double away = z[d] - mean;
    mean += away / static_cast<double>(++count);
    squares += away * (z[d] - mean);
    if (d > half) continue;
    const double error = squares / static_cast<double>(count * count);
    if (error <= least) least = error, best = d;
  }
  if (10 * best > 9 * half) return {half * group, false};
  return {best * group, true};
}

mean_interval batch_means(const std::vector<double>& batches) {
  if (batches.size() != batch_count)
    throw std::invalid_argument("expected 20 batches, found " + std::to_string(batches.size()));
  const double mean = mean_of(batches);
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < batch_count; ++i) {
    const double away = batches[i] - mean;
    squares += away * away;
    if (i + 1 < batch_count) products += away * (batches[i + 1] - mean);
  }
  // Equal values whose mean is rounded are no batches that depend on each other.
  const double rounding = 1e-12 * mean;
  if (squares <= batch_count * rounding * rounding) return {mean, 0, 0};
  const double half = student_19 * std::sqrt(squares / (batch_count - 1) / batch_count);
  return {mean, half, products / squares};
}

}  // namespace spillway
