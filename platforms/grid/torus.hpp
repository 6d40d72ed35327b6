#pragma once
#include <spillway/platforms/grid/grid_topology.hpp>

namespace spillway {

class torus_topology final : public grid_topology {
public:
  torus_topology() : grid_topology("torus") {}

  nlohmann::json schema() const override {
    return grid_schema("A grid of switches that wraps around, with one terminal each.");
  }

private:
  grid_shape shape(const nlohmann::json& parameters) const override {
    return {parameters.at("dimensions"), true};
  }
};

}  // namespace spillway
