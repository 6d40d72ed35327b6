#pragma once
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/elaborate/memory_front_entry.hpp>

namespace spillway {

/// `interface: {kind: memory}`: a processor and a memory module a terminal: requests through network 0,
/// replies through another. With the key `nifdy`, requests pass a NIFDY unit at each end, whose
/// acknowledgements have a network too.
class memory_interface_entry : public interface_entry {
public:
  /// What its modules are is chosen from this catalogue.
  explicit memory_interface_entry(catalogue& all) : memory_interface_entry("memory", all) {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  network_uses networks(const nlohmann::json& parameters) const override;
  std::unique_ptr<platform_part> share(const shared_context& context) const override;
  port_queues queues(const nlohmann::json& parameters) const override;
  unsigned longest(const nlohmann::json& parameters) const override;
  packet_requests requests(const nlohmann::json& parameters) const override;
  /// Of a request.
  unsigned latency(const nlohmann::json& parameters, unsigned flits) const override;

  std::vector<objection> object_to(const experiment_view& experiment) const override;

  bool keeps_order(const nlohmann::json& parameters) const override {
    return fronts_.chosen(parameters).keeps_order(parameters);
  }

protected:
  memory_interface_entry(const std::string& name, catalogue& all)
      : interface_entry(name), fronts_(all.of<memory_front_entry>()) {}
  const axis<memory_front_entry>& fronts() const { return fronts_; }

private:
  const axis<memory_front_entry>& fronts_;
};

}  // namespace spillway
