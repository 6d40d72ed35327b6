#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class ring_topology final : public topology_entry {
public:
  ring_topology() : topology_entry("ring") {}

  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "A cycle of switches with one terminal each.",
      "required": ["terminals"],
      "properties": {
        "terminals": {
          "type": "integer",
          "minimum": 2,
          "maximum": 1099511627776,
          "description": "Terminals and switches."
        },
        "bidirectional": {
          "type": "boolean",
          "default": true,
          "description": "Links in both directions, rather than in the rising one only."
        }
      }
    })");
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_grid(shape(context.parameters));
  }

private:
  static grid_shape shape(const nlohmann::json& parameters) {
    return {{parameters.at("terminals").get<std::uint64_t>()}, true, parameters.at("bidirectional")};
  }
};

}  // namespace spillway
