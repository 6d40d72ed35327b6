#pragma once
#include <deque>
#include <map>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/violation.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace spillway {

/// Which rules axi4_checker holds an interface to beside those that must hold.
struct axi4_rules {
  bool recommended = false;  ///< AXI4_RECM_EXCL_...: what managers are advised to do
  unsigned max_wait = 0;     ///< cycles that `valid` may wait for `ready`, AXI4_REC._..READY_MAX_WAIT; 0: any
  bool all_done = false;     ///< AXI4_ERRS_..._ALL_DONE_EOS, at the end of the simulation
};

/// Watches an AXI4 or AXI4-Lite interface and drives none of its wires; `rst` is active high. Its rules have
/// the names of the assertions that ARM publishes for AXI4 (AXI4_ERRM_... of the manager, AXI4_ERRS_... of
/// the subordinate); docs/checker-rules.md lists them.
template <class Format>
class axi4_checker : public clocked, public axi4_watch<Format> {
public:
  /// `handler`: see violation_handler; the rule is the assertion's name.
  explicit axi4_checker(const sc_core::sc_module_name& name, violation_handler handler = {},
                        const axi4_rules& rules = {})
      : clocked(name), axi4_watch<Format>(""), handler_(std::move(handler)), rules_(rules) {}

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  std::uint64_t reads() const { return reads_done_; }       ///< bursts that are over
  std::uint64_t writes() const { return writes_done_; }     ///< the same

  /// Reports what has not been answered, as at the end of the simulation.
  void check_all_done() {
    std::size_t reads = 0, writes = writes_.size();
    for (const auto& [id, list] : reads_) reads += list.size();
    for (const auto& [id, list] : answerable_) writes += list.size();
    if (writes) fail("AXI4_ERRS_BRESP_ALL_DONE_EOS", std::to_string(writes) + " writes have no response");
    if (reads) fail("AXI4_ERRS_RLAST_ALL_DONE_EOS", std::to_string(reads) + " reads have not all their data");
  }

private:
  static constexpr unsigned lanes = Format::width / 8;
  using watch = axi4_watch<Format>;

  /// A channel as it stood at the edge before.
  struct channel_state {
    axi4_beat shown;
    bool waits = false;  // shown and not taken
    unsigned waited = 0;
  };
  struct data_beat {
    std::uint64_t strobes;
    bool last;
  };
  struct burst {
    axi4_address address;
    unsigned beats = 0;  // that have crossed
  };
  struct exclusive_read {
    axi4_address address;
    bool done = false;
  };

  void reset() override {
    if (in_reset_) check_silent("in reset");
    in_reset_ = true;
    aw_ = w_ = b_ = ar_ = r_ = {};
    reads_.clear(), writes_.clear(), answerable_.clear(), beats_.clear(), exclusive_.clear();
  }

  void tick() override {
    if (in_reset_) check_silent("at the first edge after reset");
    in_reset_ = false;
    const bool new_response = this->bvalid.read() && !b_.waits, new_data = this->rvalid.read() && !r_.waits;
    const bool aw = look<axi4_aw<Format>>(aw_), w = look<axi4_w<Format>>(w_), b = look<axi4_b<Format>>(b_),
               ar = look<axi4_ar<Format>>(ar_), r = look<axi4_r<Format>>(r_);
    // What answers has been decided before this edge, so what crosses at it cannot be meant.
    if (new_response) check_response();
    if (new_data) check_read_beat();
    if (b) take_response();
    if (r) take_read_beat();
    if (aw) take_write_address(write_address<Format>(*this));
    if (ar) take_read_address(read_address<Format>(*this));
    if (w) take_write_beat();
    if (this->awvalid.read() || this->wvalid.read() || this->bvalid.read() || this->arvalid.read() ||
        this->rvalid.read())
      this->wake_at(this->cycle() + 1);
  }
  void end_of_simulation() override {
    if (rules_.all_done) check_all_done();
  }

