#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>
#include <stdexcept>
#include <string>

// What the generators share: limits of a network, and the words for what is past them.

namespace spillway::detail {

constexpr unsigned most_ports = 64;  // bits of a port_mask
constexpr std::uint64_t most_terminals = flit::most_terminals;

inline void expect(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

/// A product of sizes that numbers of 32 bits can still count.
inline unsigned times(std::uint64_t a, std::uint64_t b) {
  expect(a * b <= most_terminals, "expected at most 2^28 terminals, found more");
  return static_cast<unsigned>(a * b);
}

inline unsigned power(unsigned radix, unsigned exponent) {
  unsigned result = 1;
  if (radix > 1)
    while (exponent--) result = times(result, radix);
  return result;
}

/// Of butterflies and omegas.
inline void check_multistage(unsigned radix, unsigned stages) {
  expect(radix >= 2 && radix <= most_ports, "expected a radix of 2..64, found " + std::to_string(radix));
  expect(stages >= 1, "expected at least 1 stage, found 0");
}

}  // namespace spillway::detail
