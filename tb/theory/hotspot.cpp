#include <spillway/tb/theory/hotspot.hpp>

namespace spillway::theory {

double hotspot_bound(double N, double h) { return 1 / (1 + h * (N - 1)); }

}  // namespace spillway::theory