  void check_silent(const char* when) {
    const auto silent = [&](bool valid, const char* rule) {
      if (valid) fail(std::string(rule) + "VALID_RESET", std::string("valid is high ") + when);
    };
    silent(this->awvalid.read(), axi4_aw<Format>::rule);
    silent(this->wvalid.read(), axi4_w<Format>::rule);
    silent(this->arvalid.read(), axi4_ar<Format>::rule);
    silent(this->bvalid.read(), axi4_b<Format>::rule);
    silent(this->rvalid.read(), axi4_r<Format>::rule);
  }

  /// The handshake of a channel; says whether something crosses.
  template <class Channel>
  bool look(channel_state& state) {
    const auto& p = static_cast<const typename Channel::template pins<as_watcher>&>(*this);
    const bool valid = Channel::valid(p).read(), ready = Channel::ready(p).read();
    if (!valid && !state.waits) return false;
    const axi4_beat now = beat_of(p);
    if (state.waits && !valid)
      fail(std::string(Channel::rule) + "VALID_STABLE",
           "valid fell before ready, beside " + text(p, state.shown));
    else if (state.waits && !(now == state.shown))
      check_stable<Channel>(p, state.shown, now);
    state.waits = valid && !ready;
    state.waited = state.waits ? state.waited + 1 : 0;
    if (rules_.max_wait && state.waits && state.waited - 1 == rules_.max_wait)
      fail(Channel::ready_rule,
           "no ready after " + std::to_string(state.waited) + " cycles, beside " + text(p, now));
    state.shown = now;
    return valid && ready;
  }
  /// Each pin that differs has a rule of its own; lanes that mean nothing may change.
  template <class Channel, class Pins>
  void check_stable(const Pins& p, const axi4_beat& before, const axi4_beat& now) {
    each_beat_word(p, [&](const char* name, const auto&, std::size_t at, std::size_t words) {
      const bool data = name == std::string("DATA");
      const std::uint64_t all = ~std::uint64_t{0}, meant = data ? data_lanes<Channel>() : all;
      bool same = true;
      for (std::size_t n = 0; n < words; ++n)
        same &= ((before.words[at + n] ^ now.words[at + n]) & (data ? bits_of(meant >> 8 * n) : all)) == 0;
      if (!same)
        fail(std::string(Channel::rule) + name + "_STABLE", number(before, at, words) + " became " +
                                                                number(now, at, words) +
                                                                " before ready, beside " + text(p, before));
    });
  }
  /// Of eight lanes.
  static std::uint64_t bits_of(std::uint64_t lanes_meant) {
    std::uint64_t bits = 0;
    for (unsigned lane = 0; lane < 8; ++lane)
      if (lanes_meant >> lane & 1) bits |= std::uint64_t{0xff} << 8 * lane;
    return bits;
  }
  /// Lanes of the data on the channel that carry some.
  template <class Channel>
  std::uint64_t data_lanes() const {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    if constexpr (std::is_same_v<Channel, axi4_w<Format>>) {
      return pin_bits<typename Format::strb>::get(this->wstrb.read(), 0, 64);
    } else if constexpr (std::is_same_v<typename Format::size, absent>) {
      return all;
    } else {
      const auto list = reads_.find(detail::field(this->rid, 32));
      return list == reads_.end() || list->second.empty() ? all : lanes_of(list->second.front());
    }
  }
  /// Of the next beat.
  static std::uint64_t lanes_of(const burst& one) {
    const std::uint64_t first = one.address.beat(one.beats) % lanes;
    return pin_bits<std::uint64_t>::mask(one.address.bytes_of(one.beats)) << first;
  }

