#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// A shortest path, of several the one by the lowest port, for any topology; a byte for each switch and
/// terminal.
class table_routing final : public routing_entry {
public:
  table_routing() : routing_entry("table") {}

  nlohmann::json schema() const override {
    return {{"description", "Shortest paths, from a table at every switch, for any graph."}};
  }
  routing_fit fit(const topology&) const override { return routing_fit::general; }
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

}  // namespace spillway
