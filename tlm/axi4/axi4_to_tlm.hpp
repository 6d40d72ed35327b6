#pragma once
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/tlm/axi4/axi4_extension.hpp>
#include <tlm>
#include <vector>

namespace spillway {

/// How much a bridge has under way in each direction.
struct axi4_limits {
  unsigned reads = 8;   ///< bursts, 1 or more
  unsigned writes = 8;  ///< bursts, 1 or more

  /// Throws std::invalid_argument with what is wrong.
  void check() const {
    detail::need(reads && writes, "an AXI4 bridge takes 1 or more bursts of a direction, found 0");
  }
};

/// An AXI4 subordinate that passes the bursts of a manager on as transactions, to a TLM network: a burst is
/// one transaction, sent at the edge at which its address, or of a write its last beat, has crossed, if no
/// other waits for END_REQ. `m` is bound to a target such as tlm_network::target(), which may answer in any
/// way that the base protocol has, with delays.
///
/// INCR, WRAP and FIXED bursts, narrow and unaligned beats, strobes, any IDs. Responses of an ID come in the
/// order of its requests of a direction, those of different IDs as they arrive; the beats of a read are not
/// mixed with those of another. An address error is DECERR, any other SLVERR, in every beat. An exclusive
/// access is answered with EXOKAY if what serves it says so in the axi4_extension, such as an
/// exclusive_monitor, else with OKAY.
template <class Format>
class axi4_to_tlm : public single_threaded, private tlm::tlm_mm_interface {
public:
  axi4_subordinate_pins<Format> s{"s_axi"};                ///< registered ready and valid of all channels
  tlm_utils::simple_initiator_socket<axi4_to_tlm> m{"m"};  ///< one transaction a burst, nb_transport

  /// `limits`: bursts taken and not answered. Throws std::invalid_argument if one is 0.
  explicit axi4_to_tlm(const sc_core::sc_module_name& name, const axi4_limits& limits = {})
      : single_threaded(name), limits_(detail::checked(limits)), answers_(this, &axi4_to_tlm::answer_now) {
    m.register_nb_transport_bw(this, &axi4_to_tlm::backward);
  }

  std::uint64_t reads() const { return reads_done_; }    ///< bursts answered so far
  std::uint64_t writes() const { return writes_done_; }  ///< bursts answered so far

private:
  static constexpr unsigned lanes = Format::width / 8;
  using data_bits = pin_bits<typename Format::data>;
  using payload = tlm::tlm_generic_payload;

  /// A burst, and the transaction that it is.
  struct burst : payload {
    explicit burst(tlm::tlm_mm_interface* owner) : payload(owner) { set_extension(&axi); }
    ~burst() override { clear_extension(&axi); }

    axi4_extension axi;
    unsigned beat = 0;  // of writes taken, of reads given
    bool answered = false;
    std::vector<unsigned char> data, enables;

    const axi4_address& address() const { return axi.burst; }
    bool whole() const { return beat == address().beats; }
    /// Calls `f` with the lane of each byte of the next beat and its place in the data array.
    template <class F>
    void each_byte(F&& f) const {
      const auto lane = static_cast<unsigned>(address().beat(beat) % lanes);
      const auto place = static_cast<std::size_t>(address().place(beat));
      for (unsigned byte = 0; byte < address().bytes_of(beat); ++byte) f(lane + byte, place + byte);
    }
  };

  void reset() override {
    // What is under way in the network comes back to nobody, and is released then.
    for (std::deque<burst*>* const list : {&reads_, &writes_}) {
      for (burst* const b : *list) b->release();
      list->clear();
    }
    to_send_.clear();
    giving_ = nullptr;
    s.awready.write(false), s.wready.write(false), s.arready.write(false);
    s.bvalid.write(false), s.rvalid.write(false);
    aw_ = w_ = ar_ = b_ = r_ = false;
  }

  void tick() override {
    wake_at(cycle() + 1);
    if (b_ && s.bready.read()) finish(writes_, *answering_, writes_done_), b_ = false;
    if (r_ && s.rready.read()) next_read_beat();
    if (aw_ && s.awvalid.read()) begin(write_address<Format>(s), true);
    if (w_ && s.wvalid.read()) take_write_beat();
    if (ar_ && s.arvalid.read()) begin(read_address<Format>(s), false);
    send();
    show();
  }

