#include <spillway/tb/theory/shared_buffer.hpp>

namespace spillway::theory {

double dynamic_threshold_free(double B, double M, double alpha) { return B / (1 + alpha * M); }

}  // namespace spillway::theory
