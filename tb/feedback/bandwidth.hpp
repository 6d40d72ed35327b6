#pragma once

namespace spillway::theory {

/// Omega network of Farrens, Wetmore and Woodruff: N processors, the fraction Ph of them hot with rate h, b0
/// the bandwidth of the network under uniform traffic (requests a cycle and processor).
struct feedback_parameters {
  double N = 256, h = 0.02, Ph = 0.5, b0 = 1;
};
/// Rate of a hot processor when only the hot module limits it and the cool ones run at b0: the lambda_h with
/// (1 - Ph) b0 + lambda_h Ph (N h + 1 - h) = 1, at most b0; b0 when Ph = 0.
double hot_processor_rate(const feedback_parameters& p);
/// Bandwidth without tree saturation (dashed line of figure 2): Ph lambda_h + (1 - Ph) b0.
double unsaturated_bandwidth(const feedback_parameters& p);
/// Bandwidth with full tree saturation, when the hot module holds every processor to one rate:
/// 1/(1 + Ph h (N - 1)), at most b0.
double saturated_bandwidth(const feedback_parameters& p);

}  // namespace spillway::theory
