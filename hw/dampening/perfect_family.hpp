#pragma once
#include <cstdint>
#include <spillway/hw/dampening/buffer_sets.hpp>
#include <vector>

namespace spillway {

// The (j-1)-perfect family H(j, B) of Kuszmaul and Kuszmaul, section VII.

/// The sets {(r q j + t q) mod B : t = 1..j} for q in Q, r = 0..B/j - 1 (the paper writes r in [0, B/j]).
/// j divides B, else std::invalid_argument.
buffer_sets perfect_family(std::uint32_t j, std::uint32_t B, const std::vector<std::uint32_t>& Q);
/// The paper's Q for B a power of two: every odd prime in (sqrt j, B/j], and of each smaller odd prime its
/// least power above sqrt j. Theorem 11 is false for it: at j = 8, B = 256 there are 96 pairs that share two
/// buffers.
std::vector<std::uint32_t> perfect_family_q_as_printed(std::uint32_t j, std::uint32_t B);
/// A Q to which no q can be added and for which any two sets share at most one buffer. Decided on each pair:
/// the paper's condition lcm(q, q') > qj does not suffice (j = 5, B = 45, q = 8, q' = 7). The largest Q of
/// three greedy orders, ascending. j divides B, else std::invalid_argument.
std::vector<std::uint32_t> perfect_family_q(std::uint32_t j, std::uint32_t B);

}  // namespace spillway
