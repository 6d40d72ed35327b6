#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <tlm>

namespace spillway {

/// Sits between an initiator socket of `From` bits and a target socket of `To` bits, and hands every call on
/// as it is. Derive to look on.
template <unsigned From, unsigned To = From>
class socket_relay : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<socket_relay, From> target{"target"};         ///< a user's initiator
  tlm_utils::simple_initiator_socket<socket_relay, To> initiator{"initiator"};  ///< a user's target

protected:
  using payload = tlm::tlm_generic_payload;  ///< of all calls

  /// `name` of the module.
  explicit socket_relay(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &socket_relay::b_transport);
    target.register_nb_transport_fw(this, &socket_relay::forward);
    target.register_get_direct_mem_ptr(this, &socket_relay::direct_memory);
    target.register_transport_dbg(this, &socket_relay::debug);
    initiator.register_nb_transport_bw(this, &socket_relay::backward);
    initiator.register_invalidate_direct_mem_ptr(this, &socket_relay::invalidate);
  }

  /// Blocking transport, from the initiator.
  virtual void b_transport(payload& p, sc_core::sc_time& delay) { initiator->b_transport(p, delay); }
  /// Non-blocking transport, from the initiator.
  virtual tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return initiator->nb_transport_fw(p, phase, delay);
  }
  /// Non-blocking transport, from the target.
  virtual tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return target->nb_transport_bw(p, phase, delay);
  }
  /// A wish for direct memory access, from the initiator.
  virtual bool direct_memory(payload& p, tlm::tlm_dmi& dmi) { return initiator->get_direct_mem_ptr(p, dmi); }
  /// Debug transport, from the initiator: bytes that were moved.
  virtual unsigned debug(payload& p) { return initiator->transport_dbg(p); }
  /// The target takes back direct memory access to bytes `from` to `to`.
  virtual void invalidate(sc_dt::uint64 from, sc_dt::uint64 to) {
    target->invalidate_direct_mem_ptr(from, to);
  }
};

/// Joins an initiator socket of `From` bits to a target socket of `To` bits, such as a 64-bit CPU to a
/// network's socket: a payload counts bytes, whatever the sockets' width.
template <unsigned From, unsigned To = 32>
class width_bridge : public socket_relay<From, To> {
public:
  /// `name` of the module.
  explicit width_bridge(const sc_core::sc_module_name& name) : socket_relay<From, To>(name) {}
};

}  // namespace spillway
