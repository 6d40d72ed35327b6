#pragma once
#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <memory>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <stdexcept>
#include <tlm>
#include <vector>

namespace spillway {

/// How much a bridge has under way in each direction.
struct axi4_limits {
  unsigned reads = 8;   ///< bursts, 1 or more
  unsigned writes = 8;  ///< bursts, 1 or more
};

/// An AXI4 subordinate that passes the bursts of a manager on as transactions, to a TLM network: a burst is
/// one transaction, sent at the edge at which its address, or of a write its last beat, has crossed, if no
/// other waits for END_REQ. `m` is bound to a target such as tlm_network::target().
///
/// INCR, WRAP and FIXED bursts, narrow and unaligned beats, strobes, any IDs; responses come in the order of
/// the requests of a direction, which keeps that of every ID. An address error is DECERR, any other SLVERR,
/// in every beat. Exclusive accesses are carried out as plain ones and answered with OKAY, as by a
/// subordinate without a monitor.
template <class Format>
class axi4_to_tlm : public clocked, private tlm::tlm_mm_interface {
public:
  axi4_subordinate_pins<Format> s{"s_axi"};                ///< registered ready and valid of all channels
  tlm_utils::simple_initiator_socket<axi4_to_tlm> m{"m"};  ///< one transaction a burst, nb_transport

  /// `limits`: bursts taken and not answered. Throws std::invalid_argument if one is 0.
  explicit axi4_to_tlm(const sc_core::sc_module_name& name, const axi4_limits& limits = {})
      : clocked(name), limits_(limits) {
    if (!limits.reads || !limits.writes)
      throw std::invalid_argument("an AXI4 subordinate takes 1 or more bursts of a direction, found 0");
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
    using payload::payload;
    axi4_address address;
    unsigned beat = 0;  // of writes taken, of reads given
    bool answered = false;
    std::vector<unsigned char> data, enables;

    /// Where the byte in a lane of a beat stands in the data array.
    std::size_t place(unsigned n, unsigned lane) const {
      const std::uint64_t first = address.beat(n), byte = first - first % lanes + lane;
      if (address.burst == axi4_burst::fixed) return std::size_t{n} * address.bytes_of(n) + (byte - first);
      return byte - base();
    }
    std::uint64_t base() const {
      return address.burst == axi4_burst::wrap ? address.wrap_base() : address.addr;
    }
  };

  void reset() override {
    // What is under way in the network comes back to nobody, and is released then.
    for (std::deque<burst*>* const list : {&reads_, &writes_}) {
      for (burst* const b : *list) b->release();
      list->clear();
    }
    to_send_.clear();
    requesting_ = nullptr;
    taking_ = 0;
    s.awready.write(false), s.wready.write(false), s.arready.write(false);
    s.bvalid.write(false), s.rvalid.write(false);
    aw_ = w_ = ar_ = b_ = r_ = false;
  }

  void tick() override {
    wake_at(cycle() + 1);
    if (b_ && s.bready.read()) finish(writes_, writes_done_), --taking_, b_ = false;
    if (r_ && s.rready.read()) next_read_beat();
    if (aw_ && s.awvalid.read()) begin(write_address<Format>(s), true);
    if (w_ && s.wvalid.read()) take_write_beat();
    if (ar_ && s.arvalid.read()) begin(read_address<Format>(s), false);
    send();
    show();
  }

