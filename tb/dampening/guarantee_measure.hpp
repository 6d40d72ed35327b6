#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/dampening/guarantee.hpp>
#include <spillway/tb/measure/measure_entry.hpp>

namespace spillway {

class guarantee_measure final : public measure_entry {
public:
  guarantee_measure() : measure_entry("guarantee") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Holds the network to a promise about messages to coolspots: all terminals that are neither stopped nor a target of a hot spot.",
      "required": ["promise"],
      "properties": {
        "promise": {
          "enum": ["strong", "weak"],
          "description": "What is promised: every message to a coolspot arrives in time (strong), or those of senders that have no message to a hotspot in the network (weak)."
        },
        "within": {
          "type": "integer", "minimum": 1, "default": 1000, "description": "Cycles from injection to delivery."
        },
        "required": {
          "type": "boolean", "default": true,
          "description": "Whether a broken promise is a fault; else it is only counted."
        }
      }
    })");
  }
  std::unique_ptr<measurement> make(const nlohmann::json& section,
                                    const measure_context& context) const override {
    guarantee_config config;
    config.kind = section.at("promise") == "strong" ? guarantee_kind::strong : guarantee_kind::weak;
    config.within = section.at("within");
    config.required = section.at("required");
    return std::make_unique<guarantee_checker>(config, context.hot);
  }
};

}  // namespace spillway
