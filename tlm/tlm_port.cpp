#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/tlm_origin.hpp>
#include <spillway/tlm/tlm_port.hpp>
#include <utility>

namespace spillway {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

struct tlm_port::served : payload {
  explicit served(tlm_port& port) : payload(&port), of(port) { set_extension(&origin); }
  ~served() override { clear_extension(&origin); }
  const tlm_port& of;
  payload_storage storage;
  unsigned length = 0;  // of the data, as the initiator has it
  bool open = false;    // the target has it and has not answered
  tlm_origin origin;    // for the target to look at
  unsigned source = 0;  // the same, for the reply
  std::uint32_t id = 0;
  std::uint64_t generation = 0;
};

/// While a process waits for the reply to its request. A process that is killed or reset leaves it by
/// unwinding, and with it the event and the transaction that the reply is for.
struct tlm_port::blocking_call {
  tlm_port& port;
  const std::uint32_t id;
  ~blocking_call() { port.abandon(id); }
};

namespace {

/// Methods may not, nor may sc_main().
bool may_wait() {
  if (!sc_core::sc_is_running()) return false;  // else the process made last would be the current one
  const auto kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

/// An initiator's transaction in the hands of a target, with what the target is to see. The initiator gets it
/// back as it was, also where the target throws, or its process is killed or reset.
class lent {
public:
  explicit lent(tlm::tlm_generic_payload& t)
      : transaction_(t),
        address_(t.get_address()),
        data_(t.get_data_ptr()),
        length_(t.get_data_length()),
        width_(t.get_streaming_width()) {}
  lent(const lent&) = delete;
  lent& operator=(const lent&) = delete;
  ~lent() {
    transaction_.set_address(address_);
    transaction_.set_data_ptr(data_);
    transaction_.set_data_length(length_);
    transaction_.set_streaming_width(width_);
  }

private:
  tlm::tlm_generic_payload& transaction_;
  const std::uint64_t address_;
  unsigned char* const data_;
  const unsigned length_, width_;
};

/// The origin that such a transaction has meanwhile.
class lent_origin {
public:
  lent_origin(tlm::tlm_generic_payload& t, unsigned terminal) : transaction_(t) {
    origin_.terminal = terminal;
    before_ = t.set_extension(&origin_);
  }
  lent_origin(const lent_origin&) = delete;
  lent_origin& operator=(const lent_origin&) = delete;
  ~lent_origin() { transaction_.set_extension(before_); }

private:
  tlm::tlm_generic_payload& transaction_;
  tlm_origin origin_;
  tlm_origin* before_;
};

}  // namespace

tlm_port::tlm_port(const sc_core::sc_module_name& name, unsigned terminal, unsigned queue,
                   std::shared_ptr<tlm_fabric> fabric, message_carrier& carrier)
    : sc_module(name), terminal_(terminal), queue_(queue), fabric_(std::move(fabric)), carrier_(carrier) {
  detail::need(queue >= 1, "a queue for the user's target holds at least 1 request, found 0");
  if (fabric_->ports.size() <= terminal) fabric_->ports.resize(terminal + 1);
  fabric_->ports[terminal] = this;
  target.register_b_transport(this, &tlm_port::b_transport);
  target.register_nb_transport_fw(this, &tlm_port::nb_transport_fw);
  target.register_transport_dbg(this, &tlm_port::transport_dbg);
  target.register_get_direct_mem_ptr(this, &tlm_port::get_direct_mem_ptr);
  initiator.register_nb_transport_bw(this, &tlm_port::nb_transport_bw);
  initiator.register_invalidate_direct_mem_ptr(this, &tlm_port::invalidate_direct_mem_ptr);
  SPILLWAY_HAS_PROCESS(tlm_port);
  SC_METHOD(begin_response);
  sensitive << response_event_;
  dont_initialize();
  SC_METHOD(offer);
  sensitive << offer_event_;
  dont_initialize();
}

tlm_port::~tlm_port() = default;

void tlm_port::protocol_error(const std::string& what) const {
  SC_REPORT_ERROR("spillway/tlm_port", (name() + (": " + what)).c_str());
}

/// Of a transaction that cannot be carried out as it is.
void tlm_port::refuse(payload& transaction, const std::string& why) const {
  transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  protocol_error(why);
}

/// Whether it has its data; an ignored command needs none.
bool tlm_port::has_data(payload& transaction) const {
  if (transaction.get_data_ptr() || transaction.get_data_length() == 0 ||
      transaction.get_command() == tlm::TLM_IGNORE_COMMAND)
    return true;
  refuse(transaction, "a " + std::string(transaction.is_read() ? "read" : "write") + " of " +
                          std::to_string(transaction.get_data_length()) + " bytes has no data pointer");
  return false;
}

/// Says the number of the request.
std::uint32_t tlm_port::start(payload& transaction, const address_map::place& to, std::uint64_t tag,
                              sc_core::sc_event* done, const sc_time& delay) {
  const std::uint32_t id = outgoing_.add({&transaction, done});
  ++requests_;
  bytes_ += transaction.get_data_length();
  if (fabric_->observer) fabric_->observer->begun(terminal_, id, to.terminal, transaction);
  encode_request(transaction, to.local, message_.words);
  send(0, to.terminal, id, tag, delay);
  return id;
}

std::optional<address_map::place> tlm_port::place_of(const payload& transaction) const {
  const unsigned length = transaction.get_data_length(), width = transaction.get_streaming_width();
  return fabric_->addresses.decode(transaction.get_address(), width ? std::min(width, length) : length);
}

/// Sends the words that `message_` holds.
void tlm_port::send(unsigned network, unsigned destination, std::uint32_t id, std::uint64_t tag,
                    const sc_time& delay) {
  message_.source = terminal_;
  message_.destination = destination;
  message_.network = network;
  message_.id = id;
  message_.tag = tag;
  carrier_.send(message_, sc_core::sc_time_stamp() + delay);
}

void tlm_port::b_transport(payload& transaction, sc_time& delay) {
  if (!has_data(transaction)) return;
  if (fabric_->functional) {
    const auto to = place_of(transaction);
    if (to && port_with_target(to->terminal)) return call_target(transaction, *to, delay);
    ++address_errors_;
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!may_wait())
    return refuse(transaction, "b_transport, which waits for the reply, was not called by an SC_THREAD");
  // Contention depends on when the request comes, so the initiator's local time is caught up with first.
  if (delay != SC_ZERO_TIME) wait(delay);
  delay = SC_ZERO_TIME;
  const auto to = place_of(transaction);
  if (!to) {
    ++address_errors_;
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  sc_core::sc_event done;
  blocking_call call{*this, start(transaction, *to, 0, &done, SC_ZERO_TIME)};
  wait(done);
}

/// A blocking call that its process has left.
void tlm_port::abandon(std::uint32_t id) {
  const outstanding_requests::request r = outgoing_.find(id);
  if (!r.transaction) return;  // it has been answered
  if (fabric_->observer) fabric_->observer->ended(terminal_, *r.transaction);
  outgoing_.abandon(id);
}

tlm::tlm_sync_enum tlm_port::nb_transport_fw(payload& transaction, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (&transaction != responding_) {
      protocol_error("END_RESP for a transaction that has no response under way");
      return tlm::TLM_ACCEPTED;
    }
    response_ended(delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // a phase of somebody else's protocol is ignorable
  if (requesting_) {
    protocol_error("BEGIN_REQ before the END_REQ of the request before");
    return tlm::TLM_ACCEPTED;
  }
  if (!transaction.has_mm()) {
    refuse(transaction, "BEGIN_REQ of a transaction without a memory manager");
    return tlm::TLM_COMPLETED;
  }
  if (!has_data(transaction)) return tlm::TLM_COMPLETED;
  const auto to = place_of(transaction);
  if (!to) {
    ++address_errors_;
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  transaction.acquire();
  requesting_ = &transaction;
  requesting_tag_ = next_tag_++;
  start(transaction, *to, requesting_tag_, nullptr, delay);
  return tlm::TLM_ACCEPTED;
}

/// The port of a terminal, if a target is bound there.
tlm_port* tlm_port::port_with_target(unsigned terminal) const {
  tlm_port* const there = terminal < fabric_->ports.size() ? fabric_->ports[terminal] : nullptr;
  return there && there->initiator.size() ? there : nullptr;
}

/// Of a functional fabric: the initiator's own transaction, with the address that the target knows.
void tlm_port::call_target(payload& transaction, const address_map::place& to, sc_time& delay) {
  ++requests_;
  bytes_ += transaction.get_data_length();
  const lent meanwhile(transaction);
  const lent_origin origin(transaction, terminal_);
  transaction.set_address(to.local);
  port_with_target(to.terminal)->initiator->b_transport(transaction, delay);
}

unsigned tlm_port::transport_dbg(payload& transaction) {
  unsigned done = 0;
  while (done < transaction.get_data_length()) {
    const std::uint64_t address = transaction.get_address() + done;
    const bool past_the_last = address < transaction.get_address();  // what is there is no next byte
    const address_range* const range = past_the_last ? nullptr : fabric_->addresses.range_of(address);
    if (!range) break;
    const unsigned asked = static_cast<unsigned>(
        std::min<std::uint64_t>(transaction.get_data_length() - done, range->size - (address - range->base)));
    const unsigned moved = transport_dbg(transaction, *range, done);
    done += moved;
    if (moved < asked) break;
  }
  return done;
}

/// The part from byte `done` on that lies in the range.
unsigned tlm_port::transport_dbg(payload& transaction, const address_range& range, unsigned done) {
  tlm_port* const there = port_with_target(range.terminal);
  if (!there) return 0;
  const lent meanwhile(transaction);
  const lent_origin origin(transaction, terminal_);
  const std::uint64_t skip = transaction.get_address() + done - range.base;
  const unsigned left = transaction.get_data_length() - done;
  transaction.set_address(range.offset + skip);
  transaction.set_data_ptr(transaction.get_data_ptr() + done);
  transaction.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(left, range.size - skip)));
  return there->initiator->transport_dbg(transaction);
}

bool tlm_port::get_direct_mem_ptr(payload& transaction, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = transaction.get_address();
  const address_range* const range = fabric_->functional ? fabric_->addresses.range_of(address) : nullptr;
  tlm_port* const there = range ? port_with_target(range->terminal) : nullptr;
  dmi.allow_read_write();
  dmi.set_start_address(range ? range->base : address);
  dmi.set_end_address(range ? range->base + (range->size - 1) : address);
  if (!there) {
    dmi.allow_none();
    return false;
  }
  const std::uint64_t first = range->offset, last = range->offset + (range->size - 1);
  const lent meanwhile(transaction);
  const lent_origin origin(transaction, terminal_);
  transaction.set_address(range->offset + (address - range->base));
  const bool granted = there->initiator->get_direct_mem_ptr(transaction, dmi);
  granted_ = granted_ || granted;
  const std::uint64_t start = std::max<std::uint64_t>(dmi.get_start_address(), first),
                      end = std::min<std::uint64_t>(dmi.get_end_address(), last);
  // The pointer is that of the first byte, which may lie before the range.
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (start - dmi.get_start_address()));
  dmi.set_start_address(range->base + (start - first));
  dmi.set_end_address(range->base + (end - first));
  return granted;
}

/// The target here takes back what it granted; `start` and `end` are its own addresses.
void tlm_port::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  for (const address_range& r : fabric_->addresses.ranges()) {
    const std::uint64_t last = r.offset + (r.size - 1);
    if (r.terminal != terminal_ || end < r.offset || start > last) continue;
    invalidate_for_all(r.base + (std::max<std::uint64_t>(start, r.offset) - r.offset),
                       r.base + (std::min<std::uint64_t>(end, last) - r.offset));
  }
}

void tlm_port::invalidate_for_all(std::uint64_t start, std::uint64_t end) const {
  for (tlm_port* const port : fabric_->ports)
    if (port && port->target.size()) port->target->invalidate_direct_mem_ptr(start, end);
}

bool tlm_port::room(unsigned network) const { return network == 1 || waiting_.size() < queue_; }

void tlm_port::sent(std::uint64_t tag) {
  if (requesting_ && requesting_tag_ == tag) {
    payload& transaction = *requesting_;
    requesting_ = nullptr;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = SC_ZERO_TIME;
    target->nb_transport_bw(transaction, phase, delay);
  } else if (replying_ && replying_tag_ == tag) {
    end_response();
  }
}

void tlm_port::end_response() {
  served& s = *replying_;
  replying_ = nullptr;
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_time delay = SC_ZERO_TIME;
  initiator->nb_transport_fw(s, phase, delay);
  s.release();
}

void tlm_port::network_reset() {
  ++generation_;
  if (std::exchange(granted_, false)) target->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
  requesting_ = nullptr;  // the response stands for its END_REQ
  outgoing_.take_all([this](const outstanding_requests::request& r) {
    r.transaction->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    complete(r);
  });
  for (served* const s : waiting_) s->release();
  waiting_.clear();
  if (replying_) end_response();
}

void tlm_port::arrived(const tlm_message& message) {
  if (message.network == 0) {
    serve(message);
    return;
  }
  const outstanding_requests::request r = outgoing_.find(message.id);
  if (!r.transaction && !r.abandoned) {
    protocol_error("a reply came for which there is no request");
    return;
  }
  outgoing_.remove(message.id);
  if (r.abandoned) return;
  decode_reply(message.words, *r.transaction);
  complete(r);
}

void tlm_port::packet_sent(const tlm_message& message, std::uint32_t packet) {
  if (fabric_->observer) fabric_->observer->packet_sent(message, packet);
}

void tlm_port::complete(const outstanding_requests::request& r) {
  if (fabric_->observer) fabric_->observer->ended(terminal_, *r.transaction);
  if (r.done) {
    r.done->notify(SC_ZERO_TIME);
    return;
  }
  responses_.push_back(r.transaction);
  begin_response();
}

void tlm_port::begin_response() {
  if (responding_ || responses_.empty()) return;
  if (const sc_time& now = sc_core::sc_time_stamp(); now < next_response_) {
    response_event_.notify(next_response_ - now);  // once more: that for then gave way to an earlier one
    return;
  }
  payload& transaction = *responses_.front();
  responses_.pop_front();
  responding_ = &transaction;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum sync = target->nb_transport_bw(transaction, phase, delay);
  if (sync == tlm::TLM_ACCEPTED || (sync == tlm::TLM_UPDATED && phase != tlm::END_RESP)) return;
  if (responding_ == &transaction) response_ended(delay);  // else END_RESP has come on its own
}

void tlm_port::response_ended(const sc_time& delay) {
  payload& transaction = *responding_;
  responding_ = nullptr;
  transaction.release();
  if (delay != SC_ZERO_TIME) next_response_ = sc_core::sc_time_stamp() + delay;
  if (!responses_.empty() || delay != SC_ZERO_TIME) response_event_.notify(delay);
}

void tlm_port::serve(const tlm_message& message) {
  if (idle_.empty()) {
    pool_.push_back(std::make_unique<served>(*this));
    idle_.push_back(pool_.back().get());
  }
  served& s = *idle_.back();
  idle_.pop_back();
  s.acquire();
  // The extensions of the original; everything else comes from the flits.
  if (const auto original = fabric_->ports[message.source]->outgoing_.find(message.id);
      original.transaction) {
    s.set_data_ptr(nullptr);
    s.set_byte_enable_ptr(nullptr);
    s.deep_copy_from(*original.transaction);
  }
  decode_request(message.words, s, s.storage);
  s.origin.terminal = s.source = message.source;
  s.id = message.id;
  s.generation = generation_;
  s.length = s.get_data_length();
  if (fabric_->observer) fabric_->observer->arrived(terminal_, s.source, s.id);
  if (initiator.size() == 0) {
    s.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    reply(s, 0, SC_ZERO_TIME);
    s.release();
    return;
  }
  waiting_.push_back(&s);
  offer();
}

void tlm_port::offer() {
  if (offered_ || waiting_.empty()) return;
  if (const sc_time& now = sc_core::sc_time_stamp(); now < next_offer_) {
    offer_event_.notify(next_offer_ - now);
    return;
  }
  served& s = *waiting_.front();
  waiting_.pop_front();
  offered_ = &s;
  s.open = true;
  // What waits outside may come in within this call.
  if (waiting_.size() + 1 == queue_) carrier_.room_opened();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum sync = initiator->nb_transport_fw(s, phase, delay);
  if (sync == tlm::TLM_COMPLETED) {
    request_ended(delay);
    s.open = false;
    check_answer(s);
    reply(s, 0, delay);
    s.release();
  } else if (sync == tlm::TLM_UPDATED) {
    nb_transport_bw(s, phase, delay);
  }
}

void tlm_port::request_ended(const sc_time& delay) {
  offered_ = nullptr;
  if (delay != SC_ZERO_TIME) next_offer_ = sc_core::sc_time_stamp() + delay;
  if (!waiting_.empty() || delay != SC_ZERO_TIME) offer_event_.notify(delay);
}

tlm::tlm_sync_enum tlm_port::nb_transport_bw(payload& transaction, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::END_REQ) {
    if (offered_ != &transaction)
      protocol_error("END_REQ for a transaction that has no request under way");
    else
      request_ended(delay);
  }
  return phase == tlm::BEGIN_RESP ? response_begins(transaction, delay) : tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum tlm_port::response_begins(payload& transaction, const sc_time& delay) {
  auto* const s = dynamic_cast<served*>(&transaction);
  const char* const wrong = !s || &s->of != this ? "BEGIN_RESP for a transaction that did not come from here"
                            : !s->open           ? "BEGIN_RESP for a transaction that has been answered"
                            : replying_          ? "BEGIN_RESP before the END_RESP of the response before"
                                                 : nullptr;
  if (wrong) {
    protocol_error(wrong);
    return tlm::TLM_ACCEPTED;
  }
  check_answer(*s);
  s->open = false;
  if (offered_ == s) request_ended(delay);
  replying_tag_ = next_tag_++;
  if (!reply(*s, replying_tag_, delay)) {
    s->release();
    return tlm::TLM_COMPLETED;
  }
  replying_ = s;
  return tlm::TLM_ACCEPTED;
}

/// The data of a read goes back as long as it was asked for, or the read has failed.
void tlm_port::check_answer(served& s) const {
  const unsigned length = s.get_data_length();
  const bool lost = length && !s.get_data_ptr();
  if (!s.is_read() || !s.is_response_ok() || (length == s.length && !lost)) return;
  s.set_data_length(s.length);
  s.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  protocol_error(lost ? "the target has taken the data pointer of a read away"
                      : "the target has made " + std::to_string(length) + " bytes of a read of " +
                            std::to_string(s.length));
}

/// Says whether there is anybody to reply to.
bool tlm_port::reply(served& s, std::uint64_t tag, const sc_time& delay) {
  if (s.generation != generation_) return false;
  // The original has an origin of its own if it has come through another network: that stays.
  s.clear_extension(&s.origin);
  if (const auto original = fabric_->ports[s.source]->outgoing_.find(s.id); original.transaction)
    original.transaction->update_extensions_from(s);
  s.set_extension(&s.origin);
  if (fabric_->observer) fabric_->observer->answered(terminal_, s.source, s.id);
  encode_reply(s, message_.words);
  send(1, s.source, s.id, tag, delay);
  return true;
}

void tlm_port::free(payload* transaction) {
  transaction->reset();
  idle_.push_back(static_cast<served*>(transaction));
}

void tlm_port::count(counters& all) const {
  all["tlm.requests"] += static_cast<double>(requests_);
  all["tlm.bytes"] += static_cast<double>(bytes_);
  all["tlm.address_errors"] += static_cast<double>(address_errors_);
}

}  // namespace spillway
