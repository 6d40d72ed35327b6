#pragma once
#include <spillway/platforms/grid/grid_topology.hpp>

namespace spillway {

class mesh_topology final : public grid_topology {
public:
  mesh_topology() : grid_topology("mesh") {}

  nlohmann::json schema() const override { return grid_schema("A grid of switches with one terminal each."); }

private:
  grid_shape shape(const nlohmann::json& parameters) const override {
    return {parameters.at("dimensions"), false};
  }
};

}  // namespace spillway
