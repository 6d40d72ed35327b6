#pragma once
#include <cstdint>
#include <spillway/tb/theory/sample.hpp>

namespace spillway::theory {

// The circuit-switched randomized fat tree of Strumpen and Krishnamurthy. n processing nodes, n a power of
// two, n >= 2; m messages.

/// Lemma 1: probability that two messages sent at the same time collide, closed form.
double pr_c2(std::uint64_t n);
/// The same as the triple sum of Eqs. 1 and 2.
double pr_c2_sum(std::uint64_t n);
/// lg n/(3n) <= Pr[C2]: from n = 4 (the paper says n > 0; Pr[C2] is 0 at n = 2).
double pr_c2_lower(std::uint64_t n);
/// Pr[C2] <= lg n/(2n).
double pr_c2_upper(std::uint64_t n);

/// Model I's collision bins, 2n/lg n rounded to nearest (Corollary 1).
std::uint32_t model_1_bins(std::uint64_t n);
/// Model II's collision bins, 1/Pr[C2] rounded to nearest. n >= 4.
std::uint32_t model_2_bins(std::uint64_t n);
/// Expected messages delivered in one round of m balls into b bins, b (1 - (1 - 1/b)^m).
double expected_delivered(double b, double m);

/// Model I: rounds until m balls are gone when one ball of each of b bins goes every round.
std::uint32_t model_1_rounds(random_engine& engine, std::uint32_t b, std::uint32_t m);
/// Model II: m balls choose among n destinations once; in a round all balls left of a destination go to the
/// same one of b bins and one ball of each bin, any with equal probability, is delivered.
std::uint32_t model_2_rounds(random_engine& engine, std::uint32_t n, std::uint32_t b, std::uint32_t m);
/// The paper's ad hoc fit of the rounds, lg m/10 + m lg n/(2n) + 1.
double rounds_fit(double n, double m);

}  // namespace spillway::theory
