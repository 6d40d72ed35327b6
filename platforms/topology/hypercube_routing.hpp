#pragma once
#include <memory>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// On hypercubes, plain and hierarchical: every output that starts a shortest path, which are those of the
/// dimensions in which the node and the destination differ, or only the lowest of them (`e_cube`). In a
/// hierarchical one a message for another cluster goes to the interface node of its own first, and across.
std::shared_ptr<const routing> make_hypercube_routing(const topology& cube, bool e_cube);

}  // namespace spillway
