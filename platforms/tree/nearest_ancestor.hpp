#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// On fat trees of any numbers: up to the nearest common ancestor by any parent, or by one for each source
/// and destination, and down.
class nearest_ancestor_routing final : public routing_entry {
public:
  nearest_ancestor_routing() : routing_entry("nearest_ancestor") {}

  nlohmann::json schema() const override;
  routing_fit fit(const topology& shape) const override;
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

}  // namespace spillway
