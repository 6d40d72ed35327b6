#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

// On hypercubes, plain and hierarchical. In a hierarchical one a message for another cluster goes to the
// interface node of its own first, and across.

/// The lowest of the dimensions in which the node and the destination differ.
class e_cube_routing final : public routing_entry {
public:
  e_cube_routing() : routing_entry("e_cube") {}

  nlohmann::json schema() const override;
  routing_fit fit(const topology& shape) const override;
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

/// Every output that starts a shortest path, which are those of the dimensions in which the node and the
/// destination differ.
class shortest_paths_routing final : public routing_entry {
public:
  shortest_paths_routing() : routing_entry("shortest_paths") {}

  nlohmann::json schema() const override;
  routing_fit fit(const topology& shape) const override;
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

}  // namespace spillway
