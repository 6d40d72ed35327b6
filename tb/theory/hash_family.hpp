#pragma once
#include <cstdint>
#include <vector>

namespace spillway::theory {

/// S_p, the buffers (0..B-1) that messages for processor p may use, for p = 0, 1, ...
using buffer_sets = std::vector<std::vector<std::uint32_t>>;

/// True when no choice of k hotspots fills every buffer of a coolspot (Kuszmaul and Kuszmaul, section VII).
/// Exact search for a cover, up to (processors a buffer)^k steps for each processor.
bool is_k_perfect(const buffer_sets& sets, std::uint32_t k);
/// Pairs of sets that share more than one buffer.
std::uint64_t pairs_sharing_two(const buffer_sets& sets);

/// The sets {(r q j + t q) mod B : t = 1..j} for q in Q, r = 0..B/j - 1 (the paper writes r in [0, B/j]).
/// j divides B, else std::invalid_argument.
buffer_sets family(std::uint32_t j, std::uint32_t B, const std::vector<std::uint32_t>& Q);
/// The paper's Q for B a power of two: every odd prime in (sqrt j, B/j], and of each smaller odd prime its
/// least power above sqrt j. Theorem 11 is false for it: at j = 8, B = 256 there are 96 pairs that share two
/// buffers.
std::vector<std::uint32_t> family_q_as_printed(std::uint32_t j, std::uint32_t B);
/// A Q to which no q can be added and for which any two sets share at most one buffer. Decided on each pair:
/// the paper's condition lcm(q, q') > qj does not suffice (j = 5, B = 45, q = 8, q' = 7). The largest Q of
/// three greedy orders, ascending. j divides B, else std::invalid_argument.
std::vector<std::uint32_t> family_q(std::uint32_t j, std::uint32_t B);

}  // namespace spillway::theory
