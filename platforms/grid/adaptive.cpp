#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/grid/adaptive.hpp>
#include <spillway/platforms/topology/node_routing.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

using namespace masks;

namespace {

class minimal_adaptive final : public node_routing {
public:
  explicit minimal_adaptive(const grid_shape& mesh)
      : dimensions_(mesh.dimensions.begin(), mesh.dimensions.end()) {}

  port_mask outputs_to(unsigned destination, unsigned node) const override {
    port_mask nearer = 0;
    unsigned here = node, there = destination;
    for (unsigned d = 0; d < dimensions_.size(); ++d) {
      const unsigned x = here % dimensions_[d], to = there % dimensions_[d];
      if (x != to) nearer |= bit(to > x ? 1 + 2 * d : 2 + 2 * d);
      here /= dimensions_[d];
      there /= dimensions_[d];
    }
    return nearer ? nearer : bit(0);
  }

  channel_mask channels_to(unsigned destination, unsigned node, unsigned output) const override {
    const port_mask nearer = outputs_to(destination, node);
    const bool lowest_dimension = (nearer & (~nearer + 1)) == bit(output);
    return lowest_dimension ? ~channel_mask{0} : ~channel_mask{1};
  }
  channel_mask escape() const override { return 1; }
  bool in_order() const override { return false; }

private:
  const std::vector<unsigned> dimensions_;
};

}  // namespace

nlohmann::json adaptive_routing::schema() const {
  return {{"description",
           "Any way that leads nearer, on a mesh whose links have two or more virtual channels; channel 0 is "
           "the escape in dimension order (Duato)."}};
}

std::shared_ptr<const routing> adaptive_routing::make(const routing_context& context) const {
  if (context.channels < 2)
    throw std::invalid_argument(
        "adaptive routing needs 2 or more virtual channels, one of them to escape by, found " +
        std::to_string(context.channels));
  return std::make_shared<minimal_adaptive>(*context.shape.facts<grid_shape>());
}

}  // namespace spillway
