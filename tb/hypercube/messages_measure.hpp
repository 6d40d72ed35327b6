#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/hypercube/message_meter.hpp>
#include <spillway/tb/measure/measure_entry.hpp>

namespace spillway {

class messages_measure final : public measure_entry {
public:
  messages_measure() : measure_entry("messages") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Delays of regular and of hot messages in time units (Dandamudi and Eager); locality traffic has it by itself.",
      "properties": {
        "unit": {
          "type": "integer", "minimum": 1, "maximum": 1000000, "default": 64, "description": "Cycles of a time unit."
        },
        "hot_fraction": {
          "type": "number", "minimum": 0, "maximum": 1, "default": 0,
          "description": "Fraction (h) of hot messages, with which `messages.r_avg` weighs them."
        }
      }
    })");
  }
  std::unique_ptr<measurement> make(const nlohmann::json& section,
                                    const measure_context& context) const override {
    return std::make_unique<message_meter>(context, section.at("unit"), section.at("hot_fraction"));
  }
};

}  // namespace spillway
