#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway {

/// Observations that a mean over the steady state leaves out at the beginning.
struct warmup_length {
  std::size_t observations = 0;
  bool settled = false;  ///< false: half of them are left out, and more might be better
};

/// Fewer are too few to see a warm-up in: ten groups of five.
inline constexpr std::size_t least_observations = 50;

/// MSER-5: the observations are averaged in groups of five, and cut is where the rest has the least squared
/// error of its mean, sum((z - mean)^2) / (n - d)^2 of the n groups without the first d, of several the
/// first, d up to n/2. It has not settled if that is in the last tenth of these, for the error may go on
/// falling, or if there are too few (K. P. White, "An effective truncation heuristic for bias
/// reduction in simulation output", Simulation 69(6), 1997; M. S. Spratt, 1998).
warmup_length mser5(const std::vector<double>& observations);

/// A mean with its confidence interval of 95 %, mean - half_width to mean + half_width.
struct mean_interval {
  double mean, half_width;
  double correlation;  ///< of neighbouring batches, -1 to 1
};

/// Batches that a run is cut into.
inline constexpr std::size_t batch_count = 20;

/// Neighbours of independent batches are correlated more than that once in forty times.
inline constexpr double most_correlation = 0.44;  // 1.96 / sqrt(20)

/// Batch means: `batches`, batch_count of them, as independent values, by Student's distribution (A. M. Law,
/// "Simulation Modeling and Analysis", section 9.5). Throws std::invalid_argument for another number.
mean_interval batch_means(const std::vector<double>& batches);

}  // namespace spillway
