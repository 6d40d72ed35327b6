#pragma once
#include <optional>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/elaborate/parts.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <vector>

namespace spillway {

/// The tree by which contributions of all terminals come together in the switches of a network: towards its
/// root by a shortest way from each.
struct reduction_tree final : switch_plan {
  struct place {
    port_mask children = 0;          ///< inputs by which contributions come; none: not in the tree
    std::optional<unsigned> parent;  ///< output; none: the root
  };
  std::vector<place> switches;  ///< by number
  unsigned root = 0;            ///< number of a switch
  unsigned depth = 0;           ///< switches on the longest way from a terminal to the root, both included

  /// `root`: number of the switch; none: the first switch of some stage (column) of the network, of these one
  /// with the least depth. Throws std::invalid_argument if there is none that all terminals have a way to.
  reduction_tree(const topology& shape, std::optional<unsigned> root);
};

}  // namespace spillway
