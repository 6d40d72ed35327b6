#pragma once
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class any_place final : public assignment_entry {
public:
  any_place() : assignment_entry("any") {}

  nlohmann::json schema() const override {
    return {{"description", "A flit may take any free place of the pool."}};
  }
  void configure(const nlohmann::json& /*parameters*/, buffer_pool_config& pool) const override {
    pool.assignment = buffer_assignment::any;
  }
};

}  // namespace spillway
