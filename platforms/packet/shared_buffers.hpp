#pragma once
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class shared_buffers final : public buffering_entry {
public:
  shared_buffers() : buffering_entry("shared") {}

  nlohmann::json schema() const override {
    return {{"description", "One queue an output; all of them draw on one pool."}};
  }
  void configure(const nlohmann::json& /*parameters*/, buffer_pool_config& pool) const override {
    pool.organisation = buffering::shared;
  }
};

}  // namespace spillway
