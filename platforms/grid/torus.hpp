#pragma once
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class torus_topology final : public topology_entry {
public:
  torus_topology() : topology_entry("torus") {}

  nlohmann::json schema() const override {
    return {{"description", "A grid of switches that wraps around, with one terminal each."},
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
  static grid_shape shape(const nlohmann::json& parameters) { return {parameters.at("dimensions"), true}; }
};

}  // namespace spillway
