// Bursts of random managers through both bridges and back to pins, of equal and of different widths; IDs at a
// subordinate, and their order.
#include <gtest/gtest.h>

#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <spillway/tlm/axi4/tlm_to_axi4.hpp>
#include <support/axi4_manager.hpp>
#include <support/axi4_memory.hpp>
#include <support/link_bench.hpp>

namespace spillway {
namespace {

using sc_core::sc_time;
using testing_support::axi4_memory;
using testing_support::axi4_traffic;
using testing_support::bench;
using testing_support::random_axi4_manager;
using testing_support::run;

/// A random manager of one width, bridges, pins of another width, a bridge and a memory; checkers at all
/// pins.
template <class Near, class Far>
struct chain {
  bench b{testing_support::kernel::signals};
  axi4_signals<Near> near{"near"};
  axi4_signals<Far> far{"far"};
  random_axi4_manager<Near>& traffic;
  axi4_to_tlm<Near>& to_tlm = b.make<axi4_to_tlm<Near>>("to_tlm");
  tlm_to_axi4<Far>& to_axi;
  axi4_to_tlm<Far>& back = b.make<axi4_to_tlm<Far>>("back");
  axi4_checker<Near>& check_near = b.make<axi4_checker<Near>>("check_near", b.collect());
  axi4_checker<Far>& check_far = b.make<axi4_checker<Far>>("check_far", b.collect());
  axi4_memory memory{"memory", 0x2000, 11};

  explicit chain(const axi4_manager_config& config, const axi4_traffic& shape = {})
      : traffic(b.make<random_axi4_manager<Near>>("traffic", shape)),
        to_axi(b.make<tlm_to_axi4<Far>>("to_axi", config)) {
    traffic.m.bind(near), to_tlm.s.bind(near), check_near.bind(near);
    to_tlm.m.bind(to_axi.s);
    to_axi.m.bind(far), back.s.bind(far), check_far.bind(far);
    back.m.bind(memory.socket);
    b.reset();
  }
  void expect_right(unsigned count) {
    for (unsigned i = 0; i < 500 && traffic.done() < count; ++i) run(100);
    EXPECT_EQ(traffic.done(), count);
    EXPECT_EQ(traffic.wrong(), 0u);
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  }
};

template <unsigned Near, unsigned Far>
struct widths {
  using near = axi4_format<Near>;
  using far = axi4_format<Far>;
};
struct to_lite {
  using near = axi4_format<128>;
  using far = axi4_lite_format<64>;
};
template <class Widths>
class axi4_chain : public testing_support::sc_test {};
using pairs = testing::Types<widths<32, 32>, widths<64, 64>, widths<128, 128>, widths<256, 256>,
                             widths<512, 512>, widths<32, 512>, widths<512, 32>, widths<128, 64>, to_lite>;
TYPED_TEST_SUITE(axi4_chain, pairs, );

TYPED_TEST(axi4_chain, brings_random_bursts_through) {
  axi4_manager_config config;
  constexpr bool lite = std::is_same_v<TypeParam, to_lite>;
  config.ids = lite ? 1 : 3;
  chain<typename TypeParam::near, typename TypeParam::far> t(config, {7, 0, 0x2000, 400});
  t.expect_right(400);
  EXPECT_EQ(t.check_near.reads() + t.check_near.writes(), 400u);
  EXPECT_EQ(t.traffic.overtaken() > 0, !lite);
  // Where the pins are wide enough all leave as they came.
  constexpr bool wide = !lite && TypeParam::near::width <= TypeParam::far::width;
  EXPECT_EQ(t.to_axi.bursts() == 400, wide);
}

class axi4_order : public testing_support::sc_test {};
using format = axi4_format<64>;

TEST_F(axi4_order, wrapping_bursts_are_unrolled_where_the_subordinate_has_none) {
  axi4_manager_config config;
  config.wrap = false;
  chain<format, format> t(config, {3, 0, 0x2000, 400});
  bool wrapped = false;
  for (unsigned i = 0; i < 50000 && t.traffic.done() < 400; ++i) {
    run(1);
    wrapped |= t.far.awvalid.read() && t.far.awburst.read() == 2;
    wrapped |= t.far.arvalid.read() && t.far.arburst.read() == 2;
  }
  t.expect_right(400);
  EXPECT_FALSE(wrapped);
}

/// A target that answers when told to, in any order, and may keep its initiator waiting for END_REQ.
struct slow_target : sc_core::sc_module {
  tlm_utils::simple_target_socket<slow_target> socket{"socket"};
  std::map<std::uint64_t, tlm::tlm_generic_payload*> waiting;  // by address
  bool full = false;

