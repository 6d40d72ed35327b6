// Managers by pins of different widths on whole networks: what they read is what was written, exclusive
// accesses count right, and networks that cannot carry it are refused with the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/hw/adapters/axi4_slice.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <spillway/tlm/axi4/exclusive_monitor.hpp>
#include <spillway/tlm/axi4/tlm_to_axi4.hpp>
#include <support/axi4_manager.hpp>
#include <support/axi4_memory.hpp>

#include "support/process.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using testing_support::axi4_memory;
using testing_support::axi4_traffic;
using testing_support::random_axi4_manager;

const std::string file = R"(name: axi
topology: {kind: butterfly, radix: 2, stages: 3}
switch: {buffering: voq, depth: 16}
packet: {length: 8}
interface:
  kind: tlm
  map:
    - {base: 0x0000, size: 0x4000, terminal: 4}
    - {base: 0x4000, size: 0x4000, terminal: 5}
    - {base: 0x8000, size: 0x4000, terminal: 6, offset: 0x100}
)";

struct clocked_bench {
  sc_core::sc_clock clk{"clk", sc_core::sc_time(1, SC_NS), 0.5, sc_core::sc_time(0.5, SC_NS)};
  sc_core::sc_signal<bool> rst{"rst"};
  std::vector<violation> violations;
  violation_handler collect = [this](const violation& v) { violations.push_back(v); };

  template <class Block>
  Block& clock(Block& block) {
    block.clk(clk), block.rst(rst);
    return block;
  }
  void reset() {
    rst.write(true);
    sc_core::sc_start(3, SC_NS);
    rst.write(false);
  }
};

/// A random manager at a terminal.
template <class Format>
struct manager_at {
  axi4_slices<Format> wires;
  random_axi4_manager<Format> traffic;
  axi4_to_tlm<Format> bridge;
  axi4_checker<Format> check;

  manager_at(clocked_bench& b, tlm_network& network, unsigned terminal, const axi4_traffic& shape)
      : wires("wires_" + std::to_string(terminal), {2, 0, 0, 0, 2}),
        traffic(("traffic_" + std::to_string(terminal)).c_str(), shape),
        bridge(("bridge_" + std::to_string(terminal)).c_str()),
        check(("check_" + std::to_string(terminal)).c_str(), b.collect) {
    for (clocked* const slice : wires.blocks()) b.clock(*slice);
    b.clock(traffic).m.bind(wires.near()), b.clock(check).bind(wires.near());
    wires.bind_subordinate(b.clock(bridge).s);
    bridge.m.bind(network.target(terminal));
  }
};

/// A memory behind pins at a terminal.
template <class Format>
struct memory_at {
  axi4_signals<Format> wires;
  tlm_to_axi4<Format> manager;
  axi4_to_tlm<Format> subordinate;
  axi4_checker<Format> check;
  axi4_memory memory;

  memory_at(clocked_bench& b, tlm_network& network, unsigned terminal)
      : wires("pins_" + std::to_string(terminal)),
        manager(("manager_" + std::to_string(terminal)).c_str(), config()),
        subordinate(("subordinate_" + std::to_string(terminal)).c_str()),
        check(("check_" + std::to_string(terminal)).c_str(), b.collect),
        memory(("memory_" + std::to_string(terminal)).c_str(), 0x4100, terminal) {
    b.clock(manager).m.bind(wires), b.clock(subordinate).s.bind(wires), b.clock(check).bind(wires);
    network.initiator(terminal).bind(manager.s);
    subordinate.m.bind(memory.socket);
  }
  static axi4_manager_config config() {
    axi4_manager_config c;
    if (!std::is_same_v<typename Format::id, absent>) c.ids = 5;
    return c;
  }
};

struct network_case {
  const char* name;
  std::vector<std::string> overrides;
};
void PrintTo(const network_case& c, std::ostream* os) { *os << c.name; }
class axi4_network : public testing::TestWithParam<network_case> {};

