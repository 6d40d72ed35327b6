#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class hierarchical_hypercube_topology final : public topology_entry {
public:
  hierarchical_hypercube_topology() : topology_entry("hierarchical_hypercube") {}

  nlohmann::json schema() const override {
    nlohmann::json keys = parse_schema(R"({
      "description": "Clusters, each a hypercube, joined by a hypercube of their interface nodes (BH/BH, Dandamudi and Eager).",
      "required": ["dimension", "cluster"],
      "properties": {
        "dimension": {},
        "cluster": {
          "type": "integer",
          "minimum": 1,
          "maximum": 27,
          "description": "Bits of the number of a node within its cluster."
        },
        "interface": {
          "type": "integer",
          "minimum": 0,
          "maximum": 134217727,
          "default": 0,
          "description": "Number within its cluster of the node that is joined to other clusters; with further levels, its bits on all of them but the highest."
        },
        "levels": {
          "type": "array",
          "items": {"type": "integer", "minimum": 1, "maximum": 27},
          "default": [],
          "description": "Deeper hierarchies: bits of the number on each level above the clusters, from below, each a hypercube of the interface nodes of what the level below joins; one level of all that are left when empty."
        },
        "sizes": {
          "type": "array",
          "items": {"type": "integer", "minimum": 1, "maximum": 134217728},
          "default": [],
          "description": "Unequal clusters: nodes of each, powers of two up to 2^cluster, numbered cluster after cluster; all 2^cluster when empty."
        }
      }
    })");
    keys["properties"]["dimension"] = dimension_key();
    return keys;
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    const unsigned dimension = parameters.at("dimension"), cluster = parameters.at("cluster");
    if (cluster >= dimension) return std::nullopt;
    std::vector<unsigned> levels = parameters.at("levels");
    if (levels.empty()) levels.push_back(dimension - cluster);
    levels.insert(levels.begin(), cluster);
    return cube_shape(levels, 0, parameters.at("sizes")).size();
  }
  topology make(const topology_context& context) const override {
    const nlohmann::json& keys = context.parameters;
    return make_hierarchical_hypercube(keys.at("dimension"), keys.at("cluster"), keys.at("interface"),
                                       keys.at("levels"), keys.at("sizes"));
  }
};

}  // namespace spillway
