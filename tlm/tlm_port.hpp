#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tlm/address_map.hpp>
#include <spillway/tlm/message.hpp>
#include <spillway/tlm/outstanding_requests.hpp>
#include <spillway/tlm/transaction_observer.hpp>
#include <tlm>
#include <vector>

namespace spillway {

class tlm_port;

/// What the ports of one network share: who answers for which address, and the ports by terminal.
struct tlm_fabric {
  address_map addresses;         ///< who answers for which
  std::vector<tlm_port*> ports;  ///< by terminal
  /// The network is not modelled: blocking calls go straight to the target, and DMI is the target's to grant.
  bool functional = false;
  transaction_observer* observer = nullptr;  ///< told of all transactions
};

/// The TLM-2.0 sockets of one terminal, base protocol, 32 bits wide.
///
/// `target` is for a user's initiator: b_transport in an SC_THREAD (an annotated delay is waited for first),
/// nb_transport with four phases, transport_dbg, which moves the bytes that exist up to the first that does
/// not; DMI is refused unless the fabric is functional. END_REQ is given when the last word of the request
/// has entered the network, so a full network holds the initiator back. Any number of transactions may be
/// outstanding; BEGIN_RESP comes in the order of the replies' arrival. An address that no range holds
/// completes early with TLM_ADDRESS_ERROR_RESPONSE; of an access with a streaming width, that many bytes
/// must lie in a range.
/// `initiator` is for a user's target, which gets a transaction of its own with the data that
/// travelled as flits, copies of the original's extensions, and a tlm_origin. Requests of one initiator to
/// one target come in the order of their sending. END_RESP is given when the reply has entered the network.
/// Both sockets may stay unbound; a request to a terminal without a target is an address error.
/// A reset of the network ends all outstanding transactions with TLM_GENERIC_ERROR_RESPONSE.
/// Of a functional fabric, b_transport is the target's own: any process may call it, the annotated delay is
/// handed on, and a reset does not end it.
/// What breaks the protocol is an SC_REPORT_ERROR `spillway/tlm_port` that names the port where it came in.
class tlm_port : public sc_core::sc_module, public message_receiver, private tlm::tlm_mm_interface {
public:
  /// For a user's initiator; may stay unbound.
  tlm_utils::simple_target_socket_optional<tlm_port> target{"target"};
  /// For a user's target; may stay unbound.
  tlm_utils::simple_initiator_socket_optional<tlm_port> initiator{"initiator"};

  /// `queue`: requests that may wait here for the user's target, 1 or more: else throws
  /// std::invalid_argument. Enters itself into the fabric.
  tlm_port(const sc_core::sc_module_name& name, unsigned terminal, unsigned queue,
           std::shared_ptr<tlm_fabric> fabric, message_carrier& carrier);
  ~tlm_port() override;

  bool room(unsigned network) const override;
  /// A request for the target, or a reply for the initiator.
  void arrived(const tlm_message& message) override;
  void sent(std::uint64_t tag) override;
  void network_reset() override;
  void packet_sent(const tlm_message& message, std::uint32_t packet) override;

  /// From now on `observer` is told of all transactions of the network; nullptr: nobody is.
  void observe(transaction_observer* observer) { fabric_->observer = observer; }
  bool observed() const { return fabric_->observer != nullptr; }  ///< by anybody
  bool functional() const { return fabric_->functional; }         ///< see tlm_fabric
  /// Requests sent and not yet replied to, also those whose process was killed or reset meanwhile: the reply
  /// to them is thrown away when it comes.
  std::size_t outstanding() const { return outgoing_.count(); }
  /// `tlm.requests`, `tlm.bytes` of their data, `tlm.address_errors`, so far.
  void count(counters& all) const;

private:
  using payload = tlm::tlm_generic_payload;

  struct served;  // a transaction that the user's target sees
  struct blocking_call;

  void b_transport(payload& transaction, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned transport_dbg(payload& transaction);
  unsigned transport_dbg(payload& transaction, const address_range& range, unsigned done);
  bool get_direct_mem_ptr(payload& transaction, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);
  void invalidate_for_all(std::uint64_t start, std::uint64_t end) const;
  tlm_port* port_with_target(unsigned terminal) const;
  void call_target(payload& transaction, const address_map::place& to, sc_core::sc_time& delay);

  std::optional<address_map::place> place_of(const payload& transaction) const;
  std::uint32_t start(payload& transaction, const address_map::place& to, std::uint64_t tag,
                      sc_core::sc_event* done, const sc_core::sc_time& delay);
  void abandon(std::uint32_t id);
  void send(unsigned network, unsigned destination, std::uint32_t id, std::uint64_t tag,
            const sc_core::sc_time& delay);
  void complete(const outstanding_requests::request& r);
  void begin_response();
  void response_ended(const sc_core::sc_time& delay);
  void serve(const tlm_message& message);
  void offer();
  void request_ended(const sc_core::sc_time& delay);
  bool reply(served& s, std::uint64_t tag, const sc_core::sc_time& delay);
  void end_response();
  void free(payload* transaction) override;
  tlm::tlm_sync_enum response_begins(payload& transaction, const sc_core::sc_time& delay);
  void check_answer(served& s) const;
  void protocol_error(const std::string& what) const;
  void refuse(payload& transaction, const std::string& why) const;
  bool has_data(payload& transaction) const;

  const unsigned terminal_, queue_;
  const std::shared_ptr<tlm_fabric> fabric_;
  message_carrier& carrier_;
  tlm_message message_;  // being sent; kept for its storage

  // Of the user's initiator
  outstanding_requests outgoing_;
  std::uint64_t next_tag_ = 1;     // 0: nobody asks
  payload* requesting_ = nullptr;  // BEGIN_REQ came, END_REQ is still to be sent
  std::uint64_t requesting_tag_ = 0;
  payload* responding_ = nullptr;   // BEGIN_RESP sent, END_RESP is still to come
  sc_core::sc_time next_response_;  // when the last END_RESP has taken effect
  std::deque<payload*> responses_;
  sc_core::sc_event response_event_{"response_event"};
  bool granted_ = false;  // DMI, since it was last taken back

  // Of the user's target
  std::deque<served*> waiting_;
  served* offered_ = nullptr;    // BEGIN_REQ sent, END_REQ is still to come
  sc_core::sc_time next_offer_;  // when the last END_REQ has taken effect
  served* replying_ = nullptr;   // BEGIN_RESP came, END_RESP is still to be sent
  std::uint64_t replying_tag_ = 0;
  std::uint64_t generation_ = 0;  // counts resets: older transactions get no reply
  sc_core::sc_event offer_event_{"offer_event"};
  std::vector<std::unique_ptr<served>> pool_;
  std::vector<served*> idle_;
  std::uint64_t requests_ = 0, bytes_ = 0, address_errors_ = 0;
};

}  // namespace spillway
