#pragma once
#include <spillway/hw/circuit/circuit_decision.hpp>
#include <spillway/hw/circuit/retry.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `switch: {kind: circuit}`: routers of a circuit-switched fat tree (Strumpen and Krishnamurthy).
class circuit_switch_entry final : public switch_entry {
public:
  circuit_switch_entry() : switch_entry("circuit") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  std::string link_kind() const override { return "circuit"; }
  std::unique_ptr<network_link> make_link(const nlohmann::json& parameters, link_place place) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
  void describe_buffers(const nlohmann::json& parameters, analysis_options& options) const override;
  std::optional<transaction_timing> transactions(const nlohmann::json&) const override {
    return transaction_timing{};  // the interface has its own
  }
};

/// `interface: {kind: circuit}`: a source and a sink that set up a circuit for each message; at the
/// transaction level the whole network.
class circuit_interface_entry final : public interface_entry {
public:
  circuit_interface_entry();

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  std::string link_kind() const override { return "circuit"; }
  /// A source has one circuit at a time, whatever way it takes.
  bool in_order(const nlohmann::json& /*parameters*/) const override { return true; }
  std::unique_ptr<platform_part> share(const shared_context& context) const override;
  const interface_entry* transactions() const override { return transactions_.get(); }

private:
  const std::unique_ptr<const interface_entry> transactions_;
};

}  // namespace spillway
