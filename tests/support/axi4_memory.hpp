#pragma once
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/process.hpp>
#include <string>
#include <tlm>
#include <vector>

namespace spillway::testing_support {

/// Bytes behind a target socket, streaming widths included. Requests are carried out in their order, one a
/// call; answers come as their latency has it, which is longer at some addresses.
class axi4_memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<axi4_memory> socket{"socket"};

  /// `latency`: ns, of the quickest addresses.
  axi4_memory(const sc_core::sc_module_name& name, std::size_t size, unsigned latency)
      : sc_module(name), bytes_(size), latency_(latency, sc_core::SC_NS), done_(this, &axi4_memory::done) {
    socket.register_nb_transport_fw(this, &axi4_memory::forward);
  }
  std::vector<unsigned char>& bytes() { return bytes_; }

private:
  using payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      p.release();
      responding_ = false;
      respond();
      return tlm::TLM_COMPLETED;
    }
    p.acquire();
    access(p);
    done_.notify(p, tlm::BEGIN_RESP, delay + latency_ * (1 + static_cast<double>(p.get_address() / 64 % 8)));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void done(payload& p, const tlm::tlm_phase&) {
    waiting_.push_back(&p);
    respond();
  }
  void respond() {
    while (!responding_ && !waiting_.empty()) {
      payload& p = *waiting_.front();
      waiting_.pop_front();
      responding_ = true;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_bw(p, phase, delay) == tlm::TLM_ACCEPTED) return;
      p.release();
      responding_ = false;
    }
  }
  void access(payload& p) {
    const std::uint64_t width = std::min(p.get_streaming_width(), p.get_data_length());
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (p.get_address() + width > bytes_.size()) return;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    const unsigned char* const enables = p.get_byte_enable_ptr();
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      if (enables && enables[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      unsigned char& byte = bytes_[p.get_address() + i % width];
      if (p.is_write())
        byte = p.get_data_ptr()[i];
      else
        p.get_data_ptr()[i] = byte;
    }
  }

  std::vector<unsigned char> bytes_;
  const sc_core::sc_time latency_;
  std::deque<payload*> waiting_;
  bool responding_ = false;
  tlm_utils::peq_with_cb_and_phase<axi4_memory> done_;
};

}  // namespace spillway::testing_support