  void begin(const axi4_address& address, bool writes) {
    burst& b = new_burst();
    b.axi.burst = address;
    b.axi.skip = address.addr - address.base();
    b.axi.done_exclusively = false;
    b.beat = 0;
    b.answered = false;
    const std::size_t bytes = address.length();
    b.data.assign(bytes, 0);
    b.enables.assign(writes ? bytes : 0, TLM_BYTE_DISABLED);
    b.set_command(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    b.set_address(address.base());
    b.set_data_ptr(b.data.data());
    b.set_data_length(static_cast<unsigned>(bytes));
    b.set_streaming_width(address.burst == axi4_burst::fixed ? address.bytes_of(0)
                                                             : static_cast<unsigned>(bytes));
    set_enables(b, false);
    b.set_dmi_allowed(false);
    b.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    (writes ? writes_ : reads_).push_back(&b);
    if (!writes) to_send_.push_back(&b);
  }
  static void set_enables(burst& b, bool some) {
    b.set_byte_enable_ptr(some ? b.enables.data() : nullptr);
    b.set_byte_enable_length(some ? static_cast<unsigned>(b.enables.size()) : 0);
  }

  /// The oldest write that has not all its data, if there is one.
  burst* taking() const {
    const auto found =
        std::find_if(writes_.begin(), writes_.end(), [](const burst* b) { return !b->whole(); });
    return found == writes_.end() ? nullptr : *found;
  }
  void take_write_beat() {
    burst& b = *taking();
    b.each_byte([&](unsigned lane, std::size_t place) {
      if (!pin_bits<typename Format::strb>::get(s.wstrb.read(), lane, 1)) return;
      b.data[place] = static_cast<unsigned char>(data_bits::get(s.wdata.read(), 8 * lane, 8));
      b.enables[place] = TLM_BYTE_ENABLED;
    });
    ++b.beat;
    if (!b.whole()) return;
    // Where all bytes are written the network need not carry enables.
    set_enables(b, std::any_of(b.enables.begin(), b.enables.end(),
                               [](unsigned char e) { return e == TLM_BYTE_DISABLED; }));
    to_send_.push_back(&b);
  }

  void next_read_beat() {
    r_ = false;
    ++giving_->beat;
    if (!giving_->whole()) return;
    finish(reads_, *giving_, reads_done_);
    giving_ = nullptr;
  }

  static void finish(std::deque<burst*>& list, burst& b, std::uint64_t& count) {
    list.erase(std::find(list.begin(), list.end(), &b));
    b.release();
    ++count;
  }

  /// One request at a time.
  void send() {
    if (requesting_ || to_send_.empty() || sc_core::sc_time_stamp() < next_request_) return;
    burst& b = *to_send_.front();
    to_send_.pop_front();
    requesting_ = &b;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    b.acquire();  // until its last phase
    const tlm::tlm_sync_enum sync = m->nb_transport_fw(b, phase, delay);
    if (sync == tlm::TLM_COMPLETED) {
      request_ended(delay);
      answer(b, delay);
    } else if (sync == tlm::TLM_UPDATED && backward(b, phase, delay) == tlm::TLM_COMPLETED) {
      phase = tlm::END_RESP;
      m->nb_transport_fw(b, phase, delay);
    }
  }
  void request_ended(const sc_core::sc_time& delay) {
    requesting_ = nullptr;
    next_request_ = sc_core::sc_time_stamp() + delay;
  }

  void answer(burst& b, const sc_core::sc_time& delay) {
    if (delay == sc_core::SC_ZERO_TIME)
      answer_now(b, tlm::BEGIN_RESP);
    else
      answers_.notify(b, tlm::BEGIN_RESP, delay);
  }
  void answer_now(payload& p, const tlm::tlm_phase&) {
    static_cast<burst&>(p).answered = true;
    p.release();
  }

  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ || (phase == tlm::BEGIN_RESP && requesting_ == &p)) request_ended(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answer(static_cast<burst&>(p), delay);
    return tlm::TLM_COMPLETED;
  }

  static axi4_resp response_of(const burst& b) {
    if (b.is_response_ok())
      return b.address().exclusive && b.axi.done_exclusively ? axi4_resp::exokay : axi4_resp::okay;
    return b.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? axi4_resp::decerr : axi4_resp::slverr;
  }

  /// The oldest that is answered, of those that no older one of the same ID comes before.
  static burst* next_answered(const std::deque<burst*>& list) {
    for (auto b = list.begin(); b != list.end(); ++b) {
      const auto same_id = [b](const burst* older) { return older->address().id == (*b)->address().id; };
      if ((*b)->answered && std::find_if(list.begin(), b, same_id) == b) return *b;
    }
    return nullptr;
  }

  void show() {
    aw_ = writes_.size() < limits_.writes;
    ar_ = reads_.size() < limits_.reads;
    w_ = taking() != nullptr;
    s.awready.write(aw_), s.arready.write(ar_), s.wready.write(w_);
    if (!b_) answering_ = next_answered(writes_);
    if (!b_ && answering_) {
      write_number(s.bid, answering_->address().id);
      write_number(s.bresp, static_cast<unsigned>(response_of(*answering_)));
    }
    b_ = answering_ != nullptr;
    s.bvalid.write(b_);
    if (!giving_) giving_ = next_answered(reads_);
    if (!r_ && giving_) show_read_beat(*giving_);
    s.rvalid.write(r_);
  }

  void show_read_beat(const burst& b) {
    r_ = true;
    typename Format::data data{};
    b.each_byte([&](unsigned lane, std::size_t place) { data_bits::put(data, 8 * lane, 8, b.data[place]); });
    s.rdata.write(data);
    write_number(s.rid, b.address().id);
    write_number(s.rresp, static_cast<unsigned>(response_of(b)));
    write_number(s.rlast, b.beat + 1 == b.address().beats);
  }

  burst& new_burst() {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<burst>(static_cast<tlm::tlm_mm_interface*>(this)));
      idle_.push_back(all_.back().get());
    }
    burst& b = *idle_.back();
    idle_.pop_back();
    b.acquire();
    return b;
  }
  void free(payload* p) override {
    p->reset();
    idle_.push_back(static_cast<burst*>(p));
  }

  const axi4_limits limits_;
  std::vector<std::unique_ptr<burst>> all_;
  std::vector<burst*> idle_;
  std::deque<burst*> reads_, writes_, to_send_;  // in the order of their addresses; and those to be sent
  burst* requesting_ = nullptr;                  // BEGIN_REQ sent, END_REQ is still to come
  sc_core::sc_time next_request_;                // not before the END_REQ that was annotated
  tlm_utils::peq_with_cb_and_phase<axi4_to_tlm> answers_;
  burst* answering_ = nullptr;  // of writes_, what the response channel shows
  burst* giving_ = nullptr;     // of reads_, whose data the read channel shows
  bool aw_ = false, w_ = false, ar_ = false, b_ = false, r_ = false;  // what the pins show
  std::uint64_t reads_done_ = 0, writes_done_ = 0;
};

}  // namespace spillway
