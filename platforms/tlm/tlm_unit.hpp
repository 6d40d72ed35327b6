#pragma once
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/tlm/tlm_port.hpp>

namespace spillway {

/// `interface: {kind: tlm}`: TLM-2.0 sockets at every terminal, requests and replies over two networks.
class tlm_interface_entry final : public interface_entry {
public:
  tlm_interface_entry();

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  network_uses networks(const nlohmann::json& parameters) const override;
  std::unique_ptr<platform_part> share(const shared_context& context) const override;
  bool takes_workload() const override { return false; }
  const interface_entry* transactions() const override { return transactions_.get(); }
  bool functional() const override { return true; }
  bool needs_order() const override { return true; }
  std::vector<objection> object_to(const experiment_view& experiment) const override;

private:
  const std::unique_ptr<const interface_entry> transactions_;
};

/// The port of a terminal whose interface is `tlm`. Throws std::logic_error for another interface.
tlm_port& port_of(terminal_unit& unit);

}  // namespace spillway
