#pragma once
#include <cstdint>

namespace spillway {

/// A bijection of 64-bit words that scatters them well (the finaliser of splitmix64).
constexpr std::uint64_t scatter(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A random number without state: the value at `moment` of stream `stream` of a run. Whoever asks, in
/// whatever order and at whatever level of abstraction, is told the same.
constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t moment) {
  return scatter(scatter(scatter(seed) ^ stream) ^ moment);
}

/// Maps `bits` random low bits of `word` to 0 ... `below` - 1; `below` is small against 2^bits.
constexpr std::uint64_t part_of(std::uint64_t word, unsigned bits, std::uint64_t below) {
  return ((word & ((std::uint64_t{1} << bits) - 1)) * below) >> bits;
}

/// Whole cycles of a time that was drawn, which may be beyond all that are counted.
constexpr std::uint64_t cycles_of(double time) {
  return time < 0x1p62 ? static_cast<std::uint64_t>(time) : std::uint64_t{1} << 62;
}

}  // namespace spillway
