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
          "description": "Number within its cluster of the node that is joined to other clusters."
        }
      }
    })");
    keys["properties"]["dimension"] = dimension_key();
    return keys;
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return cube_shape(parameters.at("dimension"), parameters.at("cluster"), true).size();
  }
  topology make(const topology_context& context) const override {
    const nlohmann::json& keys = context.parameters;
    return make_hierarchical_hypercube(keys.at("dimension"), keys.at("cluster"), keys.at("interface"));
  }
};

}  // namespace spillway
