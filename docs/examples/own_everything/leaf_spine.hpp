// A topology and a routing of our own: every leaf switch is joined to every spine switch.
#pragma once
#include <algorithm>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace own {

/// What the routing must know beside the graph. Leaves are switches 0..leaves-1, the spines follow. The ports
/// of a leaf lead to its hosts, then to the spines; port i of a spine leads to leaf i.
struct leaf_spine_facts final : spillway::topology_facts {
  unsigned leaves, spines, hosts;
  leaf_spine_facts(unsigned l, unsigned s, unsigned h) : leaves(l), spines(s), hosts(h) {}
};

class leaf_spine final : public spillway::topology_entry {
public:
  leaf_spine() : topology_entry("leaf_spine") {}

  nlohmann::json schema() const override {
    return spillway::parse_schema(R"({
      "description": "Leaf switches with hosts, each joined to every spine switch.",
      "properties": {
        "leaves": {"type": "integer", "minimum": 2, "maximum": 64, "default": 4, "description": "Leaf switches."},
        "spines": {"type": "integer", "minimum": 1, "maximum": 32, "default": 2, "description": "Spine switches."},
        "hosts": {"type": "integer", "minimum": 1, "maximum": 32, "default": 4, "description": "Terminals of a leaf."}
      }})");
  }
  std::optional<spillway::topology_size> size(const nlohmann::json& keys) const override {
    const double l = keys.at("leaves"), s = keys.at("spines"), h = keys.at("hosts");
    return spillway::topology_size{l * h, l + s, 2 * l * (h + s), std::max(l, h + s)};
  }
  spillway::topology make(const spillway::topology_context& c) const override {
    const auto facts = std::make_shared<leaf_spine_facts>(
        c.parameters.at("leaves"), c.parameters.at("spines"), c.parameters.at("hosts"));
    spillway::topology t;
    t.known = facts;
    std::vector<spillway::graph::vertex_descriptor> leaves;
    for (unsigned l = 0; l < facts->leaves; ++l) leaves.push_back(t.add_switch(0));
    for (const auto leaf : leaves)
      for (unsigned h = 0; h < facts->hosts; ++h) t.join(t.add_terminal(), 0, leaf, h);
    for (unsigned s = 0; s < facts->spines; ++s) {
      const auto spine = t.add_switch(1);
      for (unsigned l = 0; l < facts->leaves; ++l) t.join(leaves[l], facts->hosts + s, spine, l);
    }
    return t;
  }
};

/// Up to a spine and down again. The leaf that a packet enters by writes the number of the spine into the
/// route part of its head: of all, that with the shortest queue.
class least_loaded final : public spillway::routing_entry {
public:
  least_loaded() : routing_entry("least_loaded") {}

  nlohmann::json schema() const override {
    return {{"description", "By the spine for which the fewest flits wait where the packet enters."}};
  }
  spillway::routing_fit fit(const spillway::topology& shape) const override {
    return shape.facts<leaf_spine_facts>() ? spillway::routing_fit::own : spillway::routing_fit::none;
  }
  std::shared_ptr<const spillway::routing> make(const spillway::routing_context& c) const override {
    return std::make_shared<ways>(*c.shape.facts<leaf_spine_facts>());
  }

private:
  struct ways final : spillway::routing {
    const leaf_spine_facts of;
    explicit ways(const leaf_spine_facts& facts) : of(facts) {}

    spillway::port_mask outputs(unsigned node, unsigned, const spillway::flit& f) const override {
      const unsigned leaf = f.destination / of.hosts;
      if (node >= of.leaves) return spillway::port_mask{1} << leaf;
      return spillway::port_mask{1} << (node == leaf ? f.destination % of.hosts : of.hosts + f.route);
    }
    unsigned entry_routes() const override { return of.spines; }
    unsigned at_entry(unsigned, unsigned, const spillway::flit&,
                      const spillway::output_load& load) const override {
      unsigned best = 0;
      for (unsigned s = 1; s < of.spines; ++s)
        if (load.waiting(of.hosts + s) < load.waiting(of.hosts + best)) best = s;
      return best;
    }
    bool in_order() const override { return false; }
  };
};

}  // namespace own
