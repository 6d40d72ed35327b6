#include <algorithm>
#include <spillway/tb/feedback/bandwidth.hpp>
#include <spillway/tb/theory/hotspot.hpp>

namespace spillway::theory {

double hot_processor_rate(const feedback_parameters& p) {
  if (p.Ph == 0) return p.b0;
  return std::min(p.b0, (1 - (1 - p.Ph) * p.b0) / (p.Ph * (p.N * p.h + 1 - p.h)));
}
double unsaturated_bandwidth(const feedback_parameters& p) {
  return p.Ph * hot_processor_rate(p) + (1 - p.Ph) * p.b0;
}
double saturated_bandwidth(const feedback_parameters& p) {
  return std::min(p.b0, hotspot_bound(p.N, p.Ph * p.h));
}

}  // namespace spillway::theory
