#include <spillway/platforms/topology/hypercube_routing.hpp>

namespace spillway {

namespace {

class hypercube_routing final : public routing {
public:
  hypercube_routing(const topology& cube, bool e_cube)
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
  bool in_order() const override { return e_cube_; }

private:
  const unsigned low_;  // bits within a cluster, if only its interface node leads out of it
  const unsigned interface_;
  const bool e_cube_;
};

}  // namespace

std::shared_ptr<const routing> make_hypercube_routing(const topology& cube, bool e_cube) {
  return std::make_shared<hypercube_routing>(cube, e_cube);
}

}  // namespace spillway
