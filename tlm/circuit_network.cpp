#include <spillway/tlm/circuit_network.hpp>

namespace spillway {

circuit_network::circuit_network(const sc_core::sc_module_name& name, const circuit_network_config& config,
                                 const circuit_transactions::supply_maker& supplies,
                                 endpoint_observer& observer, const sc_core::sc_time& period)
    : sc_module(name), period_(period), model_(config, supplies, observer) {
#if IEEE_1666_SYSTEMC < 202301L
  SC_HAS_PROCESS(circuit_network);
#endif
  SC_METHOD(step);
}

void circuit_network::step() {
  if (started_) model_.step(cycle_);
  const std::uint64_t next = model_.next();
  if (next == circuit_transactions::never) return;
  const double ahead = started_ ? static_cast<double>(next - cycle_) : static_cast<double>(next) + 0.5;
  started_ = true;
  cycle_ = next;
  next_trigger(period_ * ahead);
}

}  // namespace spillway
