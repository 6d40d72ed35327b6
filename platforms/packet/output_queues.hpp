#pragma once
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class output_queues final : public buffering_entry {
public:
  output_queues() : buffering_entry("output") {}

  nlohmann::json schema() const override {
    return parse_schema(R"json({
      "description": "One queue an output, which takes a flit from every input in the same cycle.",
      "properties": {
        "memory_depth": {
          "type": "integer",
          "minimum": 1,
          "maximum": 65535,
          "description": "Flits a queue that leads to a terminal, which then shows its length; as the others when left out."
        }
      }
    })json");
  }
  void configure(const nlohmann::json& parameters, buffer_pool_config& pool) const override {
    pool.organisation = buffering::output;
    pool.memory_depth = parameters.value("memory_depth", 0u);
  }
};

}  // namespace spillway