  explicit slow_target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &slow_target::forward);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    p.acquire();
    waiting[p.get_address()] = &p;
    if (full) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void accept(std::uint64_t address) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*waiting.at(address), phase, delay);
  }
  void answer(std::uint64_t address, tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) {
    tlm::tlm_generic_payload& p = *waiting.at(address);
    waiting.erase(address);
    if (p.is_read())
      std::fill_n(p.get_data_ptr(), p.get_data_length(), static_cast<unsigned char>(address / 8));
    p.set_response_status(status);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(p, phase, delay);
    p.release();
  }
};

/// Reads by hand at a subordinate whose target answers by hand.
struct bursts_by_hand {
  bench b{testing_support::kernel::signals};
  axi4_signals<format> s{"s"};
  axi4_to_tlm<format>& bridge = b.make<axi4_to_tlm<format>>("bridge");
  axi4_checker<format>& check = b.make<axi4_checker<format>>("check", b.collect());
  slow_target target{"target"};
  std::vector<unsigned> ids;  // of the beats that have come
  std::vector<unsigned> bytes, responses;

  bursts_by_hand() {
    bridge.s.bind(s), check.bind(s), bridge.m.bind(target.socket);
    b.reset();
    s.rready.write(true), s.bready.write(true);
    run(1);
  }
  void read(unsigned id, std::uint64_t addr, unsigned beats) {
    axi4_address a;
    a.id = id, a.addr = addr, a.beats = beats, a.bytes = 8;
    show_read_address(s, a);
    s.arvalid.write(true);
    step();
    s.arvalid.write(false);
    step(3);
  }
  void write(unsigned id, std::uint64_t addr) {
    axi4_address a;
    a.id = id, a.addr = addr, a.bytes = 8;
    show_write_address(s, a), s.wstrb.write(0xff), s.wlast.write(true);
    s.awvalid.write(true);
    step();
    s.awvalid.write(false), s.wvalid.write(true);
    while (!s.wready.read()) step();
    step();
    s.wvalid.write(false);
    step(3);
  }
  void step(unsigned cycles = 1) {
    for (; cycles; --cycles) {
      if (s.rvalid.read()) {
        ids.push_back(s.rid.read()), responses.push_back(s.rresp.read());
        bytes.push_back(s.rdata.read() & 0xff);
      }
      if (s.bvalid.read()) ids.push_back(s.bid.read()), responses.push_back(s.bresp.read());
      run(1);
    }
  }
};
using numbers = std::vector<unsigned>;