  void begin(const axi4_address& address, bool writes) {
    burst& b = new_burst();
    b.address = address;
    b.beat = 0;
    b.answered = false;
    const unsigned first = address.bytes_of(0);
    const bool fixed = address.burst == axi4_burst::fixed, wrap = address.burst == axi4_burst::wrap;
    const std::size_t bytes = fixed  ? std::size_t{first} * address.beats
                              : wrap ? address.span()
                                     : address.span() - (address.bytes - first);
    b.data.assign(bytes, 0);
    b.enables.assign(writes ? bytes : 0, TLM_BYTE_DISABLED);
    b.set_command(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    b.set_address(b.base());
    b.set_data_ptr(b.data.data());
    b.set_data_length(static_cast<unsigned>(bytes));
    b.set_streaming_width(fixed ? first : static_cast<unsigned>(bytes));
    b.set_byte_enable_ptr(writes ? b.enables.data() : nullptr);
    b.set_byte_enable_length(static_cast<unsigned>(b.enables.size()));
    b.set_dmi_allowed(false);
    b.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    (writes ? writes_ : reads_).push_back(&b);
    if (!writes) to_send_.push_back(&b);
  }

  /// Of the oldest write that has not all its data.
  void take_write_beat() {
    burst& b = *writes_[taking_];
    const auto& data = s.wdata.read();
    const std::uint64_t first = b.address.beat(b.beat) % lanes;
    for (unsigned byte = 0; byte < b.address.bytes_of(b.beat); ++byte) {
      const auto lane = static_cast<unsigned>(first) + byte;
      if (!pin_bits<typename Format::strb>::get(s.wstrb.read(), lane, 1)) continue;
      b.data[b.place(b.beat, lane)] = static_cast<unsigned char>(data_bits::get(data, 8 * lane, 8));
      b.enables[b.place(b.beat, lane)] = TLM_BYTE_ENABLED;
    }
    if (++b.beat < b.address.beats) return;
    ++taking_;
    to_send_.push_back(&b);
  }

  void next_read_beat() {
    burst& b = *reads_.front();
    r_ = false;
    if (++b.beat == b.address.beats) finish(reads_, reads_done_);
  }

  void finish(std::deque<burst*>& list, std::uint64_t& count) {
    list.front()->release();
    list.pop_front();
    ++count;
  }

  /// One request at a time.
  void send() {
    if (requesting_ || to_send_.empty()) return;
    burst& b = *to_send_.front();
    to_send_.pop_front();
    requesting_ = &b;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    b.acquire();  // until its last phase
    const tlm::tlm_sync_enum sync = m->nb_transport_fw(b, phase, delay);
    if (sync == tlm::TLM_COMPLETED)
      requesting_ = nullptr, answer(b);
    else if (sync == tlm::TLM_UPDATED)
      backward(b, phase, delay);
  }

  void answer(burst& b) {
    b.answered = true;
    b.release();
  }

  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ || (phase == tlm::BEGIN_RESP && requesting_ == &p)) requesting_ = nullptr;
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answer(static_cast<burst&>(p));
    return tlm::TLM_COMPLETED;
  }

  static axi4_resp response_of(const burst& b) {
    if (b.is_response_ok()) return axi4_resp::okay;
    return b.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? axi4_resp::decerr : axi4_resp::slverr;
  }

  void show() {
    aw_ = writes_.size() < limits_.writes;
    ar_ = reads_.size() < limits_.reads;
    w_ = taking_ < writes_.size();
    s.awready.write(aw_), s.arready.write(ar_), s.wready.write(w_);
    if (!b_ && taking_ && writes_.front()->answered) {
      b_ = true;
      write_number<typename Format::id>(s.bid, writes_.front()->address.id);
      write_number<typename Format::resp>(s.bresp, static_cast<unsigned>(response_of(*writes_.front())));
    }
    s.bvalid.write(b_);
    if (!r_ && !reads_.empty() && reads_.front()->answered) show_read_beat(*reads_.front());
    s.rvalid.write(r_);
  }

  void show_read_beat(const burst& b) {
    r_ = true;
    typename Format::data data{};
    const std::uint64_t first = b.address.beat(b.beat) % lanes;
    for (unsigned byte = 0; byte < b.address.bytes_of(b.beat); ++byte) {
      const auto lane = static_cast<unsigned>(first) + byte;
      data_bits::put(data, 8 * lane, 8, b.data[b.place(b.beat, lane)]);
    }
    s.rdata.write(data);
    write_number<typename Format::id>(s.rid, b.address.id);
    write_number<typename Format::resp>(s.rresp, static_cast<unsigned>(response_of(b)));
    write_number<typename Format::last>(s.rlast, b.beat + 1 == b.address.beats);
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
  std::size_t taking_ = 0;                       // of writes_, those that have all their data
  burst* requesting_ = nullptr;                  // BEGIN_REQ sent, END_REQ is still to come
  bool aw_ = false, w_ = false, ar_ = false, b_ = false, r_ = false;  // what the pins show
  std::uint64_t reads_done_ = 0, writes_done_ = 0;
};

}  // namespace spillway
