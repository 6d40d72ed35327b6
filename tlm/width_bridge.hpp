#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <tlm>

namespace spillway {

/// Joins an initiator socket of `From` bits to a target socket of `To` bits, such as a 64-bit CPU to a
/// network's socket. A payload counts bytes, whatever the sockets' width: every call is handed on as it is.
template <unsigned From, unsigned To = 32>
class width_bridge : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<width_bridge, From> target{"target"};         ///< a user's initiator
  tlm_utils::simple_initiator_socket<width_bridge, To> initiator{"initiator"};  ///< a user's target

  explicit width_bridge(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &width_bridge::b_transport);
    target.register_nb_transport_fw(this, &width_bridge::forward);
    target.register_get_direct_mem_ptr(this, &width_bridge::direct_memory);
    target.register_transport_dbg(this, &width_bridge::debug);
    initiator.register_nb_transport_bw(this, &width_bridge::backward);
    initiator.register_invalidate_direct_mem_ptr(this, &width_bridge::invalidate);
  }

private:
  using payload = tlm::tlm_generic_payload;

  void b_transport(payload& p, sc_core::sc_time& delay) { initiator->b_transport(p, delay); }
  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return initiator->nb_transport_fw(p, phase, delay);
  }
  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return target->nb_transport_bw(p, phase, delay);
  }
  bool direct_memory(payload& p, tlm::tlm_dmi& dmi) { return initiator->get_direct_mem_ptr(p, dmi); }
  unsigned debug(payload& p) { return initiator->transport_dbg(p); }
  void invalidate(sc_dt::uint64 from, sc_dt::uint64 to) { target->invalidate_direct_mem_ptr(from, to); }
};

}  // namespace spillway
