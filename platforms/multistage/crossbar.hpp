#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class crossbar_topology final : public topology_entry {
public:
  crossbar_topology() : topology_entry("crossbar") {}

  std::string column() const override { return "stage"; }
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "One switch that joins all terminals.",
      "required": ["terminals"],
      "properties": {
        "terminals": {
          "type": "integer",
          "minimum": 1,
          "maximum": 64,
          "description": "Terminals, each on a port of its own."
        }
      }
    })");
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return multistage_shape(parameters.at("terminals"), 1).size();
  }
  topology make(const topology_context& context) const override {
    return make_crossbar(context.parameters.at("terminals"));
  }
};

}  // namespace spillway
