#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/hypercube/cube_routing.hpp>

namespace spillway {

namespace {

class cube_routing final : public routing {
public:
  cube_routing(const cube_shape& cube, bool e_cube, unsigned channels)
      : addresses_(cube.addresses()),
        interface_(cube.interface),
        e_cube_(e_cube),
        in_order_(e_cube && channels == 1) {
    unsigned first = 0;
    for (const unsigned bits : cube.levels) {
      levels_.push_back(((1u << bits) - 1) << first);
      first += bits;
    }
  }

  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    unsigned differ = next_level(address(node), address(f.destination));
    if (differ == 0) return 1;
    if (e_cube_) differ &= ~differ + 1;
    return port_mask{differ} << 1;
  }
  bool memoryless() const override { return true; }
  bool in_order() const override { return in_order_; }

private:
  unsigned address(unsigned number) const { return addresses_.empty() ? number : addresses_[number]; }
  /// Bits to change on the level to move in: the highest on which they differ, or the lowest below it on
  /// which this is no interface node.
  unsigned next_level(unsigned here, unsigned there) const {
    for (std::size_t highest = levels_.size(); highest-- > 0;) {
      if (!((here ^ there) & levels_[highest])) continue;
      for (std::size_t level = 0; level < highest; ++level)
        if (const unsigned climbs = (here ^ interface_) & levels_[level]) return climbs;
      return (here ^ there) & levels_[highest];
    }
    return 0;
  }

  std::vector<unsigned> levels_;  // the bits of each, from the clusters up
  const std::vector<std::uint32_t> addresses_;
  const unsigned interface_;
  const bool e_cube_, in_order_;
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
  return std::make_shared<cube_routing>(*context.shape.facts<cube_shape>(), true, context.channels);
}

nlohmann::json shortest_paths_routing::schema() const {
  return {{"description", "Hypercubes: any output that starts a shortest path, as the switch chooses."}};
}

routing_fit shortest_paths_routing::fit(const topology& shape) const { return fit_of(shape); }

std::shared_ptr<const routing> shortest_paths_routing::make(const routing_context& context) const {
  return std::make_shared<cube_routing>(*context.shape.facts<cube_shape>(), false, context.channels);
}

}  // namespace spillway
