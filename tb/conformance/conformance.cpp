#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <boost/random/taus88.hpp>
#include <deque>
#include <map>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/tb/conformance/conformance.hpp>
#include <stdexcept>

template <>
struct fmt::formatter<spillway::flit> : fmt::ostream_formatter {};

namespace spillway::tb {

device::device(switch_block& block) {
  for (packet_in& port : block.in) in.push_back(&port);
  for (packet_out& port : block.out) out.push_back(&port);
  clock = [&block](sc_core::sc_signal<bool>& clk, sc_core::sc_signal<bool>& rst) {
    block.clk(clk);
    block.rst(rst);
  };
}

namespace {

/// What the inputs send and when the outputs take it, for a while.
struct phase {
  const char* name;
  unsigned load;               ///< percent of cycles in which an idle input begins a packet
  unsigned ready;              ///< percent of cycles in which an output takes a flit
  unsigned stall = 1;          ///< cycles that a choice of `ready` lasts
  bool close_in_turn = false;  ///< one output after the other takes nothing at all
  bool hot = false;            ///< all packets leave by one output
};

constexpr phase phases[] = {
    {"light load", 5, 100},
    {"saturated", 100, 100},
    {"random stalls", 60, 50},
    {"long stalls", 80, 50, 40},
    {"closed outputs", 80, 100, 1, true},
    {"hot output", 100, 100, 1, false, true},
    {"hot and slow", 100, 30, 3, false, true},
};

class bench : public sc_core::sc_module {
public:
  bench(const device& d, const conformance_options& options);
  conformance_report carry_out();

private:
  struct sender {
    std::unique_ptr<packet_signals> link;
    flit showing;
    bool valid = false;
    std::uint32_t packets = 0;
    std::uint64_t progress = 0;  // cycle in which it last sent or had nothing to send
    bool starved = false;
    bool odd_lanes = false;  // CF3 reported
  };
  struct receiver {
    std::unique_ptr<packet_signals> link;
    bool ready = false;
    unsigned hold = 0;  // cycles that the choice still lasts
  };
  struct packet {
    flit head;
    unsigned input;
    port_mask outputs;
    std::uint16_t arrived = 0;
    std::uint64_t number;  // in the order of the sending
  };

  void edge();
  void send(unsigned i);
  void take(unsigned o);
  void arrive(unsigned o, const flit& f);
  flit next_head(unsigned i);
  bool allowed(unsigned i, const flit& head) const;
  void run(unsigned cycles) { sc_core::sc_start(cycles * period_); }
  void check_idle();
  void check_closed();
  void check_lanes(unsigned i);
  void send_packets(unsigned share);
  void begin(const phase& p, const char* name, bool sending);
  void run_phase(const phase& p);
  void drain(const char* after);
  void reset_in_traffic();
  void fail(const char* what, const std::string& text);
  unsigned below(unsigned n) { return static_cast<unsigned>(std::uint64_t{random_()} * n >> 32); }
  bool percent(unsigned p) { return below(100) < p; }

