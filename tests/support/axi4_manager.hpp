#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <support/dice.hpp>
#include <utility>
#include <vector>

// Random bursts at the pins of an AXI4 interface, and the memory that they must find kept beside them.

namespace spillway::testing_support {

struct axi4_traffic {
  std::uint32_t seed = 1;
  std::uint64_t base = 0, size = 0x1000;  // bytes that are this manager's alone
  unsigned count = 100;                   // bursts
  unsigned ids = 4, outstanding = 6;
  unsigned longest = 16;  // beats
  unsigned percent = 70;  // of the cycles in which a channel goes on
  bool wrap = true, fixed = true;
};

/// INCR, WRAP and FIXED bursts, narrow and unaligned, with strobes and several IDs; stalls at random. No
/// burst touches bytes of one that is under way.
template <class Format>
class random_axi4_manager : public clocked {
public:
  axi4_manager_pins<Format> m{"m_axi"};

  random_axi4_manager(const sc_core::sc_module_name& name, const axi4_traffic& traffic)
      : clocked(name), traffic_(traffic), dice_(traffic.seed), left_(traffic.count) {}

  unsigned done() const { return done_; }
  unsigned wrong() const { return wrong_; }          // answers or data
  unsigned overtaken() const { return overtaken_; }  // answers that came before older ones, of another ID
  std::uint64_t bytes() const { return bytes_; }     // read, or written by a strobe
  bool over() const { return !left_ && reads_.empty() && writes_.empty(); }

private:
  static constexpr unsigned lanes = Format::width / 8;
  using data_bits = pin_bits<typename Format::data>;
  using strb_bits = pin_bits<typename Format::strb>;

  struct burst {
    axi4_address address;
    unsigned beat = 0;
    std::vector<std::vector<int>> expected;  // of reads: of each beat the bytes by lane, -1: any
    std::uint64_t end() const {
      return address.base() + (address.burst == axi4_burst::fixed ? address.bytes : address.length());
    }
  };
  struct data_beat {
    typename Format::data data{};
    typename Format::strb strobes{};
    bool last = false;
  };

  void reset() override {
    m.awvalid.write(false), m.wvalid.write(false), m.arvalid.write(false);
    m.bready.write(false), m.rready.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (aw_shown_ && m.awready.read()) aw_.pop_front(), aw_shown_ = false;
    if (ar_shown_ && m.arready.read()) ar_.pop_front(), ar_shown_ = false;
    if (w_shown_ && m.wready.read()) w_.pop_front(), w_shown_ = false;
    if (b_ready_ && m.bvalid.read()) take_response();
    if (r_ready_ && m.rvalid.read()) take_data();
    if (left_ && reads_.size() + writes_.size() < traffic_.outstanding && goes_on()) make();
    if (!aw_shown_ && !aw_.empty() && goes_on()) aw_shown_ = true, show_write_address(m, aw_.front());
    if (!ar_shown_ && !ar_.empty() && goes_on()) ar_shown_ = true, show_read_address(m, ar_.front());
    if (!w_shown_ && !w_.empty() && goes_on()) {
      w_shown_ = true;
      m.wdata.write(w_.front().data), m.wstrb.write(w_.front().strobes);
      write_number(m.wlast, w_.front().last);
    }
    b_ready_ = goes_on(), r_ready_ = goes_on();
    m.awvalid.write(aw_shown_), m.arvalid.write(ar_shown_), m.wvalid.write(w_shown_);
    m.bready.write(b_ready_), m.rready.write(r_ready_);
  }
  bool goes_on() { return dice_.percent(traffic_.percent); }

  void make() {
    burst b;
    b.address = draw();
    for (const auto* list : {&reads_, &writes_})
      for (const burst& o : *list)
        if (b.address.base() < o.end() && o.address.base() < b.end()) return;
    --left_;
    const bool writes = dice_.percent(50);
    if (writes)
      aw_.push_back(b.address), write(b.address);
    else
      ar_.push_back(b.address), expect(b);
    (writes ? writes_ : reads_).push_back(std::move(b));
  }

