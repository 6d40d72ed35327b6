#pragma once
#include <spillway/hw/switching/routing.hpp>

namespace spillway {

/// The shape of a fat tree of binary routers (Strumpen and Krishnamurthy, section 3): 2^height terminals are
/// the leaves of a complete binary tree, its router node at level l (0: parents of the terminals) is 2^l
/// routers with two ports down, a and b, and two up, c and d.
///
/// Router r of a node at level l leads by port c to router r and by port d to router r + 2^l of the parent
/// node, to port a if the node is its left child, else b. So the number of the router at level l is the
/// binary number of the first l choices on the way up, and on the way down those choices say which router
/// comes next. The ports c and d of the root are open.
struct fat_tree {
  unsigned height = 1;  ///< lg of the terminals, 1 to 28: routers are numbered in 32 bits

  /// Where a router is.
  struct place {
    std::uint32_t level;   ///< 0 to height - 1
    std::uint32_t node;    ///< of the tree at that level
    std::uint32_t router;  ///< of the node
  };

  std::uint32_t terminals() const { return std::uint32_t{1} << height; }  ///< 2^height
  std::uint32_t routers() const { return height << (height - 1); }        ///< of the whole tree
  /// Routers are numbered level by level, in a level node by node.
  std::uint32_t number(const place& p) const {
    return (p.level << (height - 1)) + (p.node << p.level) + p.router;
  }
  /// Of the router with this number.
  place at(std::uint32_t number) const {
    const std::uint32_t level = number >> (height - 1);
    const std::uint32_t rest = number & ((std::uint32_t{1} << (height - 1)) - 1);
    return {level, rest >> level, rest & ((std::uint32_t{1} << level) - 1)};
  }
  /// Level at which a message turns from the way up to the way down.
  static unsigned turn(std::uint32_t source, std::uint32_t destination) {
    const std::uint32_t differs = source ^ destination;
    return differs ? 31 - static_cast<unsigned>(__builtin_clz(differs)) : 0;
  }
  /// Cycles of a message of one flit across the whole tree and of its acknowledgement back: two a router
  /// forward, one back.
  std::uint64_t diameter_cycles() const { return std::uint64_t{3} * (2 * height - 1); }
};

constexpr unsigned port_a = 0;  ///< down, to the left child
constexpr unsigned port_b = 1;  ///< down, to the right child
constexpr unsigned port_c = 2;  ///< up
constexpr unsigned port_d = 3;  ///< up

/// Up by c or d, whichever the router chooses, to the lowest common ancestor; down as the bits of the
/// destination say.
class fat_tree_routing final : public routing {
public:
  explicit fat_tree_routing(fat_tree shape) : shape_(shape) {}  ///< `shape`: a height of 1 to 28

  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    const fat_tree::place here = shape_.at(node);
    const std::uint64_t destination = f.destination;
    if (destination >> (here.level + 1) == here.node)
      return port_mask{1} << (destination >> here.level & 1 ? port_b : port_a);
    return input <= port_b ? port_mask{1} << port_c | port_mask{1} << port_d : 0;
  }
  bool memoryless() const override { return true; }
  bool in_order() const override { return false; }  // two ways up

private:
  const fat_tree shape_;
};

}  // namespace spillway
