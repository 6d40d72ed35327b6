#pragma once
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <tlm>
#include <utility>

namespace spillway {

/// What a tlm_to_axi4 may send.
struct axi4_manager_config : axi4_limits {
  unsigned ids = 1;  ///< AXI IDs, from 0 on; 1 where there are no pins for them
  bool wrap = true;  ///< WRAP bursts; else they become INCR bursts from the lowest address on
};

/// An AXI4 manager that carries out the transactions of a TLM network at a subordinate. `s` is bound by an
/// initiator such as tlm_network::initiator().
///
/// A burst of an axi4_to_tlm leaves as it came, INCR, WRAP or FIXED, narrow or not, with its attributes, if
/// the interface is as wide as a beat of it and no boundary of 4 KiB is in the way. Any other transaction
/// becomes INCR bursts of full-width beats that cross no such boundary, a narrow beat where one holds all of
/// it, and single beats on AXI4-Lite; what a streaming width repeats becomes FIXED bursts, or INCR ones where
/// it does not fit a beat. Bytes that it does not write have no strobe.
///
/// Of its IDs, the first threads (a terminal and an ID there) have one each and all others share the
/// last; exclusive accesses are passed on as such for a thread with an ID of its own. A burst waits for those
/// of the other direction, and for writes of another ID, that touch the same bytes; of an initiator that says
/// nothing of AXI4, writes and reads wait for each other altogether. DECERR is TLM_ADDRESS_ERROR_RESPONSE,
/// SLVERR TLM_GENERIC_ERROR_RESPONSE; the worst of a transaction's bursts counts. An address that the pins do
/// not hold is TLM_ADDRESS_ERROR_RESPONSE, at once.
template <class Format>
class tlm_to_axi4 : public single_threaded {
public:
  tlm_utils::simple_target_socket<tlm_to_axi4> s{"s"};  ///< nb_transport; END_REQ at once
  axi4_manager_pins<Format> m{"m_axi"};                 ///< registered valid and ready of all channels

  /// The limits are of bursts sent and not answered. Throws std::invalid_argument for what cannot be.
  explicit tlm_to_axi4(const sc_core::sc_module_name& name, const axi4_manager_config& config = {})
      : single_threaded(name), config_(detail::checked(config)), responses_(this, &tlm_to_axi4::respond) {
    constexpr bool has_ids = !std::is_same_v<typename Format::id, absent>;
    const std::uint64_t most = greatest_number<typename Format::id>();
    detail::need(
        config.ids >= 1 && config.ids - 1 <= most,
        std::string("an AXI4 manager ") +
            (has_ids ? "has 1 or more IDs, as many as its pins hold" : "without pins for IDs has 1") +
            ", found " + std::to_string(config.ids));
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
    axi4_extension* axi;
    axi4_thread thread;
    unsigned id;
    sc_core::sc_time begins;  // as BEGIN_REQ was annotated
    std::uint64_t next = 0;   // byte that the next burst begins with
    unsigned under_way = 0;   // bursts
    axi4_resp worst = axi4_resp::okay;
    bool exclusively = false;  // sent so, and so far answered so
    bool issued() const { return next == transaction->get_data_length(); }
  };
  struct burst {
    access* of;
    axi4_address address;
    std::uint64_t first;        // address of byte `from`
    std::uint64_t from, until;  // bytes of the transaction
    unsigned used;              // of a fixed burst: bytes a beat
    unsigned beat = 0;

