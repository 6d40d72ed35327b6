#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>

namespace spillway {

/// `switch: {kind: flow_pause}`: single queues of the switch before are paused. A port has such queues for
/// what a terminal sends.
class flow_pause_entry final : public switch_entry {
public:
  flow_pause_entry() : switch_entry("flow_pause") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  std::string takes_no_marks(const nlohmann::json&) const override { return {}; }
  bool takes_the_lowest(const nlohmann::json&) const override { return true; }
  bool has_port() const override { return true; }
  // A flow's packets could wait in two lanes of a long link, and overtake each other.
  bool takes_long_links(const nlohmann::json&) const override { return false; }
  std::unique_ptr<interface_stage> make_port(const port_context& context) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  std::optional<double> room(const nlohmann::json& parameters, unsigned inputs, unsigned outputs,
                             std::size_t terminals) const override;
  std::optional<zero_load> latency(const latency_context& context) const override;
};

}  // namespace spillway