  axi4_address draw() {
    axi4_address a;
    a.id = dice_.below(traffic_.ids);
    unsigned logs = 0;
    while (1u << logs < lanes) ++logs;
    a.bytes = 1u << (dice_.percent(60) ? logs : dice_.below(logs + 1));
    const unsigned kind = dice_.below(10);
    a.burst = kind < 2 && traffic_.wrap     ? axi4_burst::wrap
              : kind == 2 && traffic_.fixed ? axi4_burst::fixed
                                            : axi4_burst::incr;
    a.beats = a.burst == axi4_burst::wrap
                  ? 2u << dice_.below(4)
                  : 1 + dice_.below(a.burst == axi4_burst::fixed ? 16 : traffic_.longest);
    // Within a block of 4 KiB of the range.
    const std::uint64_t block = std::min<std::uint64_t>(4096, traffic_.size);
    while (a.span() > block) a.beats /= 2;
    if (a.burst == axi4_burst::wrap && a.beats < 2) a.burst = axi4_burst::incr;
    const std::uint64_t begin =
        traffic_.base + block * dice_.below(static_cast<unsigned>(traffic_.size / block));
    const std::uint64_t room = a.burst == axi4_burst::fixed ? block - a.bytes : block - a.span();
    a.addr = begin + (dice_.below(static_cast<unsigned>(room / a.bytes) + 1)) * a.bytes;
    if (a.burst == axi4_burst::wrap) return a;
    if (dice_.percent(40))
      a.addr += dice_.below(a.bytes);  // unaligned; its beats end at the boundary all the same
    return a;
  }

  void write(const axi4_address& a) {
    for (unsigned n = 0; n < a.beats; ++n) {
      data_beat beat;
      beat.last = n + 1 == a.beats;
      const bool all = dice_.percent(70);
      for (unsigned i = 0; i < a.bytes_of(n); ++i) {
        if (!all && dice_.percent(50)) continue;
        const auto lane = static_cast<unsigned>((a.beat(n) + i) % lanes);
        const unsigned byte = dice_.below(256);
        data_bits::put(beat.data, 8 * lane, 8, byte), strb_bits::put(beat.strobes, lane, 1, 1);
        memory_[a.beat(n) + i] = static_cast<unsigned char>(byte);
        ++bytes_;
      }
      w_.push_back(beat);
    }
  }
  void expect(burst& b) {
    for (unsigned n = 0; n < b.address.beats; ++n) {
      std::vector<int> lane(lanes, -1);
      for (unsigned i = 0; i < b.address.bytes_of(n); ++i) {
        const auto found = memory_.find(b.address.beat(n) + i);
        lane[(b.address.beat(n) + i) % lanes] = found == memory_.end() ? 0 : found->second;
        ++bytes_;
      }
      b.expected.push_back(std::move(lane));
    }
  }

  template <class Pin>
  typename std::deque<burst>::iterator of_id(std::deque<burst>& list, const Pin& pin) {
    const unsigned id = detail::field(pin, 32);
    return std::find_if(list.begin(), list.end(), [id](const burst& b) { return b.address.id == id; });
  }
  void over(std::deque<burst>& list, typename std::deque<burst>::iterator b) {
    if (b != list.begin()) ++overtaken_;
    list.erase(b);
    ++done_;
  }
  void take_response() {
    const auto b = of_id(writes_, m.bid);
    if (b == writes_.end() || detail::field(m.bresp, 2) != 0) ++wrong_;
    if (b != writes_.end()) over(writes_, b);
  }
  void take_data() {
    const auto b = of_id(reads_, m.rid);
    if (b == reads_.end()) {
      ++wrong_;
      return;
    }
    bool right = detail::field(m.rresp, 2) == 0;
    const std::vector<int>& expected = b->expected[b->beat++];
    for (unsigned lane = 0; lane < lanes; ++lane)
      right &= expected[lane] < 0 ||
               data_bits::get(m.rdata.read(), 8 * lane, 8) == static_cast<unsigned>(expected[lane]);
    const bool last = b->beat == b->address.beats;
    if (!right || (detail::field(m.rlast, 1) != 0) != last) ++wrong_;
    if (last) over(reads_, b);
  }

  const axi4_traffic traffic_;
  dice dice_;
  unsigned left_;
  std::map<std::uint64_t, unsigned char> memory_;
  std::deque<burst> reads_, writes_;
  std::deque<axi4_address> aw_, ar_;
  std::deque<data_beat> w_;
  bool aw_shown_ = false, w_shown_ = false, ar_shown_ = false, b_ready_ = false, r_ready_ = false;
  unsigned done_ = 0, wrong_ = 0, overtaken_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace spillway::testing_support
