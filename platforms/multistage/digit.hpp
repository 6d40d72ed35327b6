#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// Stage i takes the output that is digit i (from the left) of the destination, or one of those of a
/// multibutterfly.
class digit_routing final : public routing_entry {
public:
  digit_routing() : routing_entry("digit") {}

  nlohmann::json schema() const override {
    return {{"description", "By one digit of the destination a stage, for multistage networks."}};
  }
  routing_fit fit(const topology& shape) const override {
    return shape.facts<multistage_shape>() ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

}  // namespace spillway
