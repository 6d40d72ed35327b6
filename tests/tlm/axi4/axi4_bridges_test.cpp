// Transactions over AXI4 and back, of every width, and bursts of every kind driven by hand; a checker at
// every interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <spillway/tlm/axi4/tlm_to_axi4.hpp>
#include <spillway/tlm/protocol_monitor.hpp>
#include <support/link_bench.hpp>

#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing_support::bench;
using testing_support::run;

template <class Format>
class axi4_loop : public testing_support::sc_test {};
using formats = testing::Types<axi4_format<32>, axi4_format<64>, axi4_format<128>, axi4_format<256>,
                               axi4_format<512>, axi4_lite_format<32>, axi4_lite_format<64>>;
TYPED_TEST_SUITE(axi4_loop, formats, );

/// From an initiator to a memory through AXI4.
template <class Format>
struct loop {
  bench b{testing_support::kernel::signals};
  axi4_signals<Format> wires{"wires"};
  tlm_to_axi4<Format>& manager = b.make<tlm_to_axi4<Format>>("manager");
  axi4_to_tlm<Format>& subordinate = b.make<axi4_to_tlm<Format>>("subordinate");
  axi4_checker<Format>& check = b.make<axi4_checker<Format>>("check", b.collect());
  test::test_memory memory;

  explicit loop(test::memory_style style) : memory("memory", 0x3000, style, sc_time(15, SC_NS)) {
    manager.m.bind(wires), subordinate.s.bind(wires), check.bind(wires);
    subordinate.m.bind(memory.socket);
  }
};

template <class Format, class Initiator>
void expect_right_data(loop<Format>& t, Initiator& cpu, unsigned accesses) {
  cpu.socket.bind(t.manager.s);
  for (unsigned i = 0; i < 300 && cpu.done() < accesses; ++i) run(500);
  run(20);
  EXPECT_EQ(cpu.done(), accesses);
  EXPECT_EQ(cpu.wrong(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  EXPECT_GE(t.check.reads() + t.check.writes(), accesses);
  EXPECT_EQ(t.check.reads() + t.check.writes(), t.manager.bursts());
}

std::vector<test::random_accesses::range> all_of_it() { return {{0, 0x3000}}; }

TYPED_TEST(axi4_loop, brings_blocking_accesses_through) {
  loop<TypeParam> t(test::memory_style::blocking);
  test::lt_initiator cpu("cpu", test::random_accesses(1, all_of_it(), 300), 300, sc_core::SC_ZERO_TIME);
  expect_right_data(t, cpu, 300);
}

TYPED_TEST(axi4_loop, brings_many_outstanding_accesses_through) {
  loop<TypeParam> t(test::memory_style::four_phases);
  test::at_initiator cpu("cpu", test::random_accesses(2, all_of_it(), 120), 300, 6);
  expect_right_data(t, cpu, 300);
}

/// A bridge on wires of a clock domain that two threads are to step, with a checker beside it.
template <class Bridge>
struct on_wires {
  clock_domain domain;
  wire<bool> rst{domain};
  bundle<axi4<axi4_format<64>>::pins, as_wires> wires{domain};
  Bridge bridge;
  axi4_checker<axi4_format<64>> check;

  explicit on_wires(const std::string& name)
      : domain((name + "_domain").c_str(), testing_support::period()),
        bridge(name.c_str()),
        check((name + "_check").c_str()) {
    domain.use_threads(2);
    bridge.clk(domain), bridge.rst(rst), check.clk(domain), check.rst(rst);
    check.bind(wires);
  }
  void expect_one_thread() const {
    EXPECT_EQ(domain.threads(), 1u);
    EXPECT_EQ(domain.why_fewer(), std::string(bridge.name()) +
                                      " reaches beyond its clock domain: to signals, " +
                                      "sockets or another domain");
  }
};

// Their sockets are SystemC's, which one thread alone may use.
TEST(axi4_bridges, keep_one_thread_in_their_clock_domain) {
  on_wires<tlm_to_axi4<axi4_format<64>>> manager("manager");
  on_wires<axi4_to_tlm<axi4_format<64>>> subordinate("subordinate");
  manager.bridge.m.bind(manager.wires), subordinate.bridge.s.bind(subordinate.wires);
  test::lt_initiator cpu("cpu", test::random_accesses(1, all_of_it(), 8), 0, sc_core::SC_ZERO_TIME);
  test::test_memory memory("memory", 0x3000, test::memory_style::blocking, sc_core::SC_ZERO_TIME);
  cpu.socket.bind(manager.bridge.s), subordinate.bridge.m.bind(memory.socket);
  run(3);
  manager.expect_one_thread();
  subordinate.expect_one_thread();
}

// --- answers of all kinds

/// A target that answers reads in one of the ways that the base protocol has, so many cycles later.
class any_answer : public sc_core::sc_module {
public:
  enum class way { completed, updated, backward, accepted_late };
  tlm_utils::simple_target_socket<any_answer> socket{"socket"};
  unsigned ended = 0;               // END_RESP that it was told
  std::vector<sc_time> requests{};  // when they came

  any_answer(const sc_core::sc_module_name& name, way how, unsigned cycles)
      : sc_module(name), how_(how), delay_(cycles * testing_support::period()) {
    SPILLWAY_HAS_PROCESS(any_answer);
    SC_METHOD(begin);
    dont_initialize();
    sensitive << begin_;
    socket.register_nb_transport_fw(this, &any_answer::forward);
  }

private:
  using payload = tlm::tlm_generic_payload;
  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_RESP) {
      ++ended;
      return tlm::TLM_COMPLETED;
    }
    requests.push_back(sc_core::sc_time_stamp());
    p.get_data_ptr()[0] = 7;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    under_way_.push_back(&p);
    if (how_ == way::backward) begin_.notify(sc_core::SC_ZERO_TIME);
    if (how_ == way::accepted_late) begin_.notify(3 * delay_);
    if (how_ == way::backward) return tlm::TLM_ACCEPTED;
    delay = delay_;
    if (how_ == way::completed) return tlm::TLM_COMPLETED;
    phase = how_ == way::updated ? tlm::BEGIN_RESP : tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void begin() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = how_ == way::backward ? delay_ : sc_core::SC_ZERO_TIME;
    EXPECT_EQ(socket->nb_transport_bw(*under_way_.front(), phase, delay), tlm::TLM_COMPLETED);
    under_way_.pop_front();
    if (!under_way_.empty()) begin_.notify(3 * delay_);
  }

  const way how_;
  const sc_time delay_;
  std::deque<payload*> under_way_;
  sc_core::sc_event begin_;
};

