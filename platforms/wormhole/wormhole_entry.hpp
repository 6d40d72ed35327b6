#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>

namespace spillway {

/// `switch: {kind: wormhole}`: routers with virtual channels. All logical networks run through one copy of
/// them; a port joins those of a terminal on its link.
class wormhole_entry final : public switch_entry {
public:
  wormhole_entry() : switch_entry("wormhole") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  unsigned channels(const nlohmann::json& parameters) const override;
  std::vector<network_course> courses(const network_uses& networks) const override;
  bool has_port() const override { return true; }
  std::string writes_no_routes(const nlohmann::json& /*parameters*/) const override { return {}; }
  std::string takes_no_marks(const nlohmann::json& /*parameters*/) const override { return {}; }
  std::string drops_nothing(const nlohmann::json& /*parameters*/) const override { return {}; }
  std::unique_ptr<interface_stage> make_port(const port_context& context) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  std::optional<double> room(const nlohmann::json& parameters, unsigned inputs, unsigned outputs,
                             std::size_t terminals) const override;
  std::optional<zero_load> latency(const latency_context& context) const override;
  void describe_buffers(const nlohmann::json& parameters, analysis_options& options) const override;
};

}  // namespace spillway
