#pragma once
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <tlm>
#include <utility>

namespace spillway {

/// An AXI4 manager that carries out the transactions of a TLM network at a subordinate. `s` is bound by an
/// initiator such as tlm_network::initiator().
///
/// A transaction becomes INCR bursts of full-width beats (single beats on AXI4-Lite) that cross no boundary
/// of 4 KiB, all with ID 0; the bytes that it does not write have no strobe. Reads wait for the writes before
/// them and writes for the reads, as AXI keeps no order between them. DECERR is TLM_ADDRESS_ERROR_RESPONSE,
/// SLVERR TLM_GENERIC_ERROR_RESPONSE; the worst of a transaction's bursts counts. A streaming width below the
/// length is a TLM_BURST_ERROR_RESPONSE.
template <class Format>
class tlm_to_axi4 : public clocked {
public:
  tlm_utils::simple_target_socket<tlm_to_axi4> s{"s"};  ///< nb_transport; END_REQ at once
  axi4_manager_pins<Format> m{"m_axi"};                 ///< registered valid and ready of all channels

  /// `limits`: bursts sent and not answered.
  explicit tlm_to_axi4(const sc_core::sc_module_name& name, const axi4_limits& limits = {})
      : clocked(name), limits_(limits), responses_(this, &tlm_to_axi4::respond) {
    s.register_nb_transport_fw(this, &tlm_to_axi4::forward);
  }

  std::uint64_t bursts() const { return bursts_; }  ///< sent so far, reads and writes

private:
  static constexpr unsigned lanes = Format::width / 8;
  static constexpr bool lite = std::is_same_v<typename Format::len, absent>;
  using data_bits = pin_bits<typename Format::data>;
  using payload = tlm::tlm_generic_payload;

  struct access {
    payload* transaction;
    std::uint64_t next = 0;  // byte that the next burst begins with
    unsigned under_way = 0;  // bursts
    axi4_resp worst = axi4_resp::okay;
    bool issued() const { return next == transaction->get_data_length(); }
  };
  struct burst {
    access* of;
    std::uint64_t addr, from;  // aligned address; first byte of the transaction
    std::uint64_t until;
    unsigned beats, beat = 0;
  };

  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      responding_ = false;
      next_response();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (p.get_streaming_width() < p.get_data_length()) return refuse(p, tlm::TLM_BURST_ERROR_RESPONSE);
    if (p.get_data_length() == 0 || p.get_command() == tlm::TLM_IGNORE_COMMAND)
      return refuse(p, tlm::TLM_OK_RESPONSE);
    p.acquire();
    waiting_.push_back(std::make_unique<access>(access{&p}));
    wake_at(cycle());
    phase = tlm::END_REQ;
    delay = sc_core::SC_ZERO_TIME;
    return tlm::TLM_UPDATED;
  }
  static tlm::tlm_sync_enum refuse(payload& p, tlm::tlm_response_status status) {
    p.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }

  void reset() override {
    for (const auto& a : waiting_) end(*a, tlm::TLM_GENERIC_ERROR_RESPONSE);
    waiting_.clear();
    aw_.clear(), w_.clear(), b_.clear(), ar_.clear(), r_.clear();
    aw_shown_ = w_shown_ = ar_shown_ = ready_ = false;
    m.awvalid.write(false), m.wvalid.write(false), m.arvalid.write(false);
    m.bready.write(false), m.rready.write(false);
  }

  void tick() override {
    if (aw_shown_ && m.awready.read()) aw_.pop_front(), aw_shown_ = false;
    if (ar_shown_ && m.arready.read()) ar_.pop_front(), ar_shown_ = false;
    if (w_shown_ && m.wready.read()) next_write_beat();
    if (ready_ && m.bvalid.read()) take_write_response();
    if (ready_ && m.rvalid.read()) take_read_beat();
    while (issue()) {
    }
    show();
    if (!waiting_.empty() || !ready_) wake_at(cycle() + 1);
    ready_ = true;
    m.bready.write(true), m.rready.write(true);
  }

  /// The next burst of the oldest transaction that has not issued all, if it may.
  bool issue() {
    for (const auto& a : waiting_) {
      if (a->issued()) continue;
      const bool writes = a->transaction->is_write();
      if (writes ? !r_.empty() || b_.size() >= limits_.writes : !b_.empty() || r_.size() >= limits_.reads)
        return false;
      const std::uint64_t addr = a->transaction->get_address() + a->next, aligned = addr - addr % lanes;
      const std::uint64_t to_boundary = 4096 - aligned % 4096,
                          most = lite ? lanes : std::uint64_t{256} * lanes;
      const std::uint64_t end = std::min(addr + (a->transaction->get_data_length() - a->next),
                                         aligned + std::min(to_boundary, most));
      const burst b{a.get(), aligned, a->next, a->next + (end - addr),
                    static_cast<unsigned>((end - aligned + lanes - 1) / lanes)};
      (writes ? aw_ : ar_).push_back(b), (writes ? b_ : r_).push_back(b);
      if (writes) w_.push_back(b);
      a->next = b.until;
      ++a->under_way, ++bursts_;
      return true;
    }
    return false;
  }