struct reader_of {
  bench b{testing_support::kernel::signals};
  axi4_signals<axi4_format<64>> s{"s"};
  axi4_to_tlm<axi4_format<64>>& bridge = b.make<axi4_to_tlm<axi4_format<64>>>("bridge");
  any_answer target;
  protocol_monitor monitor{"monitor"};

  reader_of(any_answer::way how, unsigned cycles) : target("target", how, cycles) {
    bridge.s.bind(s);
    bridge.m.bind(monitor.target), monitor.initiator.bind(target.socket);
    b.reset();
    run(1);
    s.rready.write(true), s.arsize.write(3), s.arburst.write(1);
  }
  void ask() {
    s.arvalid.write(true);
    for (bool taken = false; !taken; run(1)) taken = s.arready.read();
    s.arvalid.write(false);
  }
  /// Returns after how many cycles.
  unsigned wait() {
    unsigned cycles = 0;
    for (; !s.rvalid.read() && cycles < 100; ++cycles) run(1);
    EXPECT_EQ(s.rdata.read() & 0xff, 7u);
    run(1);
    return cycles;
  }
};

struct answered {
  const char* name;
  any_answer::way how;
  bool ends;  // END_RESP by a call of its own
};
void PrintTo(const answered& a, std::ostream* os) { *os << a.name; }

class axi4_answers : public testing::TestWithParam<answered> {};

TEST_P(axi4_answers, come_in_their_time_and_are_ended) {
  const answered& a = GetParam();
  reader_of t(a.how, 5);
  for (unsigned n = 0; n < 2; ++n) {
    t.ask();
    EXPECT_EQ(t.wait(), 5u);
  }
  EXPECT_EQ(t.target.ended, a.ends ? 2u : 0u);
  EXPECT_EQ(t.monitor.transactions(), 2u);
  EXPECT_EQ(t.bridge.reads(), 2u);
}

TEST(axi4_requests, wait_for_the_end_of_the_one_before_when_it_has_a_delay) {
  reader_of t(any_answer::way::accepted_late, 12);
  t.ask(), t.ask();
  t.wait(), t.wait();
  ASSERT_EQ(t.target.requests.size(), 2u);
  EXPECT_EQ(t.target.requests[1] - t.target.requests[0], 12 * testing_support::period());
  EXPECT_EQ(t.bridge.reads(), 2u);
}

INSTANTIATE_TEST_SUITE_P(of, axi4_answers,
                         testing::Values(answered{"completed", any_answer::way::completed, false},
                                         answered{"updated", any_answer::way::updated, true},
                                         answered{"backward", any_answer::way::backward, false}),
                         [](const auto& one) { return one.param.name; });

