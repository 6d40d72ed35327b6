// A Verilog block inside of a network, and the same network with its SystemC twin: terminals 0 and 1 send
// through the filter, terminals 2 and 3 directly, to four sinks behind a crossbar. Both deliver the same.
// Built twice: with the types that Verilator gives ports by default, and with sc_bv (`--pins-bv 2`: PINS_BV).
#include <cstdio>
#include <deque>
#include <memory>
#include <spillway/hw/adapters/axi_to_packet.hpp>
#include <spillway/hw/adapters/packet_to_axi.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <string>
#include <vector>

#include "Vaxis_filter.h"

using namespace spillway;

namespace {

constexpr unsigned terminals = 4, packets = 300;
#ifdef PINS_BV
using word = sc_dt::sc_bv<64>;
using half = sc_dt::sc_bv<32>;
#else
using word = std::uint64_t;
using half = std::uint32_t;
#endif
struct format : axi_format<64> {
  using data = word;
  using dest = half;
  using id = half;
  using user = word;
};
using stream = axi_stream_signals<format>;
using to_axi = packet_to_axi<format>;
using from_axi = axi_to_packet<format>;

std::uint32_t number(const half& pin) { return static_cast<std::uint32_t>(pin_bits<half>::get(pin, 0, 32)); }

/// The twin of axis_filter.v, beat for beat.
class axis_filter : public clocked {
public:
  axi_stream_in<format> in{"s_axis"};
  axi_stream_out<format> out{"m_axis"};
  std::uint32_t dropped = 0;
  explicit axis_filter(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  struct beat {
    word data;
    bool last;
    half dest, id;
    word user;
  };
  static constexpr std::uint32_t blocked_bits = 0x6;
  static constexpr std::size_t depth = 8;

  void reset() override {
    store_.clear();
    dropped = 0;
    ready_ = false;
    out.tvalid.write(false);
    in.tready.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (!store_.empty() && out.tready.read()) store_.pop_front();
    if (ready_ && in.tvalid.read()) {
      const bool blocked = (number(in.tdest.read()) & blocked_bits) == blocked_bits;
      if (!blocked)
        store_.push_back({in.tdata.read(), in.tlast.read(), in.tdest.read(), in.tid.read(), in.tuser.read()});
      else if (in.tlast.read())
        ++dropped;
    }
    ready_ = store_.size() < depth;
    in.tready.write(ready_);
    out.tvalid.write(!store_.empty());
    if (!store_.empty()) {
      const beat& b = store_.front();
      out.tdata.write(b.data), out.tlast.write(b.last), out.tdest.write(b.dest);
      out.tid.write(b.id), out.tuser.write(b.user);
    }
  }
  std::deque<beat> store_;
  bool ready_ = false;
};

/// A fixed list of packets: destinations 0 to 7, of which 6 and 7 are blocked.
class listed_packets : public packet_supply {
public:
  explicit listed_packets(unsigned terminal) : state_(terminal * 7919 + 1) {}
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    if (made_ == packets) return never;
    return backlog < 2 ? now : never;
  }
  packet_order take(std::uint64_t) override {
    state_ = state_ * 1664525 + 1013904223;
    ++made_;
    packet_order order;
    order.destination = state_ >> 29;
    order.length = static_cast<std::uint16_t>(1 + (state_ >> 8) % 4);
    return order;
  }

private:
  std::uint32_t state_;
  unsigned made_ = 0;
};

/// By destination modulo 4.
struct by_destination : routing {
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return port_mask{1} << f.destination % terminals;
  }
};

struct delivery_list : endpoint_observer {
  std::vector<std::string> lines;
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned terminal, const flit& f) override {
    if (f.payload != check_value(f)) lines.emplace_back("corrupted");
    lines.push_back(std::to_string(terminal) + " got " + std::to_string(f.source) + "#" +
                    std::to_string(f.packet) + "." + std::to_string(f.index));
  }
};

/// One network; `Filter` binds the block in question between two streams.
class network : public sc_core::sc_module {
public:
  delivery_list seen;
  std::vector<std::unique_ptr<stream>> streams;  // into and out of each filter
  sc_core::sc_clock clock{"clock", sc_core::sc_time(10, sc_core::SC_NS), 0.5,
                          sc_core::sc_time(5, sc_core::SC_NS)};
  sc_core::sc_signal<bool> reset{"reset"};

