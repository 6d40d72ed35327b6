#include <algorithm>
#include <spillway/tlm/protocol_monitor.hpp>

namespace spillway {

protocol_monitor::protocol_monitor(const sc_core::sc_module_name& name, violation_handler handler)
    : socket_relay(name), handler_(std::move(handler)) {}

void protocol_monitor::fail(const char* rule, const std::string& text) {
  ++violations_;
  if (handler_)
    handler_(rule, text);
  else
    SC_REPORT_ERROR(
        rule, (std::string(name()) + " at " + sc_core::sc_time_stamp().to_string() + ": " + text).c_str());
}

bool protocol_monitor::attributes::operator==(const attributes& other) const {
  return command == other.command && data == other.data && enables == other.enables &&
         length == other.length && enables_length == other.enables_length && width == other.width;
}

protocol_monitor::attributes protocol_monitor::attributes_of(const payload& p) {
  return {p.get_command(),     p.get_data_ptr(),           p.get_byte_enable_ptr(),
          p.get_data_length(), p.get_byte_enable_length(), p.get_streaming_width()};
}

void protocol_monitor::check_request(const payload& p) {
  if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    fail("BP5", "a request has the response status " + p.get_response_string());
  if (p.is_dmi_allowed()) fail("BP7", "a request allows direct memory access already");
  if (p.get_command() != tlm::TLM_IGNORE_COMMAND && (!p.get_data_ptr() || p.get_data_length() == 0))
    fail("BP7", "a request without data");
  if (p.get_streaming_width() == 0) fail("BP7", "a request with a streaming width of 0");
  if (p.get_byte_enable_ptr() && p.get_byte_enable_length() == 0) fail("BP7", "byte enables of length 0");
  if (const unsigned char* const enables = p.get_byte_enable_ptr())
    if (std::any_of(enables, enables + p.get_byte_enable_length(), [](unsigned char enable) {
          return enable != TLM_BYTE_ENABLED && enable != TLM_BYTE_DISABLED;
        }))
      fail("BP7", "a byte enable that is neither 0x00 nor 0xff");
}

void protocol_monitor::check_held(const payload& p) {
  if (!p.has_mm() || p.get_ref_count() < 1)
    fail("BP4", "a transaction of nb_transport without memory manager, or not acquired");
}

void protocol_monitor::check_accepted(tlm::tlm_sync_enum sync, bool changed) {
  if (sync == tlm::TLM_ACCEPTED && changed) fail("BP8", "TLM_ACCEPTED with another phase or delay");
}

void protocol_monitor::check_unchanged(const payload& p, const attributes& before) {
  if (!(attributes_of(p) == before)) fail("BP6", "the attributes of a transaction changed under way");
}

void protocol_monitor::check_time(unsigned phase, const sc_core::sc_time& delay) {
  sc_core::sc_time& last = last_[phase];
  const sc_core::sc_time point = sc_core::sc_time_stamp() + delay;
  if (point < last) fail("BP10", "a call for " + point.to_string() + " after one for " + last.to_string());
  last = point;
}

void protocol_monitor::b_transport(payload& p, sc_core::sc_time& delay) {
  check_request(p);
  if (under_way_.count(&p)) fail("BP9", "b_transport of a transaction that is in nb_transport");
  const attributes before = attributes_of(p);
  blocking_[&p] = before;
  struct call {  // which may also end by an exception, as that of a process that is killed
    protocol_monitor& monitor;
    const payload& p;
    ~call() { monitor.blocking_.erase(&p); }
  } const under_way{*this, p};
  const sc_core::sc_time called = sc_core::sc_time_stamp() + delay;
  socket_relay::b_transport(p, delay);
  if (sc_core::sc_time_stamp() + delay < called) fail("BP10", "b_transport returned before it was called");
  ++transactions_;
  check_unchanged(p, before);
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    fail("BP5", "b_transport returned without a response status");
}

void protocol_monitor::begin_request(payload& p) {
  check_request(p);
  if (requesting_) fail("BP1", "BEGIN_REQ before the END_REQ of the request before");
  if (blocking_.count(&p)) fail("BP9", "nb_transport of a transaction that is in b_transport");
  if (under_way_.count(&p)) fail("BP3", "BEGIN_REQ of a transaction that is under way");
  under_way_[&p] = {attributes_of(p), stage::requested};
  requesting_ = &p;
}

void protocol_monitor::end_request(const payload& p) {
  const auto found = under_way_.find(&p);
  if (found == under_way_.end() || found->second.reached != stage::requested) {
    fail("BP3", "END_REQ that does not follow a BEGIN_REQ");
    return;
  }
  found->second.reached = stage::accepted;
  if (requesting_ == &p) requesting_ = nullptr;
}

void protocol_monitor::begin_response(const payload& p) {
  const auto found = under_way_.find(&p);
  if (found == under_way_.end() || found->second.reached == stage::responded) {
    fail("BP3", "BEGIN_RESP of a transaction that waits for none");
    return;
  }
  if (responding_) fail("BP2", "BEGIN_RESP before the END_RESP of the response before");
  if (requesting_ == &p) requesting_ = nullptr;  // it stands for END_REQ as well
  found->second.reached = stage::responded;
  responding_ = &p;
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    fail("BP5", "a response without a response status");
  check_unchanged(p, found->second.was);
}

void protocol_monitor::end_response(const payload& p) {
  const auto found = under_way_.find(&p);
  if (found == under_way_.end() || found->second.reached != stage::responded)
    fail("BP3", "END_RESP that does not follow a BEGIN_RESP");
  if (found != under_way_.end()) under_way_.erase(found);
  if (responding_ == &p) responding_ = nullptr;
  ++transactions_;
}

tlm::tlm_sync_enum protocol_monitor::forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  check_time(phase, delay);
  check_held(p);
  const tlm::tlm_phase sent = phase;
  const sc_core::sc_time annotated = delay;
  if (sent == tlm::BEGIN_REQ)
    begin_request(p);
  else if (sent == tlm::END_RESP)
    end_response(p);
  else if (sent == tlm::END_REQ || sent == tlm::BEGIN_RESP)
    fail("BP3", "END_REQ or BEGIN_RESP on the forward path");
  const tlm::tlm_sync_enum sync = socket_relay::forward(p, phase, delay);
  check_accepted(sync, phase != sent || delay != annotated);
  if (sync == tlm::TLM_UPDATED) {
    if (sent == tlm::BEGIN_REQ && phase == tlm::END_REQ)
      end_request(p);
    else if (sent == tlm::BEGIN_REQ && phase == tlm::BEGIN_RESP)
      begin_response(p);
    else
      fail("BP8", "TLM_UPDATED on the forward path with a phase that cannot follow");
  } else if (sync == tlm::TLM_COMPLETED && sent == tlm::BEGIN_REQ) {
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      fail("BP5", "TLM_COMPLETED without a response status");
    check_unchanged(p, under_way_[&p].was);
    under_way_.erase(&p);
    if (requesting_ == &p) requesting_ = nullptr;
    ++transactions_;
  }
  return sync;
}