// --- bursts by hand

using format = axi4_format<64>;

/// A manager whose pins the test drives, between the edges.
struct by_hand {
  bench b{testing_support::kernel::signals};
  axi4_signals<format> s{"s"};
  axi4_to_tlm<format>& bridge;
  axi4_checker<format>& check = b.make<axi4_checker<format>>("check", b.collect());
  test::test_memory memory{"memory", 0x2000, test::memory_style::four_phases, sc_time(20, SC_NS)};
  std::vector<axi4_resp> responses;
  std::vector<unsigned> ids;

  explicit by_hand(const axi4_limits& limits = {}) : bridge(b.make<axi4_to_tlm<format>>("bridge", limits)) {
    bridge.s.bind(s), check.bind(s);
    bridge.m.bind(memory.socket);
    b.reset();
    run(1);
    s.bready.write(true), s.rready.write(true);
  }
  void address(bool writes, std::uint64_t addr, unsigned beats, unsigned log, axi4_burst kind,
               unsigned id = 0, bool lock = false) {
    auto& valid = writes ? s.awvalid : s.arvalid;
    auto& ready = writes ? s.awready : s.arready;
    (writes ? s.awaddr : s.araddr).write(static_cast<std::uint32_t>(addr));
    (writes ? s.awlen : s.arlen).write(beats - 1), (writes ? s.awsize : s.arsize).write(log);
    (writes ? s.awburst : s.arburst).write(static_cast<unsigned>(kind));
    (writes ? s.awid : s.arid).write(id), (writes ? s.awlock : s.arlock).write(lock);
    cross(valid, ready);
  }
  void data(std::uint64_t word, unsigned strobes, bool last) {
    s.wdata.write(word), s.wstrb.write(strobes), s.wlast.write(last);
    cross(s.wvalid, s.wready);
  }
  template <class Valid, class Ready>
  void cross(Valid& valid, Ready& ready) {
    valid.write(true);
    for (bool taken = false; !taken; step()) taken = ready.read();
    valid.write(false);
  }
  /// Waits for that many read beats; the words.
  std::vector<std::uint64_t> read(unsigned beats) {
    for (unsigned i = 0; i < 200 && words.size() < beats; ++i) step();
    return std::exchange(words, {});
  }
  void responses_to(unsigned writes) {
    for (unsigned i = 0; i < 200 && responses.size() < writes; ++i) step();
  }
  void step() {
    // Both sides are ready: what is shown now crosses at the edge to come.
    if (s.rvalid.read()) {
      words.push_back(s.rdata.read());
      responses.push_back(static_cast<axi4_resp>(s.rresp.read()));
      ids.push_back(s.rid.read());
    }
    if (s.bvalid.read()) {
      responses.push_back(static_cast<axi4_resp>(s.bresp.read()));
      ids.push_back(s.bid.read());
    }
    run(1);
  }
  void fill() {
    for (unsigned i = 0; i < memory.bytes().size(); ++i)
      memory.bytes()[i] = static_cast<unsigned char>(i * 7 + i / 256);
  }
  std::uint64_t word(std::uint64_t addr, unsigned bytes = 8) {
    std::uint64_t w = 0;
    for (unsigned i = 0; i < bytes; ++i)
      w |= std::uint64_t{memory.bytes()[addr + i]} << (8 * ((addr + i) % 8));
    return w;
  }
  std::vector<std::uint64_t> words;
};

class axi4_bursts : public testing_support::sc_test {};
using words = std::vector<std::uint64_t>;

