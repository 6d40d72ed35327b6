#pragma once
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class equal_parts final : public assignment_entry {
public:
  equal_parts() : assignment_entry("partition") {}

  nlohmann::json schema() const override {
    return {{"description", "A flit may take a place of the part of its output; all parts are equal."}};
  }
  void configure(const nlohmann::json& /*parameters*/, buffer_pool_config& pool) const override {
    pool.assignment = buffer_assignment::partition;
  }
};

}  // namespace spillway
