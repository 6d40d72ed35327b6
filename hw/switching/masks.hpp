#pragma once
#include <cstdint>

/// Sets of up to 64 ports, lanes, queues or links as words: bit i stands for number i.
namespace spillway::masks {

constexpr std::uint64_t bit(unsigned i) { return std::uint64_t{1} << i; }  ///< the set of `i` alone, 0 to 63
/// Numbers 0 to n - 1.
constexpr std::uint64_t low_bits(unsigned n) { return n >= 64 ? ~std::uint64_t{0} : bit(n) - 1; }
/// The lowest number of a set that is not empty.
inline unsigned lowest(std::uint64_t set) { return static_cast<unsigned>(__builtin_ctzll(set)); }

}  // namespace spillway::masks
