#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/tree/nearest_ancestor.hpp>
#include <spillway/platforms/tree/xgft.hpp>
#include <vector>

namespace spillway {

using masks::bit;

namespace {

/// Fat trees of any numbers: up to the nearest common ancestor, then down.
class nearest_ancestor final : public routing {
public:
  nearest_ancestor(const topology& t, const xgft_shape& tree, unsigned channels, bool hashed)
      : hashed_(hashed), in_order_(hashed && channels == 1) {
    std::vector<std::uint32_t> under{1};  // terminals under a switch of a level; under a terminal
    for (const unsigned c : tree.children) under.push_back(under.back() * c);
    std::vector<std::uint32_t> first(tree.children.size() + 1);
    for (const auto v : t.switches) ++first[t.g[v].stage + 1];
    for (std::size_t l = 1; l < first.size(); ++l) first[l] += first[l - 1];
    for (const auto v : t.switches) {
      const unsigned l = t.g[v].stage;
      const auto subtrees = static_cast<std::uint32_t>(t.terminals.size()) / under[l + 1];
      const std::uint32_t copies = (first[l + 1] - first[l]) / subtrees;
      const unsigned parents = l < tree.parents.size() ? tree.parents[l] : 0;
      places_.push_back({(t.g[v].index - first[l]) / copies * under[l + 1], under[l + 1], under[l],
                         static_cast<std::uint8_t>(tree.children[l]), static_cast<std::uint8_t>(parents)});
    }
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const place& here = places_[node];
    const std::uint32_t below = f.destination - here.first;  // wraps around if it lies to the left
    if (below < here.terminals) return bit(below / here.each);
    if (hashed_) return bit(here.children + mixed(f, node) % here.parents);
    return ((port_mask{1} << here.parents) - 1) << here.children;
  }
  bool memoryless() const override { return !hashed_; }
  bool in_order() const override { return in_order_; }

private:
  struct place {
    std::uint32_t first, terminals, each;  // terminals under it, and under each child
    std::uint8_t children, parents;
  };
  static unsigned mixed(const flit& f, unsigned node) {
    std::uint64_t z = (std::uint64_t{f.source} << 32 | f.destination) + (node + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    return static_cast<unsigned>((z ^ (z >> 27)) >> 33);
  }
  const bool hashed_, in_order_;
  std::vector<place> places_;  // by switch
};

}  // namespace

nlohmann::json nearest_ancestor_routing::schema() const {
  return parse_schema(R"({
    "description": "Up to the nearest common ancestor, then down, for the topology xgft.",
    "properties": {
      "up": {
        "enum": ["any", "hashed"],
        "default": "any",
        "description": "Whether a packet may go up by any parent, as the switch chooses, or by one that its source and destination determine, which keeps packets in order. Of any parent packet switches take the first, but with buffering damq: hashed spreads them."
      }
    }
  })");
}

routing_fit nearest_ancestor_routing::fit(const topology& shape) const {
  return shape.facts<xgft_shape>() ? routing_fit::own : routing_fit::none;
}

std::shared_ptr<const routing> nearest_ancestor_routing::make(const routing_context& context) const {
  return std::make_shared<nearest_ancestor>(context.shape, *context.shape.facts<xgft_shape>(),
                                            context.channels, context.parameters.at("up") == "hashed");
}

}  // namespace spillway
