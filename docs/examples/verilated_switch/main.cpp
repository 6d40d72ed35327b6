// The command `spillway` with RTL in a YAML platform: `switch: {kind: rtl_router}` is a Verilated router,
// `interface: {kind: rtl_source}` has a Verilated traffic source at every terminal. What Verilator makes is
// bound to the platform's own links, clock and reset; there is no bridge between them.
#include <cstdlib>
#include <spillway/hw/links/bit_pins.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/tb/command/command.hpp>

#include "Vrtl_router.h"
#include "Vrtl_source.h"

namespace {

using namespace spillway;
using flit_bits_type = sc_dt::sc_bv<256>;

/// Binds ports of RTL to a link of the platform: bool, bits of a flit, and a ready of one lane.
template <class Valid, class Data, class Ready>
void bind_bits(network_link& l, bit_views& views, Valid& valid, Data& data, Ready& ready) {
  link_cast<packet_link>(l).with([&](auto& wires) {
    valid(wires.valid);
    data(views.of<flit_bits_type>(wires.data));
    ready(views.of<bool>(wires.ready));
  });
}

/// RTL needs the events of signals.
std::vector<objection> object_to_wires(const experiment_view& experiment) {
  if (experiment.root.at("kernel") == "signals") return {};
  return {{"/kernel",
           "RTL needs `kernel: signals`, found `" + experiment.root.at("kernel").get<std::string>() + "`"}};
}

/// The router as a switch of a platform. This block of ours is beside the RTL: it only looks on, to know how
/// many flits the router holds.
class rtl_router final : public network_block {
public:
  // `name` lives until the RTL is made, so that it lies within this module.
  rtl_router(const sc_core::sc_module_name& name, const switch_context& c)
      : network_block(name), in_(2, "in"), out_(2, "out") {
    rtl_.clk(clk), rtl_.rst(rst);
    rtl_.by_output_1(by_output_1_);
    std::uint64_t table = 0;
    for (unsigned d = 0; d < c.terminals; ++d) {
      flit f;
      f.destination = d;
      table |= (c.routes->outputs(c.node, 0, f) >> 1 & 1) << d;
    }
    by_output_1_.write(table);
  }

  void connect_input(unsigned port, network_link& l) override {
    if (port == 0)
      bind_bits(l, views_, rtl_.in0_valid, rtl_.in0_data, rtl_.in0_ready);
    else
      bind_bits(l, views_, rtl_.in1_valid, rtl_.in1_data, rtl_.in1_ready);
    link_cast<packet_link>(l).connect(in_[port]);
  }
  void connect_output(unsigned port, network_link& l) override {
    if (port == 0)
      bind_bits(l, views_, rtl_.out0_valid, rtl_.out0_data, rtl_.out0_ready);
    else
      bind_bits(l, views_, rtl_.out1_valid, rtl_.out1_data, rtl_.out1_ready);
    link_cast<packet_link>(l).connect(out_[port]);
  }
  unsigned level() const override { return level_; }
  unsigned capacity() const override { return 8; }

private:
  void reset() override {
    lost_ += level_;
    level_ = 0;
  }
  void tick() override {
    for (const packet_watch& port : in_) level_ += port.crosses();
    for (const packet_watch& port : out_)
      if (port.crosses()) --level_, ++forwarded_;
  }

  // By itself, since it wants the alignment of a cache line and blocks lie as on the heap.
  const std::unique_ptr<Vrtl_router> made_ = std::make_unique<Vrtl_router>("rtl");
  Vrtl_router& rtl_ = *made_;
  sc_core::sc_signal<std::uint64_t> by_output_1_{"by_output_1"};
  bit_views views_;
  row<packet_watch> in_, out_;
  unsigned level_ = 0;
};

class rtl_router_entry final : public switch_entry {
public:
  rtl_router_entry() : switch_entry("rtl_router") {}
  nlohmann::json schema() const override {
    return {{"description",
             "A Verilated router of two inputs and two outputs, for networks of up to 64 terminals."}};
  }
  std::unique_ptr<network_block> make(const switch_context& c) const override {
    return std::make_unique<rtl_router>(c.name.c_str(), c);
  }
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& c) const override {
    for (const auto v : c.shape.switches)
      if (c.shape.input_ports(v) != 2 || c.shape.output_ports(v) != 2 || c.shape.terminals.size() > 64)
        throw std::invalid_argument("the RTL has 2 inputs and 2 outputs, and knows 64 terminals");
    return nullptr;
  }
  std::vector<objection> object_to(const experiment_view& e) const override { return object_to_wires(e); }
};

