#pragma once

namespace spillway::theory {

/// Choudhury and Hahne's dynamic thresholds: places of a shared buffer of B that stay free with M queues that
/// have more than they may hold. Each of these holds alpha times as many.
double dynamic_threshold_free(double B, double M, double alpha);

}  // namespace spillway::theory
