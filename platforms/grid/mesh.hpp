#pragma once
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class mesh_topology final : public topology_entry {
public:
  mesh_topology() : topology_entry("mesh") {}

  nlohmann::json schema() const override {
    return {{"description", "A grid of switches with one terminal each."},
            {"required", {"dimensions"}},
            {"properties", {{"dimensions", dimensions_key()}}}};
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_grid(shape(context.parameters));
  }

private:
  static grid_shape shape(const nlohmann::json& parameters) { return {parameters.at("dimensions"), false}; }
};

}  // namespace spillway
