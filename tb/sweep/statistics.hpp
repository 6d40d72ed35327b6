#pragma once
#include <cstddef>
#include <limits>
#include <vector>

namespace spillway {

/// Mean of independent values with the half width of its 95 % confidence interval.
struct estimate {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double half_width = std::numeric_limits<double>::quiet_NaN();  ///< not a number below two values
  std::size_t count = 0;
  double error = 0;  ///< standard error of the mean; 0 below two values

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};

/// Student's t interval: exact for normal values, such as the results of runs that differ in their seeds
/// and are themselves means of many packets. Values that are not numbers make the mean none either.
estimate t_interval(const std::vector<double>& values);

}  // namespace spillway
