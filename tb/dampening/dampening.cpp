#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <limits>
#include <spillway/tb/dampening/dampening.hpp>

namespace spillway::theory {
namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const double ln2 = std::log(2.0);

/// Least B with C(B, floor(B/2)) >= subsets.
std::uint32_t buffers_for_subsets(double subsets) {
  std::uint32_t B = 1;
  double central = 1;
  while (central < subsets) {
    ++B;
    // C(B, floor(B/2)) from B - 1: times B and divided by ceil(B/2)
    central = central * B / ((B + 1) / 2);  // NOLINT(bugprone-integer-division): the ceiling is meant
  }
  return B;
}
}  // namespace

double dampening_target(double B, double j, double k) { return B * std::pow((B - j) / B, k); }
double one_free_buffer_hotspots(double B, double j) { return B / j * std::log(B); }
double one_free_buffer_hotspots_exact(double B, double j) {
  return j < B ? std::log(B) / -std::log1p(-j / B) : nan;
}

double best_j(double B, double k) { return B / k * ln2; }
double beta_at_best_j(double j) { return std::exp2(-j); }
double theorem_5_hotspots(double B, double j, double t) {
  return t >= 0 && t < std::log(j) ? B / j * (std::log(j) - t) : nan;
}
double theorem_5_bound(double t) { return std::exp(-std::exp(t)); }
double theorem_7_j(double s) { return std::log2(s); }
double theorem_7_hotspots(double B, double s) { return s > 1 ? B / theorem_7_j(s) * ln2 : nan; }
double lemma_8_f(double P, double k, double j) { return std::exp(-(P - k) * std::exp2(-j)); }
double lemma_8_f_as_printed(double P, double B, double j) { return std::exp(-(P - B * ln2) * std::exp2(-j)); }

double theorem_9_hotspots(double B, double P, double s) {
  // k (ln(P - k) + ln s) rises with k up to a maximum near P; the smaller solution is the one meant.
  const double target = B * ln2 * ln2;
  const auto excess = [&](double k) { return k * (std::log(P - k) + std::log(s)) - target; };
  const double slope = [&] {  // where the left side stops rising: ln((P - k) s) = k/(P - k)
    double low = 0, high = P;
    for (int i = 0; i < 200; ++i) {
      const double k = (low + high) / 2;
      (std::log((P - k) * s) > k / (P - k) ? low : high) = k;
    }
    return low;
  }();
  if (!(s >= 1) || !(P * s > 1) || excess(slope) < 0) return nan;
  std::uintmax_t steps = 200;
  const auto root = boost::math::tools::toms748_solve(excess, 0.0, slope,
                                                      boost::math::tools::eps_tolerance<double>(48), steps);
  return (root.first + root.second) / 2;
}

double theorem_9_hotspots_as_printed(double B, double P, double s) {
  const double cool = P - B * ln2;
  return cool > 0 && cool * s > 1 ? B * ln2 * ln2 / (std::log(cool) + std::log(s)) : nan;
}

double theorem_10_hotspots(double B, double P, double t) {
  if (!(P > 1)) return nan;
  const double product = B * ln2 * ln2 / std::log(P);
  return (-(t + 1) + std::sqrt((t + 1) * (t + 1) + 4 * product)) / 2;
}

std::uint32_t unique_subset_buffers(std::uint64_t P) { return buffers_for_subsets(static_cast<double>(P)); }

std::uint32_t unique_subset_buffers_bound(std::uint64_t P) {
  const double lg = std::log2(static_cast<double>(P));
  return 1 + static_cast<std::uint32_t>(std::ceil(lg + std::log2(lg)));
}

std::uint32_t binary_digit_buffers(std::uint64_t P) {
  std::uint32_t digits = 0;
  while (digits < 64 && (std::uint64_t{1} << digits) < P) ++digits;
  return digits == 0 ? 1 : 2 * digits;
}

std::uint32_t collision_free_buffers(std::uint64_t P, double eps) {
  const auto p = static_cast<double>(P);
  return buffers_for_subsets(p * (p - 1) / 2 / eps);
}

std::uint32_t square_root_buffers(std::uint64_t P) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(P)));
  while (root * root < P) ++root;
  while (root > 0 && (root - 1) * (root - 1) >= P) --root;
  return static_cast<std::uint32_t>(root);
}

double oblivious_routing_bound(double P, double d) { return std::sqrt(P / (d * d * d)); }

double storage_bytes(double P, double buffers_each, double message_bytes) {
  return P * buffers_each * message_bytes;
}

}  // namespace spillway::theory
