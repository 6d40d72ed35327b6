#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// Any output that leads nearer to the destination, on a mesh. Channel 0 is the escape: it may be taken only
/// in dimension order; the other channels, of which there must be one, in any (Duato 1993).
class adaptive_routing final : public routing_entry {
public:
  adaptive_routing() : routing_entry("adaptive") {}

  nlohmann::json schema() const override;
  routing_fit fit(const topology& shape) const override {
    const auto* const grid = shape.facts<grid_shape>();
    return grid && !grid->wraps ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

}  // namespace spillway
