#pragma once
#include <cstdint>

namespace spillway::theory {

/// Randomized dampening switch (Kuszmaul and Kuszmaul, section VI): P processors hashed to j-tuples of B
/// buffers with replacement, k of them hotspots whose buffers are all full.
struct blocking_parameters {
  std::uint32_t B = 64;    ///< buffers, at least 1
  std::uint32_t j = 4;     ///< entries of a tuple, at least 1
  std::uint32_t k = 8;     ///< hotspots, at most P
  std::uint32_t P = 1000;  ///< processors
};

/// g: expected number of buffers not assigned to any hotspot, B (1 - 1/B)^(jk) (exact).
double free_buffers(const blocking_parameters& p);
/// g ~ B e^(-jk/B).
double free_buffers_approximation(const blocking_parameters& p);
/// beta as the paper has it, ((B - g)/B)^j. That is (E X/B)^j, X the number of occupied buffers: less than
/// the probability of being blocked, E[(X/B)^j] (erratum of Lemmas 3 and 4, by Jensen's inequality).
double blocked(const blocking_parameters& p);
/// beta ~ (1 - e^(-jk/B))^j.
double blocked_approximation(const blocking_parameters& p);
/// f: probability that no coolspot is blocked, (1 - beta)^(P - k): there are P - k coolspots. It takes them
/// as independent, which they are not (all depend on X): far below the exact value where many are blocked.
double none_blocked(const blocking_parameters& p);
/// f as printed (Lemma 8): exponent P - jk. NaN when jk > P.
double none_blocked_as_printed(const blocking_parameters& p);

/// beta = E[(X/B)^j], exact.
double blocked_exact(const blocking_parameters& p);
/// f = E[(1 - (X/B)^j)^(P - k)], exact: given X, the coolspots are blocked independently of each other.
double none_blocked_exact(const blocking_parameters& p);

/// What simulate_blocking() finds.
struct blocking_estimate {
  double beta, beta_error, g, g_error, f, f_error;  ///< means and their standard errors
};
/// The same three by drawing hash functions. k < P for beta, else it is NaN.
blocking_estimate simulate_blocking(const blocking_parameters& p, std::uint32_t trials, std::uint32_t seed);

}  // namespace spillway::theory
