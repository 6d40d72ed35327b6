#include <cmath>
#include <spillway/tb/circuit/fat_tree.hpp>
#include <vector>

namespace spillway::theory {
namespace {

double two_to_the(unsigned exponent) { return std::ldexp(1.0, static_cast<int>(exponent)); }

/// Pr[k, i, j] of Eq. 2.
double pr_kij(unsigned k, unsigned i, unsigned j) {
  if (i == k && j < k) return (j + 2) / two_to_the(k + 1);
  if (j == k && i < k) return (i + 2) / two_to_the(k + 1);
  if (i == j && i > k) return (k + 2) / two_to_the(i + 1);
  return 0;
}

/// The balls of one destination that a bin holds, and the destination that delivers.
struct bin {
  std::uint32_t round = 0, balls = 0, winner = 0;
};

}  // namespace

double pr_c2(std::uint64_t count) {
  const auto n = static_cast<double>(count);
  const double nodes = n * n * (std::log2(n) / 2 - 2.0 / 3) + 2.0 / 3;
  return nodes / std::pow(n - 1, 3);
}

double pr_c2_sum(std::uint64_t count) {
  const auto n = static_cast<double>(count);
  const auto h = static_cast<unsigned>(std::lround(std::log2(n)));
  double sum = 0;
  for (unsigned k = 0; k < h; ++k) {
    for (unsigned i = 0; i < h; ++i) {
      for (unsigned j = 0; j < h; ++j) sum += two_to_the(k + i + j) * pr_kij(k, i, j);
    }
  }
  return sum / std::pow(n - 1, 3);
}

double pr_c2_lower(std::uint64_t n) {
  return std::log2(static_cast<double>(n)) / (3 * static_cast<double>(n));
}
double pr_c2_upper(std::uint64_t n) {
  return std::log2(static_cast<double>(n)) / (2 * static_cast<double>(n));
}

std::uint32_t model_1_bins(std::uint64_t n) {
  return static_cast<std::uint32_t>(std::lround(1 / pr_c2_upper(n)));
}
std::uint32_t model_2_bins(std::uint64_t n) { return static_cast<std::uint32_t>(std::lround(1 / pr_c2(n))); }

double expected_delivered(double b, double m) { return b == 1 ? 1 : -b * std::expm1(m * std::log1p(-1 / b)); }

std::uint32_t model_1_rounds(random_engine& engine, std::uint32_t b, std::uint32_t m) {
  std::vector<std::uint32_t> last(b, 0);  // the last round in which the bin was not empty
  std::uint32_t round = 0;
  while (m > 0) {
    ++round;
    std::uint32_t delivered = 0;
    for (std::uint32_t ball = 0; ball < m; ++ball) {
      auto& mark = last[below(engine, b)];
      delivered += mark != round ? 1 : 0;
      mark = round;
    }
    m -= delivered;
  }
  return round;
}

std::uint32_t model_2_rounds(random_engine& engine, std::uint32_t n, std::uint32_t b, std::uint32_t m) {
  std::vector<std::uint32_t> waiting(n, 0);
  for (std::uint32_t ball = 0; ball < m; ++ball) ++waiting[below(engine, n)];
  std::vector<std::uint32_t> open, used;  // destinations with balls left, bins of this round
  for (std::uint32_t destination = 0; destination < n; ++destination) {
    if (waiting[destination] > 0) open.push_back(destination);
  }
  std::vector<bin> bins(b);
  std::uint32_t round = 0;
  while (!open.empty()) {
    ++round;
    used.clear();
    for (const std::uint32_t destination : open) {
      const std::uint32_t index = below(engine, b);
      auto& chosen = bins[index];
      if (chosen.round != round) {
        chosen = {round, waiting[destination], destination};
        used.push_back(index);
      } else {
        chosen.balls += waiting[destination];
        if (below(engine, chosen.balls) < waiting[destination]) chosen.winner = destination;
      }
    }
    for (const std::uint32_t index : used) --waiting[bins[index].winner];
    std::size_t kept = 0;
    for (const std::uint32_t destination : open) {
      if (waiting[destination] > 0) open[kept++] = destination;
    }
    open.resize(kept);
  }
  return round;
}

namespace {
constexpr double success =
    1 - 2 / 2.718281828459045235;  // of a round of Phase II; of the bins, in one of Phase I
}

double phase_1_successes(double n, double m) {
  return std::max(0.0, (m * std::log2(n) / (2 * n) - 1) / success);
}

double rounds_bound(double n, double m, double epsilon) {
  const double surely = -4 * std::log(epsilon / 2), bins = 2 * n / std::log2(n);
  const double first = m > bins ? 2 * (2 * phase_1_successes(n, m) + surely) : 0;
  return first + (2 * std::log2(std::min(m, bins)) + surely) / success;
}

double phase_1_observed(double n, double m) { return m * std::log2(n) / (2 * n); }

double rounds_fit(double n, double m) { return std::log2(m) / 10 + phase_1_observed(n, m) + 1; }

}  // namespace spillway::theory
