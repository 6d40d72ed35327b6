#pragma once
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/tlm/circuit/circuit_transactions.hpp>

namespace spillway {

/// The transaction-level model of a circuit-switched fat tree as one block, its terminals included. On the
/// fast kernel it sleeps through cycles in which nothing happens.
class circuit_network : public clocked {
public:
  /// `supplies`: one a terminal.
  circuit_network(const sc_core::sc_module_name& name, const circuit_network_config& config,
                  std::vector<std::unique_ptr<packet_supply>> supplies, endpoint_observer& observer)
      : clocked(name), model_(config, std::move(supplies), observer) {}

  const circuit_transactions& model() const { return model_; }  ///< what it steps

private:
  void reset() override { model_.reset(cycle()); }
  void tick() override {
    if (cycle() >= model_.next()) model_.step(cycle());
    if (model_.next() != circuit_transactions::never) wake_at(model_.next());
  }

  circuit_transactions model_;
};

}  // namespace spillway
