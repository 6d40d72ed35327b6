#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>

namespace spillway {

/// `switch: {kind: destination_queues}`: a queue a destination at every input (VOQnet), or queues that
/// destinations share. A port puts what a terminal sends into the lane of its destination.
class destination_queues_entry final : public switch_entry {
public:
  destination_queues_entry() : switch_entry("destination_queues") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  std::string takes_no_marks(const nlohmann::json&) const override { return {}; }
  bool takes_the_lowest(const nlohmann::json&) const override { return true; }
  bool has_port() const override { return true; }
  std::unique_ptr<interface_stage> make_port(const port_context& context) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  std::optional<double> room(const nlohmann::json& parameters, unsigned inputs, unsigned outputs,
                             std::size_t terminals) const override;
  std::optional<zero_load> latency(const latency_context& context) const override;
};

}  // namespace spillway
