#pragma once
#include <cstdint>

namespace spillway::theory {

// Sizes and bounds of Kuszmaul and Kuszmaul's dampening switches. P processors, B buffers, j buffers of a
// processor, k hotspots; all positive. A result that does not exist (a logarithm of nothing) is NaN.

/// Section IV: buffers of a dampening switch that stay free of k hotspots, B ((B - j)/B)^k. j <= B.
double dampening_target(double B, double j, double k);
/// Theorem 1: hotspots with which one buffer is left, (B/j) ln B.
double one_free_buffer_hotspots(double B, double j);
/// The same before the approximation, log_{B/(B-j)} B (the proof misprints ln(B/(B/j - 1)) for
/// ln((B/j)/((B/j) - 1))). j < B.
double one_free_buffer_hotspots_exact(double B, double j);

/// Section VI: the j that minimises beta, (B/k) ln 2.
double best_j(double B, double k);
/// Lemma 6: beta at that j, 2^-j (one line above it prints 1/2^(j^2); the 2 is a footnote mark).
double beta_at_best_j(double j);
/// Theorem 5: with k = (B/j)(ln j - t) hotspots, 0 <= t < ln j (the paper omits 0 <= t) ...
double theorem_5_hotspots(double B, double j, double t);
/// ... beta < 1/e^(e^t).
double theorem_5_bound(double t);
/// Theorem 7: for beta ~ 1/s, j = lg s ...
double theorem_7_j(double s);
/// ... and k = (B/j) ln 2 hotspots are tolerated. s > 1.
double theorem_7_hotspots(double B, double s);
/// Lemma 8: f ~ e^(-(P - k)/2^j); the paper prints P - B ln 2 (its jk) for the number of coolspots, P - k.
double lemma_8_f(double P, double k, double j);
double lemma_8_f_as_printed(double P, double B, double j);
/// Theorem 9: hotspots for f ~ 1 - 1/s, the k with k = B ln^2 2/(ln(P - k) + ln s), by root finding.
double theorem_9_hotspots(double B, double P, double s);
/// Theorem 9 as printed, with P - B ln 2 coolspots; NaN when B ln 2 >= P.
double theorem_9_hotspots_as_printed(double B, double P, double s);
/// Theorem 10: the k with k (k + t + 1) = B ln^2 2/ln P: at most one of P^t hash functions is not k-perfect
/// (the proof prints P^(s+t) for P^(k+t)). P > 1.
double theorem_10_hotspots(double B, double P, double t);

/// Least B with C(B, floor(B/2)) >= P: as many buffers as give P processors distinct subsets of half of them
/// (section V prints C(B, 2)).
std::uint32_t unique_subset_buffers(std::uint64_t P);
/// The paper's sufficient size, 1 + ceil(lg P + lg lg P). P >= 2.
std::uint32_t unique_subset_buffers_bound(std::uint64_t P);
/// Section II: buffers that a node of the weak scheme needs at most, ceil(sqrt(P)).
std::uint32_t square_root_buffers(std::uint64_t P);
/// Section II, after Borodin and Hopcroft: what oblivious routing on a network of degree d needs up to a
/// constant, sqrt(P/d^3). d > 0.
double oblivious_routing_bound(double P, double d);
/// Section I: bytes of a switch with so many buffers for each of P processors, each of one message.
double storage_bytes(double P, double buffers_each, double message_bytes);
/// Binary digits: 2 ceil(lg P), and at least 1.
std::uint32_t binary_digit_buffers(std::uint64_t P);
/// Theorem 2: least B for which P random subsets of floor(B/2) buffers are all distinct with probability at
/// least 1 - eps by the union bound P(P-1)/2 / C(B, floor(B/2)) <= eps; O(lg(P/eps)). 0 < eps < 1.
std::uint32_t collision_free_buffers(std::uint64_t P, double eps);

}  // namespace spillway::theory
