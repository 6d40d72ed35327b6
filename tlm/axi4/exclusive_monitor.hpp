#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/axi4/axi4_extension.hpp>
#include <tlm>

namespace spillway {

/// Makes exclusive accesses of AXI4 exclusive, between a network and the target that all of them go to, such
/// as a memory or a tlm_to_axi4: tlm_network::initiator() is bound to `s`, and `m` to the target, which must
/// carry requests out in their order.
///
/// An exclusive read reserves its bytes for its thread, one reservation a thread. Any write to one of them
/// ends the reservation, of whoever. An exclusive write to the same bytes while it holds is carried out; else
/// it is not, and ends with TLM_OK_RESPONSE. axi4_extension::done_exclusively says which. The target sees
/// plain accesses. DMI is refused, as writes by it would pass the monitor. A reset, if one is bound, ends all
/// reservations.
class exclusive_monitor : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<exclusive_monitor> s{"s"};     ///< from the network
  tlm_utils::simple_initiator_socket<exclusive_monitor> m{"m"};  ///< to the target
  /// That of the network, active high, if it has one.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst{"rst"};

  /// `name` of the module; it has no clock, and needs none.
  explicit exclusive_monitor(const sc_core::sc_module_name& name) : sc_module(name) {
    s.register_b_transport(this, &exclusive_monitor::b_transport);
    s.register_nb_transport_fw(this, &exclusive_monitor::forward);
    s.register_transport_dbg(this, &exclusive_monitor::transport_dbg);
    s.register_get_direct_mem_ptr(this, &exclusive_monitor::get_direct_mem_ptr);
    m.register_nb_transport_bw(this, &exclusive_monitor::backward);
    m.register_invalidate_direct_mem_ptr(this, &exclusive_monitor::invalidate);
    SPILLWAY_HAS_PROCESS(exclusive_monitor);
    SC_METHOD(reset);
    sensitive << rst;
  }

  std::size_t reservations() const { return reserved_.size(); }  ///< that hold
  std::uint64_t done() const { return done_; }                   ///< exclusive writes carried out so far
  std::uint64_t failed() const { return failed_; }               ///< exclusive writes not carried out so far

private:
  using payload = tlm::tlm_generic_payload;
  void reset() {
    if (rst.size() && rst->read()) reserved_.clear();
  }
  struct bytes {
    std::uint64_t first, length;
    bool operator==(const bytes& b) const { return first == b.first && length == b.length; }
    /// The last ones may end with the addresses.
    bool overlap(const bytes& b) const { return first - b.first < b.length || b.first - first < length; }
  };

  /// What a streaming access repeats counts once.
  static bytes bytes_of(const payload& p) {
    const unsigned width = p.get_streaming_width(), length = p.get_data_length();
    return {p.get_address(), width && width < length ? width : length};
  }

  /// Says whether the access goes on to the target, as a plain one.
  bool pass(payload& p) {
    auto* const axi = p.get_extension<axi4_extension>();
    const bool exclusive = axi && axi->burst.exclusive;
    const bytes these = bytes_of(p);
    if (exclusive) {
      axi->done_exclusively = false;
      if (p.is_read()) reserved_[thread_of(p)] = these;
      if (p.is_write() && !holds(thread_of(p), these)) {
        ++failed_;
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        return false;
      }
      axi->burst.exclusive = false;
      exclusive_[&p] = axi;
    }
    if (p.is_write()) end_reservations(these);
    return true;
  }
  bool holds(const axi4_thread& thread, const bytes& these) const {
    const auto found = reserved_.find(thread);
    return found != reserved_.end() && found->second == these;
  }
  void end_reservations(const bytes& written) {
    for (auto r = reserved_.begin(); r != reserved_.end();)
      r = r->second.overlap(written) ? reserved_.erase(r) : std::next(r);
  }

  void answered(payload& p) {
    const auto found = exclusive_.find(&p);
    if (found == exclusive_.end()) return;
    axi4_extension& axi = *found->second;
    exclusive_.erase(found);
    axi.burst.exclusive = true;
    axi.done_exclusively = p.is_response_ok();
    if (p.is_write() && p.is_response_ok()) ++done_;
    if (p.is_read() && !p.is_response_ok()) reserved_.erase(thread_of(p));
  }

  void b_transport(payload& p, sc_core::sc_time& delay) {
    if (!pass(p)) return;
    m->b_transport(p, delay);
    answered(p);
  }
  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ && !pass(p)) return tlm::TLM_COMPLETED;
    const tlm::tlm_sync_enum sync = m->nb_transport_fw(p, phase, delay);
    if (sync == tlm::TLM_COMPLETED || (sync == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)) answered(p);
    return sync;
  }
  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_RESP) answered(p);
    return s->nb_transport_bw(p, phase, delay);
  }
  unsigned transport_dbg(payload& p) { return m->transport_dbg(p); }
  bool get_direct_mem_ptr(payload&, tlm::tlm_dmi& dmi) {
    dmi.allow_none();
    return false;
  }
  void invalidate(sc_dt::uint64, sc_dt::uint64) {}  // nothing was granted

  std::map<axi4_thread, bytes> reserved_;
  std::map<payload*, axi4_extension*> exclusive_;  // at the target
  std::uint64_t done_ = 0, failed_ = 0;
};

}  // namespace spillway