  const conformance_options options_;
  const std::uint32_t destinations_;
  const sc_core::sc_time period_{10, sc_core::SC_NS};
  sc_core::sc_clock clock_{"clock", period_, 0.5, period_ / 2};
  sc_core::sc_signal<bool> reset_{"reset"};
  const unsigned packets_a_phase_;
  std::vector<sender> senders_;
  std::vector<receiver> receivers_;
  std::vector<std::unique_ptr<packet_checker>> checkers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, packet> under_way_;  // by source and packet
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> last_;          // by input and output
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> finished_;
  phase now_ = phases[0];
  bool sending_ = false, all_closed_ = false;
  unsigned closed_ = 0, hot_ = 0;
  std::uint64_t cycle_ = 0, sent_ = 0, moved_ = 0;
  boost::random::taus88 random_;
  conformance_report report_;
};

bench::bench(const device& d, const conformance_options& options)
    : sc_module(sc_core::sc_module_name("conformance")),
      options_(options),
      destinations_(options.destinations ? options.destinations : static_cast<std::uint32_t>(d.out.size())),
      packets_a_phase_(7 * options.rarest_fault),
      senders_(d.in.size()),
      receivers_(d.out.size()),
      random_(static_cast<std::uint32_t>(options.seed * 2654435761u + 12345)) {
  if (d.in.empty() || d.out.empty() || !d.clock || !options.routes)
    throw std::invalid_argument("a device under test needs inputs, outputs, a clock and a routing");
  d.clock(clock_, reset_);
  const auto watch = [this](packet_signals& link, const std::string& name) {
    packet_checker_config config;
    config.link = name;
    checkers_.push_back(std::make_unique<packet_checker>(
        ("check_" + name).c_str(), config, [this](const violation& v) { fail(v.rule.c_str(), v.message); }));
    checkers_.back()->bind(link);
    checkers_.back()->clk(clock_);
    checkers_.back()->rst(reset_);
  };
  for (std::size_t i = 0; i < d.in.size(); ++i) {
    const std::string name = fmt::format("in_{}", i);
    senders_[i].link = std::make_unique<packet_signals>(name);
    d.in[i]->bind(*senders_[i].link);
    watch(*senders_[i].link, name);
  }
  for (std::size_t o = 0; o < d.out.size(); ++o) {
    const std::string name = fmt::format("out_{}", o);
    receivers_[o].link = std::make_unique<packet_signals>(name);
    d.out[o]->bind(*receivers_[o].link);
    watch(*receivers_[o].link, name);
  }
  SPILLWAY_HAS_PROCESS(bench);
  SC_METHOD(edge);
  sensitive << clock_.posedge_event();
  dont_initialize();
}

void bench::fail(const char* what, const std::string& text) {
  ++report_.violations;
  if (report_.findings.size() < 50)
    report_.findings.push_back(fmt::format("{}: {} ({}, cycle {})", what, text, now_.name, cycle_));
}

void bench::edge() {
  if (reset_.read()) {
    for (sender& s : senders_) {
      s.valid = false;
      s.link->valid.write(false);
      s.progress = cycle_;
    }
    for (receiver& r : receivers_) {
      r.ready = false;
      r.link->ready.write(0);
    }
  } else {
    for (unsigned i = 0; i < senders_.size(); ++i) send(i), check_lanes(i);
    for (unsigned o = 0; o < receivers_.size(); ++o) take(o);
  }
  ++cycle_;
}

bool bench::allowed(unsigned i, const flit& head) const {
  const port_mask ways = options_.routes(i, head);
  return ways && (!now_.hot || (ways >> hot_ & 1));
}

flit bench::next_head(unsigned i) {
  sender& s = senders_[i];
  flit head;
  head.source = i;
  head.packet = s.packets;
  head.length = static_cast<std::uint16_t>(1 + below(options_.packet_length));
  head.destination = below(destinations_);
  for (unsigned tries = 0; tries < 8 * destinations_ && !allowed(i, head); ++tries)
    head.destination = below(destinations_);
  if (options_.lane) head.lane = options_.lane(i, head);
  head.payload = check_value(head);
  return head;
}

void bench::send(unsigned i) {
  sender& s = senders_[i];
  if (s.valid && accepts(s.link->ready.read(), s.showing)) {
    if (s.showing.head()) {
      under_way_[{i, s.showing.packet}] = {s.showing, i, options_.routes(i, s.showing), 0, sent_++};
      s.progress = cycle_;
    }
    if (s.showing.tail()) {
      s.valid = false;
    } else {
      ++s.showing.index;
      s.showing.payload = check_value(s.showing);
    }
  }
  if (!s.valid && sending_ && percent(now_.load)) {
    const flit head = next_head(i);
    if (allowed(i, head)) {
      s.showing = head;
      s.valid = true;
      ++s.packets;
    }
  }
  if (!s.valid) s.progress = cycle_;
  if (now_.ready == 100 && !now_.close_in_turn && !s.starved && cycle_ - s.progress > options_.patience) {
    s.starved = true;
    fail("CF10", fmt::format("input {} has waited for {} cycles with {} although every output takes flits", i,
                             cycle_ - s.progress, s.showing));
  }
  s.link->valid.write(s.valid);
  s.link->data.write(s.showing);
}

void bench::take(unsigned o) {
  receiver& r = receivers_[o];
  if (r.ready && r.link->valid.read() && r.link->data.read().lane < r.link->lanes().count())
    arrive(o, r.link->data.read());
  if (all_closed_) {
    r.ready = false;
  } else if (now_.close_in_turn) {
    r.ready = !sending_ || o != closed_;
  } else if (r.hold) {
    --r.hold;
  } else {
    r.ready = percent(now_.ready);
    r.hold = now_.stall - 1;
  }
  r.link->ready.write(r.ready ? masks::low_bits(r.link->lanes().count()) : 0);
}

void bench::arrive(unsigned o, const flit& f) {
  ++report_.flits;
  moved_ = cycle_;
  const auto key = std::make_pair(f.source, f.packet);
  const auto found = under_way_.find(key);
  if (found == under_way_.end()) {
    if (finished_.count(key))
      fail("CF5", fmt::format("output {} gives {}, which has arrived before", o, f));
    else
      fail("CF6", fmt::format("output {} gives {}, which nobody has sent since the reset", o, f));
    return;
  }
  packet& p = found->second;
  flit expected = p.head;
  expected.index = p.arrived;
  expected.payload = check_value(expected);
  expected.lane = f.lane;  // the device sets it for its neighbour
  if (f.index < p.arrived) {
    fail("CF5", fmt::format("output {} gives {} once more", o, f));
    return;
  }
  if (f != expected) fail("CF7", fmt::format("output {} gives {}, expected {}", o, f, expected));
  if (!(p.outputs >> o & 1)) fail("CF8", fmt::format("output {} gives {}", o, f));
  if (f.head() && options_.ordered) {
    const auto pair = std::make_pair(p.input, o);
    const auto before = last_.find(pair);
    if (before != last_.end() && p.number < before->second)
      fail("CF9", fmt::format("output {} gives {} after a later packet of input {}", o, f, p.input));
    last_[pair] = p.number;
  }
  if (++p.arrived < p.head.length) return;
  ++report_.packets;
  finished_[key] = true;
  under_way_.erase(found);
}

void bench::begin(const phase& p, const char* name, bool sending) {
  now_ = p;
  now_.name = name;
  sending_ = sending;
  moved_ = cycle_;
  for (sender& s : senders_) s.progress = cycle_;
}

void bench::drain(const char* after) {
  begin(phases[0], after, false);
  const auto busy = [this] {
    return !under_way_.empty() ||
           std::any_of(senders_.begin(), senders_.end(), [](const sender& s) { return s.valid; });
  };
  while (busy() && cycle_ - moved_ <= options_.patience) run(10);
  if (!busy()) return;
  const bool waiting = std::any_of(senders_.begin(), senders_.end(), [](const sender& s) { return s.valid; });
  if (under_way_.empty()) {
    fail("CF11", "an input takes nothing although the device is empty");
  } else {
    const packet& p = under_way_.begin()->second;
    fail(waiting ? "CF11" : "CF4",
         fmt::format("{} packets have not come out, first {}, of which {} flits have", under_way_.size(),
                     p.head, p.arrived));
  }
  for (const auto& [key, p] : under_way_) finished_[key] = true;
  under_way_.clear();
}

/// Nothing is offered, and yet every input must say that it takes something.
void bench::check_idle() {
  begin(phases[0], "idle", false);
  std::vector<bool> open(senders_.size());
  for (unsigned c = 0; options_.ready_first && c < options_.patience; ++c) {
    run(1);
    for (unsigned i = 0; i < senders_.size(); ++i) open[i] = open[i] || senders_[i].link->ready.read();
    if (std::find(open.begin(), open.end(), false) == open.end()) return;
  }
  for (unsigned i = 0; options_.ready_first && i < senders_.size(); ++i)
    if (!open[i])
      fail("CF2", fmt::format("input {} has not shown ready for {} cycles without an offer: ready 0x{:x}", i,
                              options_.patience, senders_[i].link->ready.read()));
}

/// Packets to one output that takes nothing: it must show the first of them.
void bench::check_closed() {
  all_closed_ = true;
  for (unsigned o = 0; o < receivers_.size(); ++o) {
    begin({"closed", 100, 0, 1, false, true}, "all outputs closed", true);
    hot_ = o;
    const auto sure = [&] {  // a packet is inside that can leave here only
      return std::any_of(under_way_.begin(), under_way_.end(),
                         [&](const auto& p) { return p.second.outputs == port_mask{1} << o; });
    };
    const auto shown = [&] { return receivers_[o].link->valid.read(); };
    for (unsigned c = 0; c < options_.patience && !shown(); ++c) run(1);
    if (!shown() && sure())
      fail("CF1", fmt::format("output {} shows nothing for {} cycles while its ready is 0, with {} inside", o,
                              options_.patience, under_way_.begin()->second.head));
    all_closed_ = false;
    drain("all outputs closed");
    all_closed_ = true;
  }
  all_closed_ = false;
}

/// Reported once.
void bench::check_lanes(unsigned i) {
  sender& s = senders_[i];
  const lane_mask ready = s.link->ready.read(), more = ready & ~masks::low_bits(s.link->lanes().count());
  if (!more || s.odd_lanes) return;
  s.odd_lanes = true;
  fail("CF3",
       fmt::format("input {} shows ready 0x{:x}, its link has {} lanes", i, ready, s.link->lanes().count()));
}

/// As many packets as the rarest fault asks for, or what gets through in the time that they could take.
void bench::send_packets(unsigned share) {
  const std::uint64_t enough = sent_ + packets_a_phase_ / share + 1;
  const std::uint64_t patient =
      cycle_ + 40 * std::uint64_t{packets_a_phase_ / share + 1} * options_.packet_length;
  while (sent_ < enough && cycle_ < patient) run(10);
}

void bench::run_phase(const phase& p) {
  begin(p, p.name, true);
  const unsigned rounds = p.close_in_turn || p.hot ? static_cast<unsigned>(receivers_.size()) : 1;
  for (unsigned round = 0; round < rounds; ++round) {
    closed_ = hot_ = round;
    send_packets(rounds);
    if (p.hot && p.ready == 100) run(options_.patience);  // long enough to see an input starve
  }
  drain(p.name);
}

void bench::reset_in_traffic() {
  begin(phases[2], "reset in traffic", true);
  send_packets(4);
  reset_.write(true);
  run(3);
  under_way_.clear();
  last_.clear();
  reset_.write(false);
  send_packets(4);
  drain("reset in traffic");
}

conformance_report bench::carry_out() {
  reset_.write(true);
  run(3);
  reset_.write(false);
  check_idle();
  check_closed();
  if (report_.violations) return report_;
  for (const phase& p : phases) {
    run_phase(p);
    if (report_.violations) return report_;  // what follows would only repeat it
  }
  reset_in_traffic();
  return report_;
}

}  // namespace

conformance_report conformance(const device& d, const conformance_options& options) {
  return bench(d, options).carry_out();
}

}  // namespace spillway::tb
