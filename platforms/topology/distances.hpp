#pragma once
#include <cstdint>
#include <spillway/platforms/topology/topology.hpp>
#include <vector>

namespace spillway {

/// Links between switches on a shortest way from a switch to a terminal, for all of them: two bytes each.
/// Throws std::length_error where that does not fit into memory.
class distance_table {
public:
  static constexpr std::uint16_t unreachable = 0xffff;

  explicit distance_table(const topology& shape);

  unsigned from(unsigned node, unsigned terminal) const { return distance_[node * terminals_ + terminal]; }
  /// The longest of those that arrive.
  unsigned longest() const;
  /// From one switch to all terminals.
  std::vector<std::uint16_t> row(unsigned node) const;

private:
  const std::size_t terminals_;
  std::vector<std::uint16_t> distance_;
};

}  // namespace spillway
