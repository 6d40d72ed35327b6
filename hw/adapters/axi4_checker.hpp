#pragma once
#include <array>
#include <deque>
#include <map>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/violation.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace spillway {

/// Watches an AXI4 or AXI4-Lite interface and drives none of its wires; `rst` is active high. Its rules have
/// the names of the assertions that ARM publishes for AXI4 (AXI4_ERRM_... of the manager, AXI4_ERRS_... of
/// the subordinate); docs/checker-rules.md lists them.
template <class Format>
class axi4_checker : public clocked, public axi4_watch<Format> {
public:
  /// `handler`: see violation_handler; the rule is the assertion's name.
  explicit axi4_checker(const sc_core::sc_module_name& name, violation_handler handler = {})
      : clocked(name), axi4_watch<Format>(""), handler_(std::move(handler)) {}

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  std::uint64_t reads() const { return reads_done_; }       ///< bursts that are over
  std::uint64_t writes() const { return writes_done_; }     ///< the same

private:
  static constexpr unsigned lanes = Format::width / 8;
  enum channel : std::size_t { aw, w, b, ar, r, channels };

  /// A channel at an edge: what it shows, as words.
  struct shown {
    bool valid = false, ready = false;
    std::array<std::uint64_t, 12> words{};
  };
  struct channel_state {
    shown before;
    bool waits = false;  // shown and not taken at the edge before
  };
  struct data_beat {
    std::uint64_t strobes;
    bool last;
  };

  void reset() override {
    if (in_reset_) check_silent("in reset");
    in_reset_ = true;
    for (channel_state& c : state_) c = {};
    reads_.clear(), writes_.clear(), responses_.clear(), beats_.clear();
  }

  void tick() override {
    if (in_reset_) check_silent("at the first edge after reset");
    in_reset_ = false;
    bool busy = false;
    std::array<bool, channels> taken{};
    const std::array<shown, channels> now = sample();
    for (std::size_t c = 0; c < channels; ++c) {
      check_stable(c, now[c]);
      taken[c] = now[c].valid && now[c].ready;
      state_[c] = {now[c], now[c].valid && !now[c].ready};
      busy |= now[c].valid;
    }
    if (now[b].valid && !state_known_b_) check_response();
    state_known_b_ = now[b].valid && !taken[b];
    if (taken[aw]) take_address(write_address<Format>(*this), "AW", writes_);
    if (taken[ar]) {
      const axi4_address a = read_address<Format>(*this);
      check_address(a, "AR");
      reads_[a.id].push_back({a, 0});
    }
    if (taken[w]) take_write_beat();
    if (taken[b]) take_response();
    if (taken[r]) take_read_beat();
    if (busy) this->wake_at(this->cycle() + 1);
  }

  template <class T>
  static void put(shown& s, unsigned& at, const T& value) {
    constexpr unsigned words = std::is_same_v<T, typename Format::data> ? (Format::width + 63) / 64 : 1;
    for (unsigned n = 0; n < words && at < s.words.size(); ++n)
      s.words[at++] = pin_bits<T>::get(value, 64 * n, 64);
  }
  template <class... Values>
  static shown channel_of(bool valid, bool ready, const Values&... values) {
    shown s{valid, ready, {}};
    unsigned at = 0;
    (put(s, at, values), ...);
    return s;
  }
  std::array<shown, channels> sample() const {
    const auto& p = *this;
    return {channel_of(p.awvalid.read(), p.awready.read(), p.awaddr.read(), p.awid.read(), p.awlen.read(),
                       p.awsize.read(), p.awburst.read(), p.awlock.read(), p.awcache.read(), p.awprot.read()),
            channel_of(p.wvalid.read(), p.wready.read(), p.wdata.read(), p.wstrb.read(), p.wlast.read()),
            channel_of(p.bvalid.read(), p.bready.read(), p.bid.read(), p.bresp.read()),
            channel_of(p.arvalid.read(), p.arready.read(), p.araddr.read(), p.arid.read(), p.arlen.read(),
                       p.arsize.read(), p.arburst.read(), p.arlock.read(), p.arcache.read(), p.arprot.read()),
            channel_of(p.rvalid.read(), p.rready.read(), p.rdata.read(), p.rid.read(), p.rresp.read(),
                       p.rlast.read())};
  }

