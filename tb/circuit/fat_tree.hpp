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
/// Theorem 1, Phase I (Eq. 6): successful rounds, of which each delivers more than b (1 - 2/e) messages,
/// until no more than b = 2n/lg n are left; 0 for so few.
double phase_1_successes(double n, double m);
/// Theorem 1: rounds within which Model I delivers all with a probability of at least 1 - epsilon, as its
/// proof counts them, half of epsilon to each phase: Phase I has (2S - 4 ln(epsilon/2)) 2 rounds for its S
/// successful ones, Phase II, of which a round succeeds with 1 - 2/e, (2 lg m - 4 ln(epsilon/2)) / (1 - 2/e).
double rounds_bound(double n, double m, double epsilon);
/// What the paper observes of Phase I beside its bound: m lg n/(2n) rounds.
double phase_1_observed(double n, double m);
/// The paper's ad hoc fit of the rounds, lg m/10 + m lg n/(2n) + 1.
double rounds_fit(double n, double m);

}  // namespace spillway::theory
