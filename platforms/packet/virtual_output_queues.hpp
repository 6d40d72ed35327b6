#pragma once
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class virtual_output_queues final : public buffering_entry {
public:
  virtual_output_queues() : buffering_entry("voq") {}

  nlohmann::json schema() const override { return {{"description", "One queue an input and output."}}; }
  void configure(const nlohmann::json& /*parameters*/, buffer_pool_config& pool) const override {
    pool.organisation = buffering::voq;
  }
};

}  // namespace spillway
