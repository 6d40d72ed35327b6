#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/endpoints/endpoints.hpp>

namespace spillway {

/// What becomes of the data of all contributions: their sum modulo 2^32, or the least or the greatest of them
/// as numbers without a sign.
enum class reduction : std::uint8_t { sum, minimum, maximum };

/// `a` and `b` as one.
inline std::uint32_t reduced(reduction how, std::uint32_t a, std::uint32_t b) {
  switch (how) {
    case reduction::sum:
      return a + b;
    case reduction::minimum:
      return std::min(a, b);
    case reduction::maximum:
      return std::max(a, b);
  }
  return a;
}

// The interface's word of a contribution: bits 0 and 1 the reduction, as the terminal's software has asked,
// the rest the round, which its interface counts.

/// What the software asks for.
constexpr std::uint64_t word_of(reduction how) { return static_cast<std::uint64_t>(how); }
/// @{
/// What a contribution says of itself.
inline reduction reduction_of(const flit& f) { return static_cast<reduction>(f.interface_word & 3); }
inline std::uint64_t round_of(const flit& f) { return f.interface_word >> 2; }
/// @}
/// The contribution `f` in that round.
inline flit in_round(flit f, std::uint64_t round) {
  f.interface_word = round << 2 | (f.interface_word & 3);
  return f;
}
/// The flit with other data.
inline flit with_data(flit f, std::uint32_t data) {
  f.payload = data;
  f.payload = check_value(f);
  return f;
}

}  // namespace spillway
