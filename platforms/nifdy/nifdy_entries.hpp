#pragma once
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `interface: {kind: nifdy}`: a processor, or a source and a sink, behind a NIFDY unit (Callahan and
/// Goldstein).
class nifdy_interface_entry final : public interface_entry {
public:
  nifdy_interface_entry() : interface_entry("nifdy") {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  network_uses networks(const nlohmann::json& parameters) const override;
  std::unique_ptr<platform_part> share(const shared_context& context) const override;
  port_queues queues(const nlohmann::json& parameters) const override;
  bool in_order(const nlohmann::json& parameters) const override;
  unsigned longest(const nlohmann::json& parameters) const override;
  packet_requests requests(const nlohmann::json& parameters) const override;
  unsigned latency(const nlohmann::json& parameters, unsigned flits) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
};

/// What the `interface` section of kind `nifdy` says of the processor, defaults filled in; only if it has
/// one.
processor_config processor_config_of(const nlohmann::json& section, std::uint64_t seed);

}  // namespace spillway
