#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class hypercube_topology final : public topology_entry {
public:
  hypercube_topology() : topology_entry("hypercube") {}

  nlohmann::json schema() const override {
    nlohmann::json keys = parse_schema(R"({
      "description": "Binary hypercube, a switch and a terminal a node; port 1 + k leads to the node that differs in bit k.",
      "required": ["dimension"],
      "properties": {
        "dimension": {},
        "cluster": {
          "type": "integer",
          "minimum": 0,
          "maximum": 28,
          "description": "Bits of the number of a node within its cluster, which only tell local links from others; all when left out."
        }
      }
    })");
    keys["properties"]["dimension"] = dimension_key();
    return keys;
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return cube_shape(parameters.at("dimension").get<unsigned>(), cluster(parameters)).size();
  }
  topology make(const topology_context& context) const override {
    return make_hypercube(context.parameters.at("dimension"), cluster(context.parameters));
  }

private:
  static unsigned cluster(const nlohmann::json& parameters) {
    return parameters.value("cluster", parameters.at("dimension").get<unsigned>());
  }
};

}  // namespace spillway
