#pragma once
#include <cstdint>

namespace spillway {

/// What a circuit takes: registers of a block, or wires of a link. Flits and numbers of terminals are counted
/// by themselves, since a design decides how wide they are.
struct hardware_size {
  std::uint64_t flits = 0;  ///< places for whole flits, or buses as wide as one
  std::uint64_t names = 0;  ///< numbers of terminals, or of what there are about as many
  std::uint64_t bits = 0;   ///< all else: pointers, counts, flags; a time is 32 bits

  /// Adds each part.
  hardware_size& operator+=(const hardware_size& other) {
    flits += other.flits;
    names += other.names;
    bits += other.bits;
    return *this;
  }
};
/// @{
/// Of both; of so many alike.
inline hardware_size operator+(hardware_size a, const hardware_size& b) { return a += b; }
inline hardware_size operator*(std::uint64_t number, const hardware_size& each) {
  return {number * each.flits, number * each.names, number * each.bits};
}
/// @}
/// All parts are the same.
inline bool operator==(const hardware_size& a, const hardware_size& b) {
  return a.flits == b.flits && a.names == b.names && a.bits == b.bits;
}

constexpr unsigned time_bits = 32;  ///< that a time counts for

/// Bits of a number below `values`; none for a single value.
constexpr unsigned bits_below(std::uint64_t values) {
  unsigned bits = 0;
  while (bits < 64 && values > std::uint64_t{1} << bits) ++bits;
  return bits;
}
/// Bits of a number from 0 to `most`.
constexpr unsigned bits_to(std::uint64_t most) { return bits_below(most + 1); }

}  // namespace spillway
