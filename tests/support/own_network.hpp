#pragma once
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/wrapped_routing.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>
#include <stdexcept>

namespace spillway::testing_support {

// A topology and a routing as a user would write them.

/// A hub, switch 0, and a leaf with one terminal at each of its ports. Port 0 of a leaf is the terminal's,
/// port 1 the hub's.
struct star_shape final : topology_facts {
  unsigned leaves;
  explicit star_shape(unsigned n) : leaves(n) {}
};

class star final : public topology_entry {
public:
  /// `too_many`: what it claims to have and does not.
  explicit star(topology_size too_many = {}) : topology_entry("star"), too_many_(too_many) {}

  nlohmann::json schema() const override {
    return parse_schema(R"({"description": "A hub with leaves.", "required": ["leaves"], "properties": {
      "leaves": {"type": "integer", "minimum": 1, "description": "Leaves, with a terminal each."},
      "spare": {"type": "integer", "minimum": 0, "default": 0, "description": "Leaves that are left out."}}})");
  }
  std::optional<topology_size> size(const nlohmann::json& keys) const override {
    const double n = leaves(keys);
    return topology_size{n + too_many_.terminals, n + 1 + too_many_.switches, 4 * n + too_many_.links,
                         std::max(2.0, n) + too_many_.ports};
  }
  topology make(const topology_context& context) const override {
    const int n = leaves(context.parameters);
    if (n < 2) throw std::invalid_argument("expected 2 or more leaves, found " + std::to_string(n));
    topology t;
    t.known = std::make_shared<star_shape>(n);
    const auto hub = t.add_switch(0);
    for (int i = 0; i < n; ++i) {
      const auto leaf = t.add_switch(1);
      t.join(t.add_terminal(), 0, leaf, 0);
      t.join(leaf, 1, hub, static_cast<unsigned>(i));
    }
    return t;
  }

private:
  static int leaves(const nlohmann::json& keys) {
    return keys.at("leaves").get<int>() - keys.at("spare").get<int>();
  }
  const topology_size too_many_;
};

/// To the hub and out again.
class spokes final : public routing_entry {
public:
  spokes() : routing_entry("spokes") {}

  nlohmann::json schema() const override { return {{"description", "By the hub."}}; }
  routing_fit fit(const topology& shape) const override {
    return shape.facts<star_shape>() ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context&) const override {
    struct by_hub final : routing {
      port_mask outputs(unsigned node, unsigned, const flit& f) const override {
        if (node == 0) return port_mask{1} << f.destination;
        return std::uint32_t{f.destination} + 1 == node ? 1 : 2;
      }
    };
    return std::make_shared<by_hub>();
  }
};

/// By the hub, where channel 0, by which packets are to escape, is left out.
class trapped final : public routing_entry {
public:
  trapped() : routing_entry("trapped") {}

  nlohmann::json schema() const override { return {{"description", "By the hub, without an escape there."}}; }
  routing_fit fit(const topology& shape) const override {
    return shape.facts<star_shape>() ? routing_fit::general : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override {
    struct by_hub final : wrapped_routing {
      using wrapped_routing::wrapped_routing;
      channel_mask channels(unsigned node, unsigned, unsigned, const flit&) const override {
        return node == 0 ? 2 : 3;
      }
      channel_mask escape() const override { return 1; }
    };
    return std::make_shared<by_hub>(spokes().make(context));
  }
};

/// A routing of the catalogue, but for what goes to one terminal: that has the upper half of the channels,
/// and all else the lower.
class hot_apart final : public routing_entry {
public:
  explicit hot_apart(const catalogue& all) : routing_entry("hot_apart"), all_(all) {}

  nlohmann::json schema() const override {
    return parse_schema(
        R"({"description": "By dimensions; packets to the hot terminal in channels of their own.",
      "properties": {"hot": {"type": "integer", "minimum": 0, "default": 0, "description": "The hot terminal."}}})");
  }
  routing_fit fit(const topology& shape) const override {
    const routing_entry& inner = all_.of<routing_entry>().at("dimension_order");
    return inner.fit(shape) == routing_fit::none ? routing_fit::none : routing_fit::general;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override {
    if (context.channels < 2) throw std::invalid_argument("expected 2 or more channels");
    struct ways final : wrapped_routing {
      unsigned hot = 0;
      channel_mask lower = 0;
      using wrapped_routing::wrapped_routing;
      channel_mask channels(unsigned node, unsigned input, unsigned output, const flit& f) const override {
        return wrapped_routing::channels(node, input, output, f) & (f.destination == hot ? ~lower : lower);
      }
    };
    auto routes = std::make_shared<ways>(
        make_routing(all_, context.shape, {{"kind", "dimension_order"}}, context.channels, context.seed));
    routes->hot = context.parameters.at("hot");
    routes->lower = masks::low_bits(context.channels / 2);
    return routes;
  }

private:
  const catalogue& all_;
};

}  // namespace spillway::testing_support
