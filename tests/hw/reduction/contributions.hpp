#pragma once
#include <cstdint>
#include <spillway/hw/reduction/contribution.hpp>
#include <support/link_bench.hpp>

namespace spillway::testing_support {

inline std::uint32_t data_for(unsigned source, std::uint64_t round) {
  return static_cast<std::uint32_t>((source + 1) * 0x9e3779b9u + round * 0x85ebca6bu);
}

inline flit contribution(unsigned source, std::uint64_t round, reduction how = reduction::sum) {
  flit f = make_flit(source, source, static_cast<std::uint32_t>(100 * source + round));
  f.kind = flit_kind::combinable;
  f.interface_word = word_of(how);
  return with_data(in_round(f, round), data_for(source, round));
}

/// What children 0 to n - 1 make, computed apart.
inline std::uint32_t expected(reduction how, unsigned children, std::uint64_t round) {
  std::uint64_t sum = 0;
  std::uint32_t least = ~0u, most = 0;
  for (unsigned c = 0; c < children; ++c) {
    const std::uint32_t d = data_for(c, round);
    sum += d;
    if (d < least) least = d;
    if (d > most) most = d;
  }
  return how == reduction::sum ? static_cast<std::uint32_t>(sum) : how == reduction::minimum ? least : most;
}

}  // namespace spillway::testing_support
