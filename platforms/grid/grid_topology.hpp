#pragma once
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

/// What meshes, tori and rings are entries of.
class grid_topology : public topology_entry {
public:
  std::optional<topology_size> size(const nlohmann::json& parameters) const final {
    return shape(parameters).size();
  }
  topology make(const topology_context& context) const final { return make_grid(shape(context.parameters)); }

protected:
  using topology_entry::topology_entry;

private:
  virtual grid_shape shape(const nlohmann::json& parameters) const = 0;
};

}  // namespace spillway
