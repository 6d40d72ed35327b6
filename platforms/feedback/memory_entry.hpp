#pragma once
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `interface: {kind: memory}`: a processor and a memory module a terminal: requests through network 0,
/// replies through another. With the key `nifdy`, requests pass a NIFDY unit at each end, whose
/// acknowledgements have a network too.
class memory_interface_entry : public interface_entry {
public:
  memory_interface_entry() : interface_entry("memory") {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  network_uses networks(const nlohmann::json& parameters) const override;
  std::unique_ptr<platform_part> share(const shared_context& context) const override;
  port_queues queues(const nlohmann::json& parameters) const override;
  unsigned longest(const nlohmann::json& parameters) const override;
  packet_requests requests(const nlohmann::json& parameters) const override;
  /// Of a request.
  unsigned latency(const nlohmann::json& parameters, unsigned flits) const override;

protected:
  using interface_entry::interface_entry;
};

}  // namespace spillway
