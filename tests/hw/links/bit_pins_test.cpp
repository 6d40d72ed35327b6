// Blocks whose pins are bits, as Verilator makes them, at links of ours without a bridge.
#include <gtest/gtest.h>

#include <deque>
#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/endpoints/arrival_link.hpp>
#include <spillway/hw/feedback/admission_link.hpp>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/links/bit_pins.hpp>
#include <spillway/hw/links/bus_link.hpp>
#include <spillway/hw/packet/memory_link.hpp>
#include <spillway/hw/switching/marking_link.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// A FIFO as Verilator would make it: bits in, bits out; `Ready` has a bit a lane, of which the FIFO takes
/// all.
template <class Data, class Ready>
class bit_fifo : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"}, in_valid{"in_valid"};
  sc_core::sc_in<Data> in_data{"in_data"};
  sc_core::sc_out<Ready> in_ready{"in_ready"};
  sc_core::sc_out<bool> out_valid{"out_valid"};
  sc_core::sc_out<Data> out_data{"out_data"};
  sc_core::sc_in<Ready> out_ready{"out_ready"};

  explicit bit_fifo(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(bit_fifo);
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }

private:
  static std::uint64_t field(const Data& d, unsigned low, unsigned width) {
    return pin_bits<Data>::get(d, low, width);
  }
  void edge() {
    if (rst.read()) {
      words_.clear();
      ready_ = 0;
      in_ready.write(Ready{}), out_valid.write(false);
      return;
    }
    const auto accepted = pin_bits<Ready>::get(out_ready.read(), 0, 64);
    if (!words_.empty() && shown_ && (accepted >> field(words_.front(), 128, 6) & 1)) words_.pop_front();
    if (in_valid.read() && (ready_ >> field(in_data.read(), 128, 6) & 1)) words_.push_back(in_data.read());
    ready_ = words_.size() < 3 ? ~std::uint64_t{0} : 0;
    Ready ready{};
    pin_bits<Ready>::put(ready, 0, 64, ready_);
    ready_ = pin_bits<Ready>::get(ready, 0, 64);
    in_ready.write(ready);
    shown_ = !words_.empty();
    out_valid.write(shown_);
    if (shown_) out_data.write(words_.front());
  }
  std::deque<Data> words_;
  bool shown_ = false;
  std::uint64_t ready_ = 0;
};

template <class Data, class Ready, unsigned Lanes>
struct bit_kind {
  using data = Data;
  using ready = Ready;
  static constexpr unsigned lanes = Lanes;
};

template <class Kind>
class bit_level : public sc_test {};
using kinds = testing::Types<
    bit_kind<sc_dt::sc_bv<256>, bool, 1>, bit_kind<sc_dt::sc_biguint<256>, sc_dt::sc_uint<4>, 4>,
    bit_kind<sc_dt::sc_bv<256>, std::uint32_t, 4>, bit_kind<sc_dt::sc_bv<256>, sc_dt::sc_bv<4>, 4>>;
TYPED_TEST_SUITE(bit_level, kinds, );

}  // namespace

