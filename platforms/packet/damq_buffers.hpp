#pragma once
#include <spillway/platforms/packet/buffer_entries.hpp>

namespace spillway {

class damq_buffers final : public buffering_entry {
public:
  damq_buffers() : buffering_entry("damq") {}

  nlohmann::json schema() const override {
    return {
        {"description",
         "One queue an input and output, and those of an input draw on one room (dynamically allocated "
         "queues, Tamir and Frazier, 1988). Of several outputs that the routing allows a packet takes one "
         "that is drawn for it."}};
  }
  void configure(const nlohmann::json& /*parameters*/, buffer_pool_config& pool) const override {
    pool.organisation = buffering::damq;
  }
};

}  // namespace spillway
