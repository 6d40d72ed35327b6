#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <spillway/tb/sweep/statistics.hpp>

namespace spillway {

estimate t_interval(const std::vector<double>& values) {
  estimate result;
  result.count = values.size();
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  result.mean = sum / n;
  if (values.size() < 2) return result;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  const boost::math::students_t t(n - 1);
  result.error = std::sqrt(squares / (n - 1) / n);
  result.half_width = boost::math::quantile(t, 0.975) * result.error;
  return result;
}

}  // namespace spillway