  void check_silent(const char* when) {
    const auto silent = [&](bool valid, const char* rule) {
      if (valid) fail(rule, std::string("valid is high ") + when);
    };
    silent(this->awvalid.read(), "AXI4_ERRM_AWVALID_RESET");
    silent(this->wvalid.read(), "AXI4_ERRM_WVALID_RESET");
    silent(this->arvalid.read(), "AXI4_ERRM_ARVALID_RESET");
    silent(this->bvalid.read(), "AXI4_ERRS_BVALID_RESET");
    silent(this->rvalid.read(), "AXI4_ERRS_RVALID_RESET");
  }

  void check_stable(std::size_t c, const shown& now) {
    static constexpr const char* names[] = {"ERRM_AW", "ERRM_W", "ERRS_B", "ERRM_AR", "ERRS_R"};
    // The first that differs names the rule, in the order of the channel's words.
    static constexpr const char* pin_names[channels][12] = {
        {"ADDR", "ID", "LEN", "SIZE", "BURST", "LOCK", "CACHE", "PROT"},
        {},
        {"ID", "RESP"},
        {"ADDR", "ID", "LEN", "SIZE", "BURST", "LOCK", "CACHE", "PROT"},
        {}};
    const channel_state& s = state_[c];
    if (!s.waits) return;
    const std::string rule = std::string("AXI4_") + names[c];
    if (!now.valid) return fail(rule + "VALID_STABLE", "valid fell before ready: " + text(s.before));
    for (std::size_t n = 0; n < now.words.size(); ++n) {
      if (now.words[n] == s.before.words[n]) continue;
      const std::string pin = pin_names[c][0] ? pin_names[c][n] : word_name(c, n);
      return fail(rule + pin + "_STABLE", text(s.before) + " became " + text(now));
    }
  }
  static std::string word_name(std::size_t c, std::size_t word) {
    constexpr std::size_t data = (Format::width + 63) / 64;
    static constexpr const char* of_w[] = {"STRB", "LAST"};
    static constexpr const char* of_r[] = {"ID", "RESP", "LAST"};
    if (word < data) return "DATA";
    return c == w ? of_w[std::min<std::size_t>(word - data, 1)] : of_r[std::min<std::size_t>(word - data, 2)];
  }
  static std::string text(const shown& s) {
    std::ostringstream os;
    os << std::hex;
    std::size_t last = s.words.size();
    while (last > 1 && !s.words[last - 1]) --last;
    for (std::size_t n = 0; n < last; ++n) os << (n ? " 0x" : "0x") << s.words[n];
    return os.str();
  }
  static std::string text(const axi4_address& a) {
    std::ostringstream os;
    os << "address 0x" << std::hex << a.addr << std::dec << ", " << a.beats << " beats of " << a.bytes
       << " bytes, burst " << static_cast<unsigned>(a.burst) << ", id " << a.id;
    return os.str();
  }

  struct burst {
    axi4_address address;
    unsigned beats = 0;  // that have crossed
  };

  void take_address(const axi4_address& a, const char* name, std::deque<burst>& list) {
    check_address(a, name);
    list.push_back({a, 0});
    pass_beats();
  }

  void check_address(const axi4_address& a, const std::string& name) {
    const std::string rule = "AXI4_ERRM_" + name;
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
    if (!a.exclusive) return;
    const std::uint64_t span = a.span();
    fail_unless(span <= 128 && (span & (span - 1)) == 0 && a.beats <= 16, "AXI4_ERRM_EXCL_LEN", a);
    if (name == "AR") fail_unless(a.addr % span == 0, "AXI4_ERRM_EXCL_ALIGN", a);
  }
  void fail_unless(bool holds, const char* rule, const axi4_address& a) {
    if (!holds) fail(rule, text(a));
  }

