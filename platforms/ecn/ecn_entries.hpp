#pragma once
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/elaborate/marking_entry.hpp>

namespace spillway {

/// `marking: {kind: ecn}`: a marker beside each switch.
class ecn_marking_entry final : public marking_entry {
public:
  ecn_marking_entry() : marking_entry("ecn") {}

  nlohmann::json schema() const override;
  std::unique_ptr<output_marker> make(const marking_context& context) const override;
};

/// `stages: [{kind: ecn}]`: a reflector and a throttle at each terminal.
class ecn_stage_entry final : public stage_entry {
public:
  ecn_stage_entry() : stage_entry("ecn") {}

  nlohmann::json schema() const override;
  std::unique_ptr<interface_stage> make(const stage_context& context) const override;
  network_uses networks(const nlohmann::json& parameters, const network_uses& inner) const override;
  port_queues queues(const nlohmann::json& parameters) const override;
  /// The throttle takes packets whole.
  unsigned latency(const nlohmann::json& parameters, unsigned flits) const override;
  bool repeats() const override { return false; }
  double longest_wait(const nlohmann::json& parameters) const override;
  std::vector<objection> object_to(const nlohmann::json& parameters, unsigned packet_length) const override;
};

}  // namespace spillway
