#include <fmt/format.h>

#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

unsigned bits_of(std::uint32_t terminals) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < terminals) ++bits;
  return bits;
}

unsigned checked_bits(const traffic_context& c) {
  if (c.terminals & (c.terminals - 1))
    c.fail("pattern", fmt::format("{} needs a power of two of terminals, found {}",
                                  c.section().at("pattern").get<std::string>(), c.terminals));
  return bits_of(c.terminals);
}

}  // namespace spillway