    /// Whether they touch the same bytes, or nearly; they may end with the addresses.
    bool overlaps(const burst& b) const {
      const auto bytes = [](const burst& one) {
        return one.address.burst == axi4_burst::fixed ? one.used : one.until - one.from;
      };
      return first - b.first < bytes(b) || b.first - first < bytes(*this);
    }
    bool writes() const { return of->transaction->is_write(); }
  };

  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      responding_ = false;
      next_response_ = sc_core::sc_time_stamp() + delay;
      next_response();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (p.get_data_length() == 0 || p.get_command() == tlm::TLM_IGNORE_COMMAND) {
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    if (!holds_addresses_of(p)) {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    p.acquire();
    const axi4_thread thread = thread_of(p);
    waiting_.push_back(std::make_unique<access>(access{&p, p.get_extension<axi4_extension>(), thread,
                                                       id_of(thread), sc_core::sc_time_stamp() + delay}));
    wake_at(cycle());
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  /// Whether the pins do, from the first byte to the last.
  static bool holds_addresses_of(const payload& p) {
    const std::uint64_t most = greatest_number<typename Format::addr>(), first = p.get_address(),
                        length = p.get_data_length(), width = p.get_streaming_width();
    return first <= most && (width && width < length ? width : length) - 1 <= most - first;
  }
  unsigned id_of(const axi4_thread& thread) {
    const auto found = ids_.find(thread);
    if (found != ids_.end()) return found->second;
    const auto shared = config_.ids - 1;
    if (ids_.size() >= shared) return shared;
    return ids_.emplace(thread, static_cast<unsigned>(ids_.size())).first->second;
  }

  void reset() override {
    for (const auto& a : waiting_) end(*a, tlm::TLM_GENERIC_ERROR_RESPONSE);
    waiting_.clear(), ids_.clear();
    aw_.clear(), w_.clear(), writes_.clear(), ar_.clear(), reads_.clear();
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
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [](const auto& a) { return !a->issued(); });
    if (found == waiting_.end()) return false;
    access& a = **found;
    if (sc_core::sc_time_stamp() < a.begins) return false;
    burst b = next_burst(a);
    if (!may_go(b)) return false;
    b.address.id = a.id;
    if (a.axi) {
      const axi4_address& as = a.axi->burst;
      b.address.cache = as.cache, b.address.prot = as.prot;
      b.address.qos = as.qos, b.address.region = as.region;
      const bool whole = b.from == 0 && b.until == a.transaction->get_data_length();
      b.address.exclusive = a.exclusively =
          as.exclusive && whole && !lite && ids_.count(a.thread) != 0 && b.address.may_be_exclusive();
    }
    (b.writes() ? aw_ : ar_).push_back(b), (b.writes() ? writes_ : reads_).push_back(b);
    if (b.writes()) w_.push_back(b);
    a.next = b.until;
    ++a.under_way, ++bursts_;
    return true;
  }
  bool may_go(const burst& b) const {
    const bool writes = b.writes();
    if ((writes ? writes_.size() : reads_.size()) >= (writes ? config_.writes : config_.reads)) return false;
    const auto& others = writes ? reads_ : writes_;
    const bool in_order = !b.of->axi;  // its initiator may count on it
    for (const burst& o : others)
      if (o.overlaps(b) || (in_order && o.of->thread == b.of->thread)) return false;
    return !writes || std::none_of(writes_.begin(), writes_.end(),
                                   [&](const burst& o) { return o.of->id != b.of->id && o.overlaps(b); });
  }

  burst next_burst(access& a) const {
    const payload& p = *a.transaction;
    if (a.axi && a.next == 0 && keeps_shape(p, *a.axi)) {
      burst b{&a, a.axi->burst, p.get_address(), 0, p.get_data_length(), 0};
      b.address.addr = p.get_address() + a.axi->skip;
      b.used = b.address.bytes_of(0);
      return b;
    }
    const std::uint64_t length = p.get_data_length(), width = p.get_streaming_width();
    if (width == 0 || width >= length) return run_of(a, p.get_address() + a.next, length - a.next);
    const std::uint64_t offset = a.next % width, first = p.get_address() + offset, rest = length - a.next;
    const unsigned beat = beat_for(first, width);
    if (offset || rest < width || !beat) return run_of(a, first, std::min(width - offset, rest));
    burst b{&a, {}, first, a.next, a.next, static_cast<unsigned>(width)};
    b.address.addr = lite ? first - first % lanes : first;
    b.address.bytes = lite ? lanes : beat;
    b.address.burst = lite ? axi4_burst::incr : axi4_burst::fixed;
    b.address.beats = lite ? 1 : static_cast<unsigned>(std::min<std::uint64_t>(16, rest / width));
    b.until += width * b.address.beats;
    return b;
  }
  /// Whether the transaction may leave as the burst that it has come as.
  bool keeps_shape(const payload& p, const axi4_extension& axi) const {
    axi4_address a = axi.burst;
    if (lite || a.bytes > lanes || a.length() != p.get_data_length()) return false;
    if (a.burst == axi4_burst::wrap && !config_.wrap) return false;
    const std::uint64_t before = a.addr;
    a.addr = p.get_address() + axi.skip;
    if (a.base() != p.get_address() || a.addr % a.bytes != before % a.bytes) return false;
    return a.burst != axi4_burst::incr || a.addr / 4096 == (a.aligned() + a.span() - 1) / 4096;
  }
  /// Bytes of the narrowest beat that holds `count` bytes from `first` on; 0: none does.
  static unsigned beat_for(std::uint64_t first, std::uint64_t count) {
    for (unsigned bytes = 1; bytes <= lanes; bytes *= 2)
      if (first % bytes + count <= bytes) return bytes;
    return 0;
  }
  /// An INCR burst of up to `count` bytes.
  static burst run_of(access& a, std::uint64_t first, std::uint64_t count) {
    burst b{&a, {}, first, a.next, a.next + count, 0};
    const unsigned narrow = lite ? 0 : beat_for(first, count);
    b.address.bytes = narrow ? narrow : lanes;
    b.address.addr = lite ? first - first % lanes : first;
    if (narrow) return b;
    // In bytes from the first beat's boundary on: what is behind them may be the end of the addresses.
    const std::uint64_t skip = first % lanes, to_boundary = 4096 - (first - skip) % 4096,
                        most = lite ? lanes : std::uint64_t{256} * lanes;
    const std::uint64_t span = std::min({skip + count, to_boundary, most});
    b.until = a.next + (span - skip);
    b.address.beats = static_cast<unsigned>((span + lanes - 1) / lanes);
    return b;
  }

  /// Calls `f` with the lane and the number of every byte of the transaction that lies in the next beat.
  template <class F>
  static void each_byte(const burst& b, F&& f) {
    const std::uint64_t addr = b.address.beat(b.beat);
    for (unsigned n = 0; n < b.address.bytes_of(b.beat); ++n) {
      const auto lane = static_cast<unsigned>((addr + n) % lanes);
      if (b.address.burst == axi4_burst::fixed) {
        if (n < b.used) f(lane, b.from + std::uint64_t{b.beat} * b.used + n);
      } else if (addr + n >= b.first && b.from + (addr + n - b.first) < b.until) {
        f(lane, b.from + (addr + n - b.first));
      }
    }
  }
  static bool enabled(const payload& p, std::uint64_t byte) {
    const unsigned char* const enables = p.get_byte_enable_ptr();
    return !enables || enables[byte % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  }

  void show() {
    if (!aw_shown_ && !aw_.empty()) aw_shown_ = true, show_write_address(m, aw_.front().address);
    if (!ar_shown_ && !ar_.empty()) ar_shown_ = true, show_read_address(m, ar_.front().address);
    if (!w_shown_ && !w_.empty()) show_write_beat(w_.front());
    m.awvalid.write(aw_shown_), m.arvalid.write(ar_shown_), m.wvalid.write(w_shown_);
  }
  void show_write_beat(const burst& b) {
    w_shown_ = true;
    typename Format::data data{};
    typename Format::strb strobes{};
    const payload& p = *b.of->transaction;
    each_byte(b, [&](unsigned lane, std::uint64_t byte) {
      if (!enabled(p, byte)) return;
      data_bits::put(data, 8 * lane, 8, p.get_data_ptr()[byte]);
      pin_bits<typename Format::strb>::put(strobes, lane, 1, 1);
    });
    m.wdata.write(data), m.wstrb.write(strobes);
    write_number(m.wlast, b.beat + 1 == b.address.beats);
  }
  void next_write_beat() {
    w_shown_ = false;
    if (++w_.front().beat == w_.front().address.beats) w_.pop_front();
  }

  template <class Pin>
  static auto of_id(std::deque<burst>& list, const Pin& pin) {
    const unsigned id = detail::field(pin, 32);
    return std::find_if(list.begin(), list.end(), [id](const burst& b) { return b.address.id == id; });
  }
  static bool is_in(const std::deque<burst>& list, const burst& b) {
    return std::any_of(list.begin(), list.end(),
                       [&b](const burst& one) { return one.of == b.of && one.from == b.from; });
  }
  template <class Pin>
  static void take_response(access& a, const Pin& pin) {
    const auto response = static_cast<axi4_resp>(detail::field(pin, 2));
    a.worst = std::max(a.worst, response);
    a.exclusively &= response == axi4_resp::exokay;
  }
  void take_write_response() {
    const auto b = of_id(writes_, m.bid);
    if (b == writes_.end() || is_in(aw_, *b) || is_in(w_, *b)) return;  // too early: the checker's affair
    access& a = *b->of;
    take_response(a, m.bresp);
    writes_.erase(b);
    burst_ended(a);
  }
  void take_read_beat() {
    const auto b = of_id(reads_, m.rid);
    if (b == reads_.end() || is_in(ar_, *b)) return;
    access& a = *b->of;
    payload& p = *a.transaction;
    take_response(a, m.rresp);
    each_byte(*b, [&](unsigned lane, std::uint64_t byte) {
      if (enabled(p, byte))
        p.get_data_ptr()[byte] = static_cast<unsigned char>(data_bits::get(m.rdata.read(), 8 * lane, 8));
    });
    if (++b->beat < b->address.beats) return;
    reads_.erase(b);
    burst_ended(a);
  }

  void burst_ended(access& a) {
    if (--a.under_way || !a.issued()) return;
    if (a.axi) a.axi->done_exclusively = a.exclusively;
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
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    responses_.notify(*ended_.front(), tlm::BEGIN_RESP,
                      now < next_response_ ? next_response_ - now : sc_core::SC_ZERO_TIME);
    ended_.pop_front();
  }
  void respond(payload& p, const tlm::tlm_phase&) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum sync = s->nb_transport_bw(p, phase, delay);
    p.release();
    if (sync == tlm::TLM_ACCEPTED) return;
    responding_ = false;
    next_response_ = sc_core::sc_time_stamp() + delay;
    next_response();
  }

  const axi4_manager_config config_;
  std::map<axi4_thread, unsigned> ids_;          // threads with an ID of their own
  std::deque<std::unique_ptr<access>> waiting_;  // in the order of their coming
  std::deque<burst> aw_, w_, ar_;                // bursts whose address or data is still to cross
  std::deque<burst> writes_, reads_;             // that are not answered
  bool aw_shown_ = false, w_shown_ = false, ar_shown_ = false, ready_ = false;
  std::deque<payload*> ended_;
  bool responding_ = false;
  sc_core::sc_time next_response_;  // not before the END_RESP that was annotated
  std::uint64_t bursts_ = 0;
  tlm_utils::peq_with_cb_and_phase<tlm_to_axi4> responses_;
};

}  // namespace spillway