  explicit network(const sc_core::sc_module_name& name)
      : sc_module(name), pool_("pool", pool_config(), 0, routes_, std::vector<link_end>(terminals)) {
    start(pool_);
    for (unsigned t = 0; t < terminals; ++t) {
      const std::string n = std::to_string(t);
      sources_.push_back(std::make_unique<source>(
          ("source_" + n).c_str(), t, std::make_unique<listed_packets>(t), seen, routes_, link_end{}));
      sinks_.push_back(std::make_unique<sink>(("sink_" + n).c_str(), t, sink_config{}, seen));
      start(*sources_.back());
      start(*sinks_.back());
      join(pool_.out[t], sinks_.back()->in, "out_" + n);
      if (t >= 2) {
        join(sources_.back()->out, pool_.in[t], "in_" + n);
        continue;
      }
      to_.push_back(std::make_unique<to_axi>(("to_axi_" + n).c_str()));
      from_.push_back(std::make_unique<from_axi>(("from_axi_" + n).c_str()));
      start(*to_.back());
      start(*from_.back());
      join(sources_.back()->out, to_.back()->in, "to_" + n);
      streams.push_back(std::make_unique<stream>("s_" + n));
      to_.back()->out.bind(*streams.back());
      streams.push_back(std::make_unique<stream>("m_" + n));
      from_.back()->in.bind(*streams.back());
      join(from_.back()->out, pool_.in[t], "in_" + n);
    }
  }
  void start(clocked& block) { block.clk(clock), block.rst(reset); }

private:
  static buffer_pool_config pool_config() {
    buffer_pool_config config;
    config.inputs = config.outputs = terminals;
    config.packet_length = config.depth = 4;
    return config;
  }
  template <class From, class To>
  void join(From& from, To& to, const std::string& name) {
    links_.push_back(std::make_unique<packet_signals>(name));
    from.bind(*links_.back());
    to.bind(*links_.back());
    checkers_.push_back(std::make_unique<packet_checker>(("check_" + name).c_str()));
    checkers_.back()->bind(*links_.back());
    start(*checkers_.back());
  }

  std::shared_ptr<by_destination> routes_ = std::make_shared<by_destination>();
  buffer_pool pool_;
  std::vector<std::unique_ptr<source>> sources_;
  std::vector<std::unique_ptr<sink>> sinks_;
  std::vector<std::unique_ptr<to_axi>> to_;
  std::vector<std::unique_ptr<from_axi>> from_;
  std::vector<std::unique_ptr<packet_signals>> links_;
  std::vector<std::unique_ptr<packet_checker>> checkers_;
};

}  // namespace

int sc_main(int, char**) {
  network with_rtl("rtl"), with_twin("twin");
  std::vector<std::unique_ptr<Vaxis_filter>> rtl;
  std::vector<std::unique_ptr<axis_filter>> twins;
  std::vector<std::unique_ptr<sc_core::sc_signal<half>>> counts;
  for (unsigned f = 0; f < 2; ++f) {
    stream &in = *with_rtl.streams[2 * f], &out = *with_rtl.streams[2 * f + 1];
    rtl.push_back(std::make_unique<Vaxis_filter>(("filter_" + std::to_string(f)).c_str()));
    counts.push_back(std::make_unique<sc_core::sc_signal<half>>());
    Vaxis_filter& v = *rtl.back();
    v.aclk(with_rtl.clock), v.areset(with_rtl.reset), v.dropped(*counts.back());
    v.s_axis_tvalid(in.tvalid), v.s_axis_tready(in.tready), v.s_axis_tdata(in.tdata),
        v.s_axis_tlast(in.tlast);
    v.s_axis_tdest(in.tdest), v.s_axis_tid(in.tid), v.s_axis_tuser(in.tuser);
    v.m_axis_tvalid(out.tvalid), v.m_axis_tready(out.tready), v.m_axis_tdata(out.tdata),
        v.m_axis_tlast(out.tlast);
    v.m_axis_tdest(out.tdest), v.m_axis_tid(out.tid), v.m_axis_tuser(out.tuser);
    twins.push_back(std::make_unique<axis_filter>(("twin_" + std::to_string(f)).c_str()));
    with_twin.start(*twins.back());
    twins.back()->in.bind(*with_twin.streams[2 * f]);
    twins.back()->out.bind(*with_twin.streams[2 * f + 1]);
  }
  with_rtl.reset.write(true), with_twin.reset.write(true);
  sc_core::sc_start(50, sc_core::SC_NS);
  with_rtl.reset.write(false), with_twin.reset.write(false);
  sc_core::sc_start(100, sc_core::SC_US);

  const std::uint32_t rtl_dropped = number(counts[0]->read()) + number(counts[1]->read());
  const std::uint32_t twin_dropped = twins[0]->dropped + twins[1]->dropped;
  const bool same = with_rtl.seen.lines == with_twin.seen.lines && rtl_dropped == twin_dropped;
  std::printf("%zu flits delivered with the RTL, %zu with its twin, %u and %u packets filtered: %s\n",
              with_rtl.seen.lines.size(), with_twin.seen.lines.size(), rtl_dropped, twin_dropped,
              same ? "the same" : "NOT the same");
  return same && rtl_dropped > 0 && with_rtl.seen.lines.size() > 1000 ? 0 : 1;
}