TEST_F(axi4_order, reads_of_another_id_overtake_and_those_of_one_do_not) {
  bursts_by_hand t;
  t.read(1, 0x00, 1), t.read(2, 0x08, 2), t.read(1, 0x10, 1);
  t.target.answer(0x10);
  t.step(5);
  EXPECT_EQ(t.ids, numbers{});  // behind the other of ID 1
  t.target.answer(0x08);
  t.step(5);
  EXPECT_EQ(t.ids, (numbers{2, 2}));
  t.target.answer(0x00);
  t.step(5);
  EXPECT_EQ(t.ids, (numbers{2, 2, 1, 1}));
  EXPECT_EQ(t.bytes, (numbers{1, 1, 0, 2}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_order, writes_of_another_id_overtake_and_those_of_one_do_not) {
  bursts_by_hand t;
  t.write(1, 0x00), t.write(2, 0x08), t.write(1, 0x10);
  t.target.answer(0x10), t.target.answer(0x08);
  t.step(5);
  EXPECT_EQ(t.ids, numbers{2});
  t.target.answer(0x00);
  t.step(5);
  EXPECT_EQ(t.ids, (numbers{2, 1, 1}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// What was under way at a reset is still in the network: a request there is the only one until END_REQ, and
/// nobody hears of the answers.
TEST_F(axi4_order, a_reset_leaves_nothing_of_what_was_under_way) {
  bursts_by_hand t;
  t.target.full = true;
  t.read(1, 0x00, 2);  // waits for END_REQ
  t.write(1, 0x08);    // waits behind it
  t.read(2, 0x10, 1);  // so does this
  ASSERT_EQ(t.target.waiting.size(), 1u);
  t.b.reset();
  t.s.awvalid.write(false), t.s.wvalid.write(false), t.s.arvalid.write(false);
  t.step(2);
  t.read(3, 0x18, 1);
  EXPECT_EQ(t.target.waiting.size(), 1u) << "a request before END_REQ of the one before";
  t.target.accept(0x00);
  t.target.full = false;
  t.step(3);
  EXPECT_EQ(t.target.waiting.count(0x18), 1u);
  EXPECT_EQ(t.target.waiting.size(), 2u) << "a request of before the reset";
  t.target.answer(0x00);
  t.step(5);
  EXPECT_EQ(t.ids, numbers{});
  t.target.answer(0x18);
  t.step(5);
  EXPECT_EQ(t.ids, numbers{3});
  EXPECT_EQ(t.bytes, numbers{3});
  t.write(4, 0x20), t.target.answer(0x20);
  t.step(5);
  EXPECT_EQ(t.ids, (numbers{3, 4}));
  EXPECT_EQ(t.bridge.reads(), 1u);
  EXPECT_EQ(t.bridge.writes(), 1u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_order, a_reset_takes_back_the_answers_that_are_shown) {
  bursts_by_hand t;
  t.s.rready.write(false), t.s.bready.write(false);
  t.read(1, 0x00, 2), t.write(2, 0x08);
  t.target.answer(0x00), t.target.answer(0x08);
  t.step(3);
  ASSERT_TRUE(t.s.rvalid.read() && t.s.bvalid.read());
  t.b.reset();
  t.ids.clear(), t.bytes.clear();
  t.s.rready.write(true), t.s.bready.write(true);
  t.step(3);
  EXPECT_EQ(t.ids, numbers{});
  t.read(3, 0x10, 1), t.read(4, 0x18, 1);
  t.target.answer(0x18), t.target.answer(0x10);
  t.step(5);
  EXPECT_EQ(t.ids, (numbers{3, 4}));
  EXPECT_EQ(t.bytes, (numbers{2, 3}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// Also where it is answered without END_REQ, as a network that is reset does.
TEST_F(axi4_order, a_request_that_a_reset_interrupts_may_end_with_its_answer) {
  bursts_by_hand t;
  t.target.full = true;
  t.read(1, 0x00, 1);
  t.b.reset();
  t.target.full = false;
  t.target.answer(0x00, tlm::TLM_GENERIC_ERROR_RESPONSE);
  t.step(2);
  t.read(1, 0x08, 1);
  t.target.answer(0x08);
  t.step(5);
  EXPECT_EQ(t.ids, numbers{1});
  EXPECT_EQ(t.responses, numbers{static_cast<unsigned>(axi4_resp::okay)});
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_order, errors_are_in_every_beat) {
  bursts_by_hand t;
  t.read(1, 0x00, 2), t.read(1, 0x10, 1), t.write(1, 0x18);
  t.target.answer(0x00, tlm::TLM_GENERIC_ERROR_RESPONSE);
  t.target.answer(0x10, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  t.step(8);
  t.target.answer(0x18, tlm::TLM_COMMAND_ERROR_RESPONSE);
  t.step(5);
  EXPECT_EQ(t.responses, (numbers{2, 2, 3, 2}));
}

}  // namespace
}  // namespace spillway
