#pragma once
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <set>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/protocol_monitor.hpp>
#include <string>
#include <support/tlm_models.hpp>
#include <tlm>
#include <utility>

namespace spillway::test {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/// Names of rules, such as "BP1".
using rules = std::set<std::string>;

/// Both ends of a socket pair with the monitor between them. The initiator's script runs in a thread, the
/// target answers by `forward` or `blocking`.
class rig : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<rig> out{"out"};
  tlm_utils::simple_target_socket<rig> in{"in"};
  protocol_monitor monitor;
  rules broken;
  std::function<void(rig&)> script;
  std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)> forward =
      [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
  std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)> backward =
      [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
  std::function<void(tlm_generic_payload&, sc_time&)> blocking = [](tlm_generic_payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  unsigned debugged = 0;  // bytes that debug transport says
  tlm::tlm_dmi granted;
  transaction_pool pool;

  explicit rig(std::function<void(rig&)> s)
      : sc_module("rig"),
        monitor("monitor", [this](const std::string& rule, const std::string&) { broken.insert(rule); }),
        script(std::move(s)) {
    out.bind(monitor.target);
    monitor.initiator.bind(in);
    out.register_nb_transport_bw(this, &rig::on_backward);
    in.register_nb_transport_fw(this, &rig::on_forward);
    in.register_b_transport(this, &rig::on_blocking);
    in.register_transport_dbg(this, &rig::on_debug);
    in.register_get_direct_mem_ptr(this, &rig::on_direct);
    SPILLWAY_HAS_PROCESS(rig);
    SC_THREAD(run);
  }

  transaction_pool::entry& request(unsigned bytes = 4) {
    auto& t = pool.take();
    t.data.assign(bytes, 0);
    t.set_write();
    t.set_address(0);
    t.set_data_ptr(t.data.data());
    t.set_data_length(bytes);
    t.set_streaming_width(4);
    t.set_byte_enable_ptr(nullptr);
    t.set_byte_enable_length(0);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  tlm_sync_enum send(tlm_generic_payload& p, tlm_phase phase, sc_time delay = sc_core::SC_ZERO_TIME) {
    return out->nb_transport_fw(p, phase, delay);
  }
  tlm_sync_enum answer(tlm_generic_payload& p, tlm_phase phase, sc_time delay = sc_core::SC_ZERO_TIME) {
    return in->nb_transport_bw(p, phase, delay);
  }
  /// A whole transaction in four phases.
  void four_phases(tlm_generic_payload& p) {
    send(p, tlm::BEGIN_REQ);
    answer(p, tlm::END_REQ);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    answer(p, tlm::BEGIN_RESP);
    send(p, tlm::END_RESP);
  }

private:
  void run() { script(*this); }
  tlm_sync_enum on_forward(tlm_generic_payload& p, tlm_phase& phase, sc_time& d) {
    return forward(p, phase, d);
  }
  tlm_sync_enum on_backward(tlm_generic_payload& p, tlm_phase& phase, sc_time& d) {
    return backward(p, phase, d);
  }
  void on_blocking(tlm_generic_payload& p, sc_time& d) { blocking(p, d); }
  unsigned on_debug(tlm_generic_payload&) { return debugged; }
  bool on_direct(tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi = granted;
    return true;
  }
};

/// Plays the script; which rules the monitor says are broken.
inline rules rules_broken_by(std::function<void(rig&)> script) {
  rig r(std::move(script));
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(r.monitor.violations() != 0, !r.broken.empty());
  return r.broken;
}

}  // namespace spillway::test