  /// Data may come before its address.
  void take_write_beat() {
    const bool last = std::is_same_v<typename Format::last, absent> || last_of(this->wlast.read());
    beats_.push_back({pin_bits<typename Format::strb>::get(this->wstrb.read(), 0, 64), last});
    pass_beats();
  }
  template <class T>
  static bool last_of(const T& pin) {
    return pin_bits<T>::get(pin, 0, 1) != 0;
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
      ++responses_[one.address.id];
      writes_.pop_front();
    }
  }
  void check_strobes(const burst& one, const data_beat& beat) {
    if (one.beats >= one.address.beats || one.address.bytes > lanes) return;
    const std::uint64_t first = one.address.beat(one.beats) % lanes;
    const unsigned bytes = one.address.bytes_of(one.beats);
    const std::uint64_t all = bytes >= 64 ? ~std::uint64_t{0} : ((std::uint64_t{1} << bytes) - 1) << first;
    if (!(beat.strobes & ~all)) return;
    std::ostringstream os;
    os << "strobes 0x" << std::hex << beat.strobes << " in lanes 0x" << all << std::dec << " of beat "
       << one.beats + 1 << " of " << text(one.address);
    fail("AXI4_ERRM_WSTRB", os.str());
  }

  unsigned id_of_b() const { return id_of(this->bid.read()); }
  template <class T>
  static unsigned id_of(const T& pin) {
    return static_cast<unsigned>(pin_bits<T>::get(pin, 0, 32));
  }

  /// When it is shown for the first time.
  void check_response() {
    if (responses_[id_of_b()]) return;
    fail("AXI4_ERRS_BRESP_WLAST",
         "a response with id " + std::to_string(id_of_b()) + " comes before the last data of its write");
  }
  void take_response() {
    if (responses_[id_of_b()]) --responses_[id_of_b()];
    ++writes_done_;
  }

  void take_read_beat() {
    const unsigned id = id_of(this->rid.read());
    auto& list = reads_[id];
    if (list.empty())
      return fail("AXI4_ERRS_RID", "data with id " + std::to_string(id) + ", which no read waits for");
    burst& one = list.front();
    ++one.beats;
    const bool due = one.beats == one.address.beats;
    const bool last = std::is_same_v<typename Format::last, absent> || last_of(this->rlast.read());
    if (last != due)
      fail("AXI4_ERRS_RDATA_NUM", "beat " + std::to_string(one.beats) + (last ? " is" : " is not") +
                                      " the last of " + text(one.address));
    const auto response =
        static_cast<axi4_resp>(pin_bits<typename Format::resp>::get(this->rresp.read(), 0, 2));
    if (response == axi4_resp::exokay && !one.address.exclusive)
      fail("AXI4_ERRS_RRESP_EXOKAY", "EXOKAY to " + text(one.address));
    if (!due && !last) return;
    list.pop_front();
    ++reads_done_;
  }

  void fail(const std::string& rule, const std::string& what) {
    ++violations_;
    report_violation(handler_, rule.c_str(), this->name(), this->cycle(), what);
  }

  const violation_handler handler_;
  bool in_reset_ = false, state_known_b_ = false;
  std::array<channel_state, channels> state_{};
  std::map<unsigned, std::deque<burst>> reads_;  // by id
  std::deque<burst> writes_;                     // that wait for data
  std::deque<data_beat> beats_;                  // that wait for an address
  std::map<unsigned, std::uint64_t> responses_;  // by id: writes that have all their data
  std::uint64_t violations_ = 0, reads_done_ = 0, writes_done_ = 0;
};

}  // namespace spillway