TEST_P(axi4_network, brings_the_bursts_of_managers_of_three_widths_through) {
  clocked_bench b;
  scratch_file yaml(file);
  tlm_network network("network", yaml, platform_clock{b.clk, b.rst}, GetParam().overrides);
  // Each has bytes of its own in every memory's range.
  manager_at<axi4_format<32>> narrow(b, network, 0, {1, 0x0000, 0x3000, 150});
  manager_at<axi4_format<128>> wide(b, network, 1, {2, 0x3000, 0x4000, 150});
  manager_at<axi4_format<512>> widest(b, network, 2, {3, 0x7000, 0x3000, 150});
  memory_at<axi4_format<64>> first(b, network, 4);
  memory_at<axi4_format<256>> second(b, network, 5);
  memory_at<axi4_lite_format<32>> third(b, network, 6);
  b.reset();
  const auto done = [&] { return narrow.traffic.over() && wide.traffic.over() && widest.traffic.over(); };
  for (unsigned i = 0; i < 400 && !done(); ++i) sc_core::sc_start(500, SC_NS);
  EXPECT_TRUE(done());
  EXPECT_EQ(narrow.traffic.done() + wide.traffic.done() + widest.traffic.done(), 450u);
  EXPECT_EQ(narrow.traffic.wrong() + wide.traffic.wrong() + widest.traffic.wrong(), 0u);
  EXPECT_TRUE(b.violations.empty()) << b.violations.front().message;
  EXPECT_EQ(network.network().count()["tlm.requests"], 450.0);
}

const network_case networks[] = {
    {"voq", {}},
    {"fifo", {"switch.buffering=fifo"}},
    {"shared", {"switch.buffering=shared", "switch.depth=32"}},
    {"wormhole", {"switch={kind: wormhole}"}},
    {"mesh", {"topology={kind: mesh, dimensions: [3, 3]}", "switch={kind: wormhole}"}},
    {"dampening",
     {"switch={kind: dampening, assignment: tuples, buffers: 8, j: 2, flow: receiver}", "packet.length=1"}},
    {"fat_tree", {"topology={kind: fat_tree, terminals: 8}"}},
    {"signals", {"kernel=signals"}},
    {"transaction", {"level=transaction"}},
    {"functional", {"level=functional"}},
};
INSTANTIATE_TEST_SUITE_P(of, axi4_network, testing::ValuesIn(networks),
                         [](const auto& one) { return one.param.name; });

/// Adds one to a word by exclusive accesses until it has done so `count` times.
class exclusive_counter : public clocked {
public:
  using format = axi4_format<64>;
  axi4_manager_pins<format> m{"m_axi"};
  exclusive_counter(const sc_core::sc_module_name& name, unsigned count) : clocked(name), left_(count) {}
  unsigned left() const { return left_; }
  unsigned failed() const { return failed_; }
  unsigned unsupported() const { return unsupported_; }  // reads that were not exclusive

private:
  enum class step { ask, read, send, answer, over };
  void reset() override {
    m.arvalid.write(false), m.awvalid.write(false), m.wvalid.write(false);
    m.bready.write(true), m.rready.write(true);
  }
  void tick() override {
    wake_at(cycle() + 1);
    axi4_address a;
    a.addr = 0x28, a.bytes = 4, a.exclusive = true, a.id = 3;
    if (ar_ && m.arready.read()) ar_ = false;
    if (aw_ && m.awready.read()) aw_ = false;
    if (w_ && m.wready.read()) w_ = false;
    if (step_ == step::ask) {
      step_ = left_ ? step::read : step::over;
      ar_ = left_ != 0;
      show_read_address(m, a);
    } else if (step_ == step::read && m.rvalid.read()) {
      unsupported_ += m.rresp.read() != 1;
      show_write_address(m, a);
      m.wdata.write((m.rdata.read() & 0xffffffff) + 1), m.wstrb.write(0x0f), m.wlast.write(true);
      aw_ = w_ = true;
      step_ = step::answer;
    } else if (step_ == step::answer && m.bvalid.read()) {
      m.bresp.read() == 1 ? --left_ : ++failed_;
      step_ = step::ask;
    }
    m.arvalid.write(ar_), m.awvalid.write(aw_), m.wvalid.write(w_);
  }
  step step_ = step::ask;
  bool ar_ = false, aw_ = false, w_ = false;
  unsigned left_, failed_ = 0, unsupported_ = 0;
};