  /// Calls `f` with the lane and the number of every byte of the transaction that lies in a beat.
  template <class F>
  static void each_byte(const burst& b, unsigned beat, F&& f) {
    const std::uint64_t first = b.of->transaction->get_address() + b.from;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::uint64_t addr = b.addr + std::uint64_t{beat} * lanes + lane;
      if (addr >= first && b.from + (addr - first) < b.until) f(lane, b.from + (addr - first));
    }
  }
  static bool enabled(const payload& p, std::uint64_t byte) {
    const unsigned period = p.get_byte_enable_length();
    return !p.get_byte_enable_ptr() || !period || p.get_byte_enable_ptr()[byte % period] == TLM_BYTE_ENABLED;
  }

  void show() {
    if (!aw_shown_ && !aw_.empty()) {
      aw_shown_ = true;
      write_number<typename Format::addr>(m.awaddr, aw_.front().addr);
      show_address<0>(aw_.front(), m.awid, m.awlen, m.awsize, m.awburst, m.awlock, m.awcache, m.awprot);
    }
    if (!ar_shown_ && !ar_.empty()) {
      ar_shown_ = true;
      write_number<typename Format::addr>(m.araddr, ar_.front().addr);
      show_address<0>(ar_.front(), m.arid, m.arlen, m.arsize, m.arburst, m.arlock, m.arcache, m.arprot);
    }
    if (!w_shown_ && !w_.empty()) show_write_beat(w_.front());
    m.awvalid.write(aw_shown_), m.arvalid.write(ar_shown_), m.wvalid.write(w_shown_);
  }
  template <unsigned Number, class Id, class Len, class Size, class Burst, class Lock, class Cache,
            class Prot>
  static void show_address(const burst& b, Id& id, Len& len, Size& size, Burst& kind, Lock& lock,
                           Cache& cache, Prot& prot) {
    unsigned log = 0;
    while (1u << log < lanes) ++log;
    write_number<typename Format::id>(id, Number);
    write_number<typename Format::len>(len, b.beats - 1);
    write_number<typename Format::size>(size, log);
    write_number<typename Format::burst>(kind, static_cast<unsigned>(axi4_burst::incr));
    write_number<typename Format::lock>(lock, 0);
    write_number<typename Format::cache>(cache, 0);
    write_number<typename Format::prot>(prot, 0);
  }

  void show_write_beat(const burst& b) {
    w_shown_ = true;
    typename Format::data data{};
    typename Format::strb strobes{};
    const payload& p = *b.of->transaction;
    each_byte(b, b.beat, [&](unsigned lane, std::uint64_t byte) {
      if (!enabled(p, byte)) return;
      data_bits::put(data, 8 * lane, 8, p.get_data_ptr()[byte]);
      pin_bits<typename Format::strb>::put(strobes, lane, 1, 1);
    });
    m.wdata.write(data), m.wstrb.write(strobes);
    write_number<typename Format::last>(m.wlast, b.beat + 1 == b.beats);
  }
  void next_write_beat() {
    w_shown_ = false;
    if (++w_.front().beat == w_.front().beats) w_.pop_front();
  }

  template <class Pin>
  static axi4_resp response(const Pin& pin) {
    return static_cast<axi4_resp>(pin_bits<typename Format::resp>::get(pin.read(), 0, 2));
  }
  void take_write_response() {
    if (b_.empty()) return;  // the checker's affair
    access& a = *b_.front().of;
    a.worst = std::max(a.worst, response(m.bresp));
    b_.pop_front();
    burst_ended(a);
  }
  void take_read_beat() {
    if (r_.empty()) return;
    burst& b = r_.front();
    payload& p = *b.of->transaction;
    b.of->worst = std::max(b.of->worst, response(m.rresp));
    each_byte(b, b.beat, [&](unsigned lane, std::uint64_t byte) {
      if (enabled(p, byte))
        p.get_data_ptr()[byte] = static_cast<unsigned char>(data_bits::get(m.rdata.read(), 8 * lane, 8));
    });
    if (++b.beat < b.beats) return;
    access& a = *b.of;
    r_.pop_front();
    burst_ended(a);
  }

  void burst_ended(access& a) {
    if (--a.under_way || !a.issued()) return;
    end(a, a.worst <= axi4_resp::exokay   ? tlm::TLM_OK_RESPONSE
           : a.worst == axi4_resp::decerr ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                          : tlm::TLM_GENERIC_ERROR_RESPONSE);
    waiting_.erase(
        std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& one) { return one.get() == &a; }));
  }

  void end(access& a, tlm::tlm_response_status status) {
    a.transaction->set_response_status(status);
    ended_.push_back(a.transaction);
    next_response();
  }
  /// One response at a time, from a process of its own.
  void next_response() {
    if (responding_ || ended_.empty()) return;
    responding_ = true;
    responses_.notify(*ended_.front(), tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
    ended_.pop_front();
  }
  void respond(payload& p, const tlm::tlm_phase&) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum sync = s->nb_transport_bw(p, phase, delay);
    p.release();
    if (sync == tlm::TLM_ACCEPTED) return;
    responding_ = false;
    next_response();
  }

  const axi4_limits limits_;
  std::deque<std::unique_ptr<access>> waiting_;  // in the order of their coming
  std::deque<burst> aw_, w_, b_, ar_, r_;        // bursts whose address, data or response is still to cross
  bool aw_shown_ = false, w_shown_ = false, ar_shown_ = false, ready_ = false;
  std::deque<payload*> ended_;
  bool responding_ = false;
  std::uint64_t bursts_ = 0;
  tlm_utils::peq_with_cb_and_phase<tlm_to_axi4> responses_;
};

}  // namespace spillway
