#pragma once
#include <memory>
#include <spillway/hw/packet/threshold_admission.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class static_limit final : public assignment_entry {
public:
  static_limit() : assignment_entry("static_threshold") {}

  nlohmann::json schema() const override {
    return parse_schema(R"json({
      "description": "A flit may take any free place of the pool while fewer than `limit` have flits for its output.",
      "required": ["limit"],
      "properties": {
        "limit": {
          "type": "integer",
          "minimum": 1,
          "maximum": 65535,
          "description": "Flits of the pool for one output, at least those of the longest packet."
        }
      }
    })json");
  }
  void configure(const nlohmann::json& parameters, buffer_pool_config& pool) const override {
    pool.admission = std::make_shared<static_threshold>(parameters.at("limit").get<unsigned>());
  }
};

}  // namespace spillway
