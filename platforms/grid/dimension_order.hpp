#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// Lowest dimension first, the shorter way round. Where dimensions are closed and links have two or more
/// virtual channels, `dateline` splits them into two classes: a packet that has still to go round the end of
/// its ring takes the first, one that has gone round the second (Dally and Seitz 1987), one that need not
/// either, by where it entered the ring, so that both are used and packets stay in order.
std::shared_ptr<const routing> make_dimension_order(const grid_shape& grid, unsigned channels, bool dateline);

class dimension_order_routing final : public routing_entry {
public:
  dimension_order_routing() : routing_entry("dimension_order") {}

  nlohmann::json schema() const override;
  routing_fit fit(const topology& shape) const override {
    return shape.facts<grid_shape>() ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override {
    return make_dimension_order(*context.shape.facts<grid_shape>(), context.channels,
                                context.parameters.at("dateline"));
  }
};

}  // namespace spillway
