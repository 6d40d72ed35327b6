#pragma once
#include <memory>
#include <spillway/hw/switches/routing.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>

namespace spillway {

/// `digit`: stage i of a butterfly or omega takes the output that is digit i (from the left) of the
/// destination. `dimension_order`: mesh, torus and ring, lowest dimension first, the shorter way round.
/// `table`: a shortest path, of several the one by the lowest port, for any topology; a byte for each
/// switch and terminal. `auto`: the first of these that fits. Throws std::invalid_argument
/// for any other, std::length_error for tables that do not fit into memory.
std::shared_ptr<const routing> make_routing(const topology& shape, const std::string& kind);

}  // namespace spillway
