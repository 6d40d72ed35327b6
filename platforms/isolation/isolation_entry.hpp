#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>

namespace spillway {

/// `switch: {kind: isolation}`: set-aside queues for what goes through the root of a congestion tree. A port
/// has such queues for what a terminal sends.
class isolation_entry final : public switch_entry {
public:
  isolation_entry() : switch_entry("isolation") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  std::string link_kind() const override { return "isolation"; }
  std::unique_ptr<network_link> make_link(const nlohmann::json& parameters, link_place place) const override;
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