TYPED_TEST(bit_level, block_meets_packet_links_without_a_bridge) {
  using data = typename TypeParam::data;
  using ready = typename TypeParam::ready;
  bench b{testing_support::kernel::signals};
  packet_bits before("before"), after("after");
  bit_fifo<data, ready> fifo("fifo");
  auto& from = b.make<sender>("from", 70);
  auto& to = b.make<receiver>("to", 60);
  packet_checker_config rules;
  rules.lanes = TypeParam::lanes;
  auto& check_before = b.make<packet_checker>("check_before", rules, b.collect());
  auto& check_after = b.make<packet_checker>("check_after", rules, b.collect());
  from.out.lanes().declare(TypeParam::lanes), to.in.lanes().declare(TypeParam::lanes);
  from.out.bind(before), to.in.bind(after), check_before.bind(before), check_after.bind(after);
  fifo.clk(from.clk), fifo.rst(from.rst);
  fifo.in_valid(before.valid), fifo.out_valid(after.valid);
  fifo.in_data(before.data.template as<data>()), fifo.out_data(after.data.template as<data>());
  if constexpr (std::is_same_v<ready, bool>) {
    fifo.in_ready(before.ready.template as<bool>()), fifo.out_ready(after.ready.template as<bool>());
  } else {
    fifo.in_ready(before.ready.template as<ready>()), fifo.out_ready(after.ready.template as<ready>());
  }
  for (unsigned p = 0; p < 100; ++p) from.add_packet(p % 7, p % 5, p, 1 + p % 3, p % TypeParam::lanes);
  const std::vector<flit> sent(from.todo.begin(), from.todo.end());
  b.reset();
  run(1500);
  ASSERT_EQ(to.got.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(to.got[i].data, sent[i]) << i;
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

namespace {

/// Every bit that RTL writes is in the value, and every bit of the value is what RTL reads.
template <class T, unsigned Bits>
void expect_bits_through(bit_signal<T>& signal) {
  using bits = sc_dt::sc_bv<static_cast<int>(Bits)>;
  auto& view = signal.template as<bits>();
  view.write(bits{});
  run(1);
  const T none = signal.read();
  for (unsigned bit = 0; bit < Bits; ++bit) {
    bits one;
    one[static_cast<int>(bit)] = true;
    view.write(one);
    run(1);
    ASSERT_EQ(view.read(), one) << bit << " of " << signal.name();
    ASSERT_FALSE(signal.read() == none) << bit << " of " << signal.name();
  }
}

}  // namespace

namespace {

/// Counts the edges of a bit, as RTL sees them.
struct edge_counter : sc_core::sc_module {
  sc_core::sc_in<bool> bit{"bit"};
  unsigned rises = 0, falls = 0;

  SC_CTOR(edge_counter) {
    SC_METHOD(changed);
    sensitive << bit.value_changed();
    dont_initialize();
  }
  void changed() { rises += bit.posedge(), falls += bit.negedge(); }
};

}  // namespace

TEST(bit_pins, of_one_bit_tell_a_rise_from_a_fall) {
  packet_bits link("link");
  edge_counter ready("ready"), valid("valid");
  ready.bit(link.ready.as<bool>()), valid.bit(link.valid.as<bool>());
  run(1);
  link.ready.write(1), link.valid.write(true);
  run(1);
  EXPECT_EQ(ready.rises, 1u);
  EXPECT_EQ(ready.falls, 0u);
  link.ready.write(0);
  run(1);
  EXPECT_EQ(ready.rises, 1u);
  EXPECT_EQ(ready.falls, 1u);
  EXPECT_EQ(valid.rises, 1u);
  EXPECT_EQ(valid.falls, 0u);
}

TEST(bit_pins, of_one_bit_have_no_events_of_their_edges_and_say_so) {
  packet_bits link("link");
  for (auto* const pin : {&link.ready.as<bool>(), &link.valid.as<bool>()}) {
    const std::string expected = "bits of another signal have no events of their edges";
    EXPECT_NE(refusal([&] { pin->posedge_event(); }).find(expected), std::string::npos);
    EXPECT_NE(refusal([&] { pin->negedge_event(); }).find(expected), std::string::npos);
  }
}

TEST(bit_pins, of_one_bit_are_the_lowest_alone) {
  packet_bits link("link");
  auto& ready = link.ready.as<bool>();
  auto& valid = link.valid.as<std::uint32_t>();
  link.ready.write(2);
  valid.write(2);
  run(1);
  EXPECT_FALSE(ready.read()) << "lane 1 is open, lane 0 is not";
  EXPECT_FALSE(link.valid.read());
  link.ready.write(3);
  valid.write(3);
  run(1);
  EXPECT_TRUE(ready.read());
  EXPECT_TRUE(link.valid.read());
}

TEST(bit_pins, every_link_has_every_pin_as_bits) {
  bundle<embargo_pins, as_bits> embargo("embargo");
  bundle<circuit_pins, as_bits> circuit("circuit");
  bundle<spill_pins, as_bits> spill("spill");
  bundle<refill_pins, as_bits> refill("refill");
  bundle<admission_pins, as_bits> admission("admission");
  bundle<feedback_bus_pins, as_bits> feedback("feedback");
  bundle<marking_pins, as_bits> marking("marking");
  bundle<length_pins, as_bits> memory("memory");
  bundle<arrival_pins, as_bits> arrival("arrival");
  bundle<bus_value<std::uint32_t>::pins, as_bits> bus("bus");
  expect_bits_through<std::uint16_t, 16>(marking.waiting);
  expect_bits_through<std::uint8_t, 8>(marking.marks);
  expect_bits_through<std::uint16_t, 16>(memory.length);
  expect_bits_through<flit, 256>(arrival.data);
  expect_bits_through<bool, 1>(arrival.valid);
  expect_bits_through<std::uint32_t, 32>(bus.value);
  expect_bits_through<flit, 256>(embargo.data);
  expect_bits_through<lane_mask, 64>(embargo.ready);
  expect_bits_through<std::uint16_t, 16>(embargo.place);
  expect_bits_through<control_message, 48>(embargo.control);
  expect_bits_through<bool, 1>(embargo.interdict);
  expect_bits_through<flit, 256>(circuit.data);
  expect_bits_through<bool, 1>(circuit.acknowledge);
  expect_bits_through<std::uint16_t, 16>(spill.slot);
  expect_bits_through<std::uint16_t, 16>(refill.wanted);
  expect_bits_through<admission_wish, 58>(admission.wish);
  expect_bits_through<announcement, 30>(feedback.said);
}