  static std::string number(const axi4_beat& beat, std::size_t at, std::size_t words) {
    std::ostringstream os;
    os << "0x" << std::hex;
    bool begun = false;
    for (std::size_t n = words; n-- > 0;) {
      const std::uint64_t word = beat.words[at + n];
      if (begun) os.width(16), os.fill('0');
      if (begun || word || n == 0) os << word;
      begun |= word != 0;
    }
    return os.str();
  }
  template <class Pins>
  static std::string text(const Pins& p, const axi4_beat& beat) {
    std::string all;
    each_beat_word(p, [&](const char* name, const auto&, std::size_t at, std::size_t words) {
      if (words) all += std::string(all.empty() ? "" : " ") + name + ' ' + number(beat, at, words);
    });
    return all;
  }
  static std::string text(const axi4_address& a) {
    std::ostringstream os;
    os << "address 0x" << std::hex << a.addr << std::dec << ", " << a.beats << " beats of " << a.bytes
       << " bytes, burst " << static_cast<unsigned>(a.burst) << ", id " << a.id;
    if (a.exclusive) os << ", exclusive";
    return os.str();
  }

  void take_write_address(const axi4_address& a) {
    check_address(a, axi4_aw<Format>::rule);
    if (a.exclusive) check_exclusive_write(a);
    writes_.push_back({a, 0});
    pass_beats();
  }
  void take_read_address(const axi4_address& a) {
    check_address(a, axi4_ar<Format>::rule);
    if (a.exclusive) exclusive_[a.id] = {a, false};
    reads_[a.id].push_back({a, 0});
  }

  void check_address(const axi4_address& a, const std::string& rule) {
    const auto need = [&](bool holds, const char* what) {
      if (!holds) fail(rule + what, text(a));
    };
    need(a.burst != axi4_burst::reserved, "BURST");
    need(a.bytes <= lanes, "SIZE");
    if (a.burst == axi4_burst::wrap) {
      need(a.beats == 2 || a.beats == 4 || a.beats == 8 || a.beats == 16, "LEN_WRAP");
      need(a.addr % a.bytes == 0, "ADDR_WRAP_ALIGN");
    }
    if (a.burst == axi4_burst::fixed) need(a.beats <= 16, "LEN_FIXED");
    if (a.burst == axi4_burst::incr)
      need(a.addr / 4096 == (a.aligned() + a.span() - 1) / 4096, "ADDR_BOUNDARY");
    if ((a.cache & 2) == 0 && (a.cache & 12) != 0)
      fail(rule + "CACHE", "cache " + std::to_string(a.cache) + " of " + text(a));
    if (!a.exclusive) return;
    need(a.beats <= 16, "LEN_LOCK");
    const std::uint64_t span = a.span();
    if (span & (span - 1)) fail("AXI4_ERRM_EXCL_LEN", text(a));
    if (span > 128) fail("AXI4_ERRM_EXCL_MAX", text(a));
    if (a.addr % span) fail("AXI4_ERRM_EXCL_ALIGN", text(a));
  }
  /// Beside the exclusive read of the same ID before it.
  void check_exclusive_write(const axi4_address& a) {
    const auto found = exclusive_.find(a.id);
    if (rules_.recommended && found == exclusive_.end())
      fail("AXI4_RECM_EXCL_PAIR", "no exclusive read before " + text(a));
    if (found == exclusive_.end()) return;
    const auto [read, done] = found->second;
    exclusive_.erase(found);
    if (!rules_.recommended) return;
    if (read.addr != a.addr || read.bytes != a.bytes || read.beats != a.beats)
      fail("AXI4_RECM_EXCL_MATCH", text(a) + " after " + text(read));
    if (!done) fail("AXI4_RECM_EXCL_R_W", text(a) + " before the data of its read");
  }

