#include <algorithm>
#include <cmath>
#include <limits>
#include <spillway/tb/dampening/blocking.hpp>
#include <spillway/tb/theory/occupancy.hpp>
#include <spillway/tb/theory/sample.hpp>

namespace spillway::theory {
namespace {
double throws_of(const blocking_parameters& p) { return static_cast<double>(p.j) * p.k; }
std::uint64_t whole_throws(const blocking_parameters& p) { return std::uint64_t{p.j} * p.k; }
/// (1 - beta)^exponent without losing small beta.
double survives(double beta, double exponent) {
  if (exponent == 0) return 1;
  return std::exp(exponent * std::log1p(-beta));
}
}  // namespace

double free_buffers(const blocking_parameters& p) { return p.B * survives(1.0 / p.B, throws_of(p)); }
double free_buffers_approximation(const blocking_parameters& p) {
  return p.B * std::exp(-throws_of(p) / p.B);
}
double blocked(const blocking_parameters& p) { return std::pow(1 - free_buffers(p) / p.B, p.j); }
double blocked_approximation(const blocking_parameters& p) {
  return std::pow(-std::expm1(-throws_of(p) / p.B), p.j);
}
double none_blocked(const blocking_parameters& p) {
  return survives(blocked(p), static_cast<double>(p.P) - p.k);
}
double none_blocked_as_printed(const blocking_parameters& p) {
  const double exponent = p.P - throws_of(p);
  return exponent < 0 ? std::numeric_limits<double>::quiet_NaN() : survives(blocked(p), exponent);
}

double blocked_exact(const blocking_parameters& p) {
  const auto probability = occupancy(p.B, whole_throws(p));
  double beta = 0;
  for (std::size_t x = 0; x < probability.size(); ++x) {
    beta += probability[x] * std::pow(static_cast<double>(x) / p.B, p.j);
  }
  return beta;
}

double none_blocked_exact(const blocking_parameters& p) {
  const auto probability = occupancy(p.B, whole_throws(p));
  double f = 0;
  for (std::size_t x = 0; x < probability.size(); ++x) {
    f += probability[x] *
         survives(std::pow(static_cast<double>(x) / p.B, p.j), static_cast<double>(p.P) - p.k);
  }
  return f;
}

blocking_estimate simulate_blocking(const blocking_parameters& p, std::uint32_t trials, std::uint32_t seed) {
  random_engine engine(seed);
  std::vector<std::uint32_t> taken(p.B, 0);  // the last trial in which a hotspot held the buffer
  sample beta, g, f;
  const std::uint32_t cool = p.P - p.k;
  for (std::uint32_t trial = 1; trial <= trials; ++trial) {
    std::uint32_t occupied = 0;
    for (std::uint64_t t = 0; t < whole_throws(p); ++t) {
      auto& mark = taken[below(engine, p.B)];
      if (mark != trial) ++occupied;
      mark = trial;
    }
    std::uint32_t stopped = 0;
    for (std::uint32_t c = 0; c < cool; ++c) {
      std::uint32_t i = 0;
      while (i < p.j && taken[below(engine, p.B)] == trial) ++i;
      if (i == p.j) ++stopped;
    }
    g.add(static_cast<double>(p.B) - occupied);
    f.add(stopped == 0 ? 1 : 0);
    if (cool > 0) beta.add(static_cast<double>(stopped) / cool);
  }
  return {cool > 0 ? beta.mean() : std::numeric_limits<double>::quiet_NaN(),
          beta.error(),
          g.mean(),
          g.error(),
          f.mean(),
          f.error()};
}

}  // namespace spillway::theory
