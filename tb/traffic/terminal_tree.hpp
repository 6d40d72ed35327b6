#pragma once
#include <cstdint>
#include <vector>

namespace spillway {

/// A tree over all terminals, along which their software passes messages on. A plain part.
struct terminal_tree {
  std::uint32_t root = 0;
  std::vector<std::uint32_t> parent;                 ///< by terminal; the root is its own
  std::vector<std::vector<std::uint32_t>> children;  ///< by terminal, ascending

  std::uint32_t terminals() const { return static_cast<std::uint32_t>(parent.size()); }
  /// Tree links between a terminal and the root.
  unsigned depth(std::uint32_t terminal) const {
    unsigned links = 0;
    for (; terminal != root; terminal = parent[terminal]) ++links;
    return links;
  }
};

}  // namespace spillway