TEST_F(axi4_bursts, wrapping_reads_come_in_their_order) {
  by_hand t;
  t.fill();
  t.address(false, 0x118, 4, 3, axi4_burst::wrap);
  EXPECT_EQ(t.read(4), (words{t.word(0x118), t.word(0x100), t.word(0x108), t.word(0x110)}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_bursts, wrapping_writes_go_to_their_places) {
  by_hand t;
  t.address(true, 0x110, 4, 3, axi4_burst::wrap);
  for (unsigned i = 0; i < 4; ++i) t.data(0x0101010101010101u * (i + 1), 0xff, i == 3);
  t.responses_to(1);
  EXPECT_EQ(t.responses, std::vector<axi4_resp>{axi4_resp::okay});
  EXPECT_EQ(t.memory.bytes()[0x110], 1);
  EXPECT_EQ(t.memory.bytes()[0x11f], 2);
  EXPECT_EQ(t.memory.bytes()[0x100], 3);
  EXPECT_EQ(t.memory.bytes()[0x10f], 4);
}

TEST_F(axi4_bursts, narrow_and_unaligned_beats_use_their_lanes) {
  by_hand t;
  t.fill();
  t.address(false, 0x203, 3, 1, axi4_burst::incr);  // 0x203 alone, then two bytes at 0x204 and 0x206
  EXPECT_EQ(t.read(3), (words{t.word(0x203, 1), t.word(0x204, 2), t.word(0x206, 2)}));
  t.address(false, 0x205, 2, 3, axi4_burst::incr);
  EXPECT_EQ(t.read(2), (words{t.word(0x205, 3), t.word(0x208)}));
}

TEST_F(axi4_bursts, strobes_choose_the_bytes) {
  by_hand t;
  t.address(true, 0x300, 2, 3, axi4_burst::incr);
  t.data(0x1111111111111111, 0x0f, false);
  t.data(0x2222222222222222, 0x80, true);
  t.responses_to(1);
  EXPECT_EQ(t.word(0x300), 0x11111111u);
  EXPECT_EQ(t.word(0x308), 0x2200000000000000u);
}

TEST_F(axi4_bursts, fixed_bursts_stay_at_their_address) {
  struct port : sc_core::sc_module {  // a register: what it was asked
    tlm_utils::simple_target_socket<port> socket{"socket"};
    unsigned width = 0, length = 0;
    std::vector<unsigned char> data;
    explicit port(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &port::access);
    }
    void access(tlm::tlm_generic_payload& p, sc_time&) {
      width = p.get_streaming_width(), length = p.get_data_length();
      data.assign(p.get_data_ptr(), p.get_data_ptr() + length);
      p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  } target("target");
  bench b{testing_support::kernel::signals};
  axi4_signals<format> s{"s"};
  auto& bridge = b.make<axi4_to_tlm<format>>("bridge");
  bridge.s.bind(s);
  bridge.m.bind(target.socket);
  b.reset();
  run(2);
  s.bready.write(true);
  s.awaddr.write(0x14), s.awlen.write(2), s.awsize.write(2), s.awburst.write(0), s.awvalid.write(true);
  run(1);
  s.awvalid.write(false);
  for (unsigned i = 0; i < 3; ++i) {
    s.wdata.write(std::uint64_t{i + 1} << 32), s.wstrb.write(0xf0), s.wlast.write(i == 2),
        s.wvalid.write(true);
    for (bool taken = false; !taken; run(1)) taken = s.wready.read();
  }
  s.wvalid.write(false);
  run(5);
  EXPECT_EQ(target.width, 4u);
  EXPECT_EQ(target.data, (std::vector<unsigned char>{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}));
}

TEST_F(axi4_bursts, errors_are_in_every_beat_and_exclusive_accesses_without_a_monitor_are_plain) {
  by_hand t;
  t.address(false, 0x2000, 2, 3, axi4_burst::incr, 5);
  t.read(2);
  EXPECT_EQ(t.responses, (std::vector<axi4_resp>{axi4_resp::decerr, axi4_resp::decerr}));
  EXPECT_EQ(t.ids, (std::vector<unsigned>{5, 5}));
  t.responses.clear();
  t.address(false, 0x100, 1, 3, axi4_burst::incr, 1, true);
  t.read(1);
  EXPECT_EQ(t.responses, std::vector<axi4_resp>{axi4_resp::okay});
}

TEST(axi4_limits, of_none_are_refused) {
  using subordinate = axi4_to_tlm<axi4_format<32>>;
  EXPECT_THROW(subordinate("none_read", axi4_limits{0, 8}), std::invalid_argument);
  EXPECT_THROW(subordinate("none_written", axi4_limits{8, 0}), std::invalid_argument);
}

TEST_F(axi4_bursts, no_more_are_taken_than_the_limit) {
  by_hand t({2, 1});
  t.s.rready.write(false);
  for (unsigned i = 0; i < 2; ++i) t.address(false, 0x100 + 8 * i, 1, 3, axi4_burst::incr, i);
  run(50);
  EXPECT_FALSE(t.s.arready.read());
  EXPECT_TRUE(t.s.awready.read());
  t.s.rready.write(true);
  run(5);
  EXPECT_TRUE(t.s.arready.read());
  t.s.bready.write(false);
  t.address(true, 0x100, 1, 3, axi4_burst::incr);
  t.data(0, 0xff, true);
  run(50);
  EXPECT_FALSE(t.s.awready.read());
  t.s.bready.write(true);
  run(5);
  EXPECT_TRUE(t.s.awready.read());
}

}  // namespace
}  // namespace spillway