tlm::tlm_sync_enum protocol_monitor::backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  check_time(phase, delay);
  check_held(p);
  const tlm::tlm_phase sent = phase;
  const sc_core::sc_time annotated = delay;
  if (sent == tlm::END_REQ)
    end_request(p);
  else if (sent == tlm::BEGIN_RESP)
    begin_response(p);
  else if (sent == tlm::BEGIN_REQ || sent == tlm::END_RESP)
    fail("BP3", "BEGIN_REQ or END_RESP on the backward path");
  const tlm::tlm_sync_enum sync = socket_relay::backward(p, phase, delay);
  check_accepted(sync, phase != sent || delay != annotated);
  if (sync == tlm::TLM_UPDATED) {
    if (sent == tlm::BEGIN_RESP && phase == tlm::END_RESP)
      end_response(p);
    else
      fail("BP8", "TLM_UPDATED on the backward path with a phase that cannot follow");
  } else if (sync == tlm::TLM_COMPLETED && sent == tlm::BEGIN_RESP) {
    end_response(p);
  } else if (sync == tlm::TLM_COMPLETED && sent == tlm::END_REQ) {
    fail("BP8", "TLM_COMPLETED as answer to END_REQ, before the response");
  }
  return sync;
}

unsigned protocol_monitor::debug(payload& p) {
  if (p.get_data_length() && !p.get_data_ptr()) fail("BP11", "debug transport without a place for its data");
  const unsigned bytes = socket_relay::debug(p);
  if (bytes > p.get_data_length()) fail("BP11", "debug transport of more bytes than were asked for");
  return bytes;
}

bool protocol_monitor::direct_memory(payload& p, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = p.get_address();
  const bool granted = socket_relay::direct_memory(p, dmi);
  if (granted && (!dmi.get_dmi_ptr() || address < dmi.get_start_address() || address > dmi.get_end_address()))
    fail("BP12", "a direct memory region without pointer, or without the address asked for");
  return granted;
}

void protocol_monitor::invalidate(sc_dt::uint64 from, sc_dt::uint64 to) {
  if (from > to) fail("BP12", "an invalidated direct memory region that ends before its start");
  socket_relay::invalidate(from, to);
}

}  // namespace spillway
