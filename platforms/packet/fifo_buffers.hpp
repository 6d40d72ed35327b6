#pragma once
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class fifo_buffers final : public buffering_entry {
public:
  fifo_buffers() : buffering_entry("fifo") {}

  nlohmann::json schema() const override {
    return {{"description", "One queue an input: a packet waits for those before it, wherever they go."}};
  }
  void configure(const nlohmann::json& /*parameters*/, buffer_pool_config& pool) const override {
    pool.organisation = buffering::fifo;
  }
};

}  // namespace spillway