void count_together(const std::vector<std::string>& overrides) {
  using format = exclusive_counter::format;
  clocked_bench b;
  scratch_file yaml(file);
  tlm_network network("network", yaml, platform_clock{b.clk, b.rst}, overrides);
  exclusive_monitor monitor("monitor");
  memory_at<format> first(b, network, 5);  // not asked
  axi4_memory memory("memory", 0x4000, 3);
  network.initiator(4).bind(monitor.s), monitor.m.bind(memory.socket);
  std::vector<std::unique_ptr<exclusive_counter>> counters;
  std::vector<std::unique_ptr<axi4_to_tlm<format>>> bridges;
  std::vector<std::unique_ptr<axi4_signals<format>>> wires;
  std::vector<std::unique_ptr<axi4_checker<format>>> checks;
  axi4_rules rules;
  rules.recommended = true;
  for (unsigned t = 0; t < 4; ++t) {
    const std::string n = std::to_string(t);
    counters.push_back(std::make_unique<exclusive_counter>(("counter_" + n).c_str(), 50));
    bridges.push_back(std::make_unique<axi4_to_tlm<format>>(("bridge_" + n).c_str()));
    wires.push_back(std::make_unique<axi4_signals<format>>("wires_" + n));
    checks.push_back(std::make_unique<axi4_checker<format>>(("check_" + n).c_str(), b.collect, rules));
    b.clock(*counters[t]).m.bind(*wires[t]), b.clock(*bridges[t]).s.bind(*wires[t]),
        b.clock(*checks[t]).bind(*wires[t]);
    bridges[t]->m.bind(network.target(t));
  }
  b.reset();
  const auto left = [&] {
    unsigned all = 0;
    for (const auto& c : counters) all += c->left();
    return all;
  };
  for (unsigned i = 0; i < 200 && left(); ++i) sc_core::sc_start(500, SC_NS);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(memory.bytes()[0x28], 200u);
  unsigned failed = 0, unsupported = 0;
  for (const auto& c : counters) failed += c->failed(), unsupported += c->unsupported();
  EXPECT_GT(failed, 0u);
  EXPECT_EQ(unsupported, 0u);
  EXPECT_EQ(monitor.done(), 200u);
  EXPECT_EQ(monitor.failed(), failed);
  EXPECT_TRUE(b.violations.empty()) << b.violations.front().message;
}

TEST(axi4_exclusive, accesses_of_four_managers_count_right_over_pins) { count_together({}); }
TEST(axi4_exclusive, accesses_of_four_managers_count_right_at_the_transaction_level) {
  count_together({"level=transaction"});
}

/// Two beats of a read where no range is, and of one whose terminal has no target.
TEST(axi4_address, outside_of_the_map_is_decerr_in_every_beat) {
  using format = axi4_format<64>;
  clocked_bench b;
  scratch_file yaml(file);
  tlm_network network("network", yaml, platform_clock{b.clk, b.rst});
  axi4_signals<format> wires("wires");
  axi4_to_tlm<format> bridge("bridge");
  b.clock(bridge).s.bind(wires);
  bridge.m.bind(network.target(0));
  b.reset();
  wires.rready.write(true);
  axi4_address a;
  a.beats = 2, a.bytes = 8;
  for (const std::uint64_t addr : {std::uint64_t{0xc000}, std::uint64_t{0x0000}}) {
    a.addr = addr;
    show_read_address(wires, a);
    wires.arvalid.write(true);
    sc_core::sc_start(1, SC_NS);
    while (!wires.arready.read()) sc_core::sc_start(1, SC_NS);
    sc_core::sc_start(1, SC_NS);
    wires.arvalid.write(false);
    std::vector<unsigned> responses;
    for (unsigned i = 0; i < 100; ++i) {
      if (wires.rvalid.read()) responses.push_back(wires.rresp.read());
      sc_core::sc_start(1, SC_NS);
    }
    ASSERT_GE(responses.size(), 2u);
    EXPECT_THAT(responses, testing::Each(3u)) << addr;
  }
}

struct axi4_refusal {
  const char* name;
  std::vector<std::string> overrides;
  const char* reason;
};
void PrintTo(const axi4_refusal& r, std::ostream* os) { *os << r.name; }
class axi4_network_refused : public testing::TestWithParam<axi4_refusal> {};

TEST_P(axi4_network_refused, with_the_reason) {
  scratch_file yaml(file);
  try {
    tlm_network network("network", yaml, GetParam().overrides);
    FAIL() << "nothing was refused";
  } catch (const config_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().reason));
  }
}
const axi4_refusal refusals[] = {
    {"circuit", {"topology={kind: fat_tree, terminals: 8}", "switch={kind: circuit}"}, "speaks packet links"},
    {"combining", {"switch={kind: combining}"}, "need an interface with requests and replies"},
    {"too_long", {"switch.depth=4"}, "it has room for 4 flits, packets have up to 8"},
    {"out_of_order",
     {"topology={kind: mesh, dimensions: [3, 3]}", "switch={kind: wormhole, virtual_channels: 3}",
      "routing={kind: adaptive}"},
     "need a routing that keeps packets in order"},
    {"dampening",
     {"switch={kind: dampening, assignment: tuples, buffers: 8, j: 2, flow: receiver}"},
     "expected packets of 1 flit, found 8"},
};
INSTANTIATE_TEST_SUITE_P(of, axi4_network_refused, testing::ValuesIn(refusals),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace spillway