/// The traffic source at a terminal, beside a sink of ours. The block itself only looks on, and tells the
/// scoreboard.
class rtl_source final : public clocked {
public:
  packet_watch out{"out"};

  rtl_source(const sc_core::sc_module_name& name, const terminal_context& c)
      : clocked(name), observer_(c.observer), packets_(c.parameters.at("packets")), length_(c.packet_length) {
    rtl_.clk(clk), rtl_.rst(rst);
    constant(rtl_.terminal, c.terminal), constant(rtl_.terminals, c.terminals),
        constant(rtl_.packets, packets_);
    constant(rtl_.length, length_), constant(rtl_.gap, c.parameters.at("gap").get<std::uint32_t>());
    rtl_.sent(sent_);
  }
  void connect(network_link& l) {
    bind_bits(l, views_, rtl_.out_valid, rtl_.out_data, rtl_.out_ready);
    link_cast<packet_link>(l).connect(out);
  }
  /// Those that it has not sent yet: until then the run is not over.
  std::uint64_t flits_to_send() const { return std::uint64_t{packets_} * length_ - crossed_; }

private:
  void reset() override { created_ = crossed_ = 0; }
  void tick() override {
    if (!out.valid.read()) return;
    const flit& f = out.data.read();
    if (f.head() && f.packet == created_) observer_.created(cycle(), f), ++created_;
    if (!out.crosses()) return;
    ++crossed_;
    if (f.head()) observer_.injected(cycle(), f);
  }
  template <class Port>
  void constant(Port& port, std::uint32_t value) {
    constants_.push_back(std::make_unique<sc_core::sc_signal<std::uint32_t>>());
    constants_.back()->write(value);
    port(*constants_.back());
  }

  endpoint_observer& observer_;
  const std::uint32_t packets_, length_;
  Vrtl_source rtl_{"rtl"};
  std::vector<std::unique_ptr<sc_core::sc_signal<std::uint32_t>>> constants_;
  sc_core::sc_signal<std::uint32_t> sent_{"sent"};
  bit_views views_;
  std::uint32_t created_ = 0;
  std::uint64_t crossed_ = 0;
};

class rtl_unit final : public terminal_unit {
public:
  explicit rtl_unit(terminal_context c)
      : supply_(std::move(c.supply)),
        source_(("source_" + std::to_string(c.terminal)).c_str(), c),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer) {}
  void connect_output(unsigned, network_link& l) override { source_.connect(l); }
  void connect_input(unsigned, network_link& l) override { link_cast<packet_link>(l).connect(sink_.in); }
  std::vector<clocked*> blocks() override { return {&source_, &sink_}; }
  std::uint64_t held_flits() const override { return source_.flits_to_send(); }

private:
  const std::unique_ptr<packet_supply> supply_;  // of `traffic`, which the RTL does not ask
  rtl_source source_;
  sink sink_;
};

class rtl_source_entry final : public interface_entry {
public:
  rtl_source_entry() : interface_entry("rtl_source") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "A Verilated source of random traffic at every terminal; their number is a power of two.",
      "properties": {
        "packets": {"type": "integer", "minimum": 1, "default": 100, "description": "Packets that it sends."},
        "gap": {"type": "integer", "minimum": 0, "maximum": 65535, "default": 0,
                "description": "Cycles between two packets."}}})");
  }
  std::unique_ptr<terminal_unit> make(terminal_context c) const override {
    return std::make_unique<rtl_unit>(std::move(c));
  }
  std::vector<objection> object_to(const experiment_view& e) const override { return object_to_wires(e); }
};

}  // namespace

int sc_main(int argc, char** argv) {
  catalogue all = standard_catalogue();
  all.add<rtl_router_entry>();
  all.add<rtl_source_entry>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
