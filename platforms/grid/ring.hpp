#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/grid/grid_topology.hpp>

namespace spillway {

class ring_topology final : public grid_topology {
public:
  ring_topology() : grid_topology("ring") {}

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

private:
  grid_shape shape(const nlohmann::json& parameters) const override {
    return {{parameters.at("terminals").get<std::uint64_t>()}, true, parameters.at("bidirectional")};
  }
};

}  // namespace spillway
