#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

namespace spillway::testing_support {

/// The terminals of a network of so many.
inline std::vector<std::uint32_t> first_terminals(std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace spillway::testing_support
