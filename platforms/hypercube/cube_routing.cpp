#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/hypercube/cube_routing.hpp>

namespace spillway {

namespace {

class cube_routing final : public routing {
public:
  cube_routing(const cube_shape& cube, bool e_cube)
      : low_(cube.hierarchical ? (1u << cube.cluster) - 1 : 0), interface_(cube.interface), e_cube_(e_cube) {}

  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    unsigned differ = node ^ f.destination;
    if (differ & ~low_ && low_) {
      const unsigned to_interface = (node ^ interface_) & low_;
      differ = to_interface ? to_interface : differ & ~low_;
    }
    if (differ == 0) return 1;
    if (e_cube_) differ &= ~differ + 1;
    return port_mask{differ} << 1;
  }
  bool memoryless() const override { return true; }
  bool in_order() const override { return e_cube_; }

private:
  const unsigned low_;  // bits within a cluster, if only its interface node leads out of it
  const unsigned interface_;
  const bool e_cube_;
};

routing_fit fit_of(const topology& shape) {
  return shape.facts<cube_shape>() ? routing_fit::own : routing_fit::none;
}

}  // namespace

nlohmann::json e_cube_routing::schema() const {
  return {{"description",
           "Hypercubes: the lowest dimension first in which node and destination differ; between clusters by "
           "their interface nodes."}};
}

routing_fit e_cube_routing::fit(const topology& shape) const { return fit_of(shape); }

std::shared_ptr<const routing> e_cube_routing::make(const routing_context& context) const {
  return std::make_shared<cube_routing>(*context.shape.facts<cube_shape>(), true);
}

nlohmann::json shortest_paths_routing::schema() const {
  return {{"description", "Hypercubes: any output that starts a shortest path, as the switch chooses."}};
}

routing_fit shortest_paths_routing::fit(const topology& shape) const { return fit_of(shape); }

std::shared_ptr<const routing> shortest_paths_routing::make(const routing_context& context) const {
  return std::make_shared<cube_routing>(*context.shape.facts<cube_shape>(), false);
}

}  // namespace spillway
