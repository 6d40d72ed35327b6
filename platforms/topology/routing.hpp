#pragma once
#include <memory>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <utility>

namespace spillway {

/// The section `routing` of an experiment.
struct routing_choice {
  /// Of the kind alone, all else as by default.
  routing_choice(std::string kind_name) : kind(std::move(kind_name)) {}
  routing_choice(const char* kind_name) : kind(kind_name) {}

  std::string kind;        ///< `auto`, or one of those below
  unsigned channels = 1;   ///< virtual channels of a link, of one logical network
  bool dateline = true;    ///< dimension_order: classes of channels on tori and rings
  bool hashed_up = false;  ///< nearest_ancestor: one parent for each source and destination, instead of any
};

/// `digit`: stage i of a butterfly or omega takes the output that is digit i (from the left) of the
/// destination, or one of those of a multibutterfly. `dimension_order`, `adaptive`: meshes, tori and rings
/// (see grid_routing.hpp). `nearest_ancestor`: xgft, up to the nearest common ancestor by any parent, and
/// down. `up_down`: the same of fat_tree. `e_cube`, `shortest_paths`: hypercubes (hypercube_routing.hpp).
/// `table`: a shortest path, of several the one by the lowest port, for any topology; a byte for each switch
/// and terminal. `auto`: the first of these that fits. Throws std::invalid_argument for any other,
/// std::length_error for tables that do not fit into memory.
std::shared_ptr<const routing> make_routing(const topology& shape, const routing_choice& choice);

}  // namespace spillway