  /// Data may come before its address.
  void take_write_beat() {
    const bool last = std::is_same_v<typename Format::last, absent> || detail::field(this->wlast, 1) != 0;
    beats_.push_back({pin_bits<typename Format::strb>::get(this->wstrb.read(), 0, 64), last});
    pass_beats();
  }
  void pass_beats() {
    for (; !beats_.empty() && !writes_.empty(); beats_.pop_front()) {
      burst& one = writes_.front();
      const data_beat& beat = beats_.front();
      check_strobes(one, beat);
      ++one.beats;
      const bool due = one.beats == one.address.beats;
      if (beat.last != due)
        fail("AXI4_ERRM_WDATA_NUM", "beat " + std::to_string(one.beats) + (beat.last ? " is" : " is not") +
                                        " the last of " + text(one.address));
      if (!due && !beat.last) continue;
      answerable_[one.address.id].push_back(one.address);
      writes_.pop_front();
    }
  }
  void check_strobes(const burst& one, const data_beat& beat) {
    if (one.address.bytes > lanes) return;
    const std::uint64_t all = lanes_of(one);
    if (!(beat.strobes & ~all)) return;
    std::ostringstream os;
    os << "strobes 0x" << std::hex << beat.strobes << " in lanes 0x" << all << std::dec << " of beat "
       << one.beats + 1 << " of " << text(one.address);
    fail("AXI4_ERRM_WSTRB", os.str());
  }

  template <class Pin>
  static axi4_resp response_of(const Pin& pin) {
    return static_cast<axi4_resp>(detail::field(pin, 2));
  }

  /// When it is shown for the first time.
  void check_response() {
    const unsigned id = detail::field(this->bid, 32);
    const auto& list = answerable_[id];
    if (list.empty()) {
      const bool has_address =
          std::any_of(writes_.begin(), writes_.end(), [id](const burst& w) { return w.address.id == id; });
      return fail(has_address ? "AXI4_ERRS_BRESP_WLAST" : "AXI4_ERRS_BRESP_AW",
                  "a response with id " + std::to_string(id) + " comes before the " +
                      (has_address ? "last data" : "address") + " of its write");
    }
    if (response_of(this->bresp) == axi4_resp::exokay && !list.front().exclusive)
      fail("AXI4_ERRS_BRESP_EXOKAY", "EXOKAY to " + text(list.front()));
  }
  void take_response() {
    auto& list = answerable_[detail::field(this->bid, 32)];
    if (!list.empty()) list.pop_front();
    ++writes_done_;
  }

  bool shows_last() const {
    return std::is_same_v<typename Format::last, absent> || detail::field(this->rlast, 1) != 0;
  }
  /// When it is shown for the first time.
  void check_read_beat() {
    const unsigned id = detail::field(this->rid, 32);
    const auto& list = reads_[id];
    if (list.empty())
      return fail("AXI4_ERRS_RID", "data with id " + std::to_string(id) + ", which no read waits for");
    const burst& one = list.front();
    const bool last = shows_last();
    if (last != (one.beats + 1 == one.address.beats))
      fail("AXI4_ERRS_RDATA_NUM", "beat " + std::to_string(one.beats + 1) + (last ? " is" : " is not") +
                                      " the last of " + text(one.address));
    if (response_of(this->rresp) == axi4_resp::exokay && !one.address.exclusive)
      fail("AXI4_ERRS_RRESP_EXOKAY", "EXOKAY to " + text(one.address));
  }
  void take_read_beat() {
    const unsigned id = detail::field(this->rid, 32);
    auto& list = reads_[id];
    if (list.empty()) return;
    burst& one = list.front();
    ++one.beats;
    if (one.beats != one.address.beats && !shows_last()) return;
    if (const auto found = exclusive_.find(id); found != exclusive_.end() && one.address.exclusive)
      found->second.done = true;
    list.pop_front();
    ++reads_done_;
  }

  void fail(const std::string& rule, const std::string& what) {
    ++violations_;
    report_violation(handler_, rule.c_str(), this->name(), this->cycle(), what);
  }

  const violation_handler handler_;
  const axi4_rules rules_;
  bool in_reset_ = false;
  channel_state aw_, w_, b_, ar_, r_;
  std::map<unsigned, std::deque<burst>> reads_;              // by id
  std::deque<burst> writes_;                                 // that wait for data
  std::deque<data_beat> beats_;                              // that wait for an address
  std::map<unsigned, std::deque<axi4_address>> answerable_;  // by id: writes that have all their data
  std::map<unsigned, exclusive_read> exclusive_;             // by id: the last, until its write
  std::uint64_t violations_ = 0, reads_done_ = 0, writes_done_ = 0;
};

}  // namespace spillway
