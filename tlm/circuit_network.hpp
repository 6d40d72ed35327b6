#pragma once
#include <spillway/tlm/circuit_transactions.hpp>
#include <systemc>

namespace spillway {

/// The transaction-level model of a circuit-switched fat tree as one SystemC module: cycle c is carried out
/// at (c + 1/2) `period`, as the edges of a platform, and cycles in which nothing happens cost nothing.
class circuit_network : public sc_core::sc_module {
public:
  circuit_network(const sc_core::sc_module_name& name, const circuit_network_config& config,
                  const circuit_transactions::supply_maker& supplies, endpoint_observer& observer,
                  const sc_core::sc_time& period = sc_core::sc_time(1, sc_core::SC_NS));

  const circuit_transactions& model() const { return model_; }

private:
  void step();

  const sc_core::sc_time period_;
  circuit_transactions model_;
  std::uint64_t cycle_ = 0;  // to be carried out when step() is called
  bool started_ = false;
};

}  // namespace spillway
