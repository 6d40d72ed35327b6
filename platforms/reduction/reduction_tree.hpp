#pragma once
#include <optional>
#include <spillway/hw/reduction/reduction_group.hpp>
#include <spillway/platforms/elaborate/parts.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <vector>

namespace spillway {

/// The tree by which contributions of the terminals of a group come together in the switches of a network:
/// towards its root by a shortest way from each.
struct reduction_tree {
  std::vector<reduction_place> switches;  ///< by number
  unsigned root = 0;                      ///< number of a switch
  unsigned depth = 0;  ///< switches on the longest way from a terminal to the root, both included

  /// Of the terminals whose numbers are `group` modulo `groups`. `root`: number of the switch; none: of the
  /// switches number `group` of each stage (column), modulo those that it has, one with the least depth.
  /// Throws std::invalid_argument if there is none that all these terminals have a way to.
  explicit reduction_tree(const topology& shape, std::optional<unsigned> root = {}, unsigned group = 0,
                          unsigned groups = 1);
};

/// What switches and terminals are to know: the tree of each group.
struct reduction_plan final : switch_plan {
  std::vector<reduction_tree> groups;
};

}  // namespace spillway
