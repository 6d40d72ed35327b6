#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <spillway/tlm/socket_relay.hpp>
#include <string>

namespace spillway {

/// Sits between an initiator socket and a target socket, hands every call on unchanged and checks the rules
/// of the base protocol (IEEE 1666-2011, clauses 14 and 15):
///
/// BP1  one request at a time: no BEGIN_REQ before the END_REQ (or its stand-in) of the one before
/// BP2  one response at a time: no BEGIN_RESP before the END_RESP of the one before
/// BP3  phases of a transaction in order, BEGIN_REQ and END_RESP forward, END_REQ and BEGIN_RESP backward
/// BP4  a transaction of nb_transport has a memory manager, and somebody holds it until its last phase
/// BP5  the response status is incomplete with a request and set with a response
/// BP6  command, data pointer and length, byte enables and streaming width stay what they were at the request
///      (an interconnect may change the address, and leave it so)
/// BP7  the attributes are sound: data pointer and length, streaming width, byte enables (of 0x00 or 0xff)
/// BP8  what a call returns fits to it: TLM_UPDATED only with a phase that may follow, TLM_ACCEPTED only with
///      phase and delay as they were
/// BP9  a transaction is not in blocking and non-blocking transport at the same time
/// BP10 the timing points of one phase do not go back: no call is annotated to be before an earlier one, and
///      b_transport does not return before it was called
/// BP11 debug transport has a place for its data, and says no more bytes than were asked for
/// BP12 a granted direct memory region has a pointer and holds the address asked for, and it ends after its
///      start, as one that is invalidated does
class protocol_monitor : public socket_relay<32> {
public:
  /// `handler`: rule and text of every violation; without one they are SC_REPORT_ERRORs.
  using violation_handler = std::function<void(const std::string& rule, const std::string& text)>;
  /// `name`: of the module, in every report.
  explicit protocol_monitor(const sc_core::sc_module_name& name, violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< found so far
  /// Transactions that have ended.
  std::uint64_t transactions() const { return transactions_; }

private:
  enum class stage { requested, accepted, responded };
  struct attributes {
    tlm::tlm_command command;
    const unsigned char *data, *enables;
    unsigned length, enables_length, width;
    bool operator==(const attributes& other) const;
  };
  struct record {
    attributes was;
    stage reached = stage::requested;
  };

  void b_transport(payload& p, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool direct_memory(payload& p, tlm::tlm_dmi& dmi) override;
  unsigned debug(payload& p) override;
  void invalidate(sc_dt::uint64 from, sc_dt::uint64 to) override;

  static attributes attributes_of(const payload& p);
  void check_request(const payload& p);
  void check_unchanged(const payload& p, const attributes& before);
  void check_held(const payload& p);
  void check_accepted(tlm::tlm_sync_enum sync, bool changed);
  void begin_request(payload& p);
  void end_request(const payload& p);
  void begin_response(const payload& p);
  void end_response(const payload& p);
  void check_time(unsigned phase, const sc_core::sc_time& delay);
  void fail(const char* rule, const std::string& text);

  const violation_handler handler_;
  std::map<const payload*, record> under_way_;
  std::map<const payload*, attributes> blocking_;
  const payload* requesting_ = nullptr;
  const payload* responding_ = nullptr;
  std::map<unsigned, sc_core::sc_time> last_;  // timing point, by phase
  std::uint64_t violations_ = 0, transactions_ = 0;
};

}  // namespace spillway
