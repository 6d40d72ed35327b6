// Register slices: each channel by itself and all together, what they cost, and what they carry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/hw/adapters/axi4_slice.hpp>
#include <support/axi4_manager.hpp>
#include <support/link_bench.hpp>

namespace spillway {
namespace {

using testing_support::axi4_traffic;
using testing_support::bench;
using testing_support::random_axi4_manager;
using testing_support::run;

/// A subordinate that answers at once: a memory by pins, one burst of a direction at a time.
template <class Format>
class pin_memory : public clocked {
public:
  axi4_subordinate_pins<Format> s{"s_axi"};
  explicit pin_memory(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  static constexpr unsigned lanes = Format::width / 8;
  using data_bits = pin_bits<typename Format::data>;
  struct burst {
    axi4_address address;
    unsigned beat = 0;
  };

  void reset() override {
    s.awready.write(false), s.wready.write(false), s.arready.write(false);
    s.bvalid.write(false), s.rvalid.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (b_ && s.bready.read()) answers_.pop_front(), b_ = false;
    if (r_ && s.rready.read()) {
      r_ = false;
      if (++reads_.front().beat == reads_.front().address.beats) reads_.pop_front();
    }
    if (aw_ && s.awvalid.read()) writes_.push_back({write_address<Format>(s)});
    if (w_ && s.wvalid.read()) take();
    if (ar_ && s.arvalid.read()) reads_.push_back({read_address<Format>(s)});
    aw_ = writes_.size() < 4, w_ = !writes_.empty(), ar_ = reads_.size() < 4;
    s.awready.write(aw_), s.wready.write(w_), s.arready.write(ar_);
    if (!b_ && !answers_.empty()) b_ = true, write_number(s.bid, answers_.front());
    s.bvalid.write(b_);
    if (!r_ && !reads_.empty()) give();
    s.rvalid.write(r_);
  }
  void take() {
    burst& b = writes_.front();
    const std::uint64_t addr = b.address.beat(b.beat);
    for (unsigned i = 0; i < b.address.bytes_of(b.beat); ++i) {
      const auto lane = static_cast<unsigned>((addr + i) % lanes);
      if (pin_bits<typename Format::strb>::get(s.wstrb.read(), lane, 1))
        bytes_[addr + i] = static_cast<unsigned char>(data_bits::get(s.wdata.read(), 8 * lane, 8));
    }
    if (++b.beat < b.address.beats) return;
    answers_.push_back(b.address.id);
    writes_.pop_front();
  }
  void give() {
    r_ = true;
    const burst& b = reads_.front();
    typename Format::data data{};
    const std::uint64_t addr = b.address.beat(b.beat);
    for (unsigned i = 0; i < b.address.bytes_of(b.beat); ++i)
      data_bits::put(data, 8 * static_cast<unsigned>((addr + i) % lanes), 8, bytes_[addr + i]);
    s.rdata.write(data);
    write_number(s.rid, b.address.id), write_number(s.rresp, 0);
    write_number(s.rlast, b.beat + 1 == b.address.beats);
  }

  std::map<std::uint64_t, unsigned char> bytes_;
  std::deque<burst> writes_, reads_;
  std::deque<unsigned> answers_;
  bool aw_ = false, w_ = false, ar_ = false, b_ = false, r_ = false;
};

template <class Format>
struct sliced {
  bench b{testing_support::kernel::signals};
  axi4_slices<Format> wires;
  random_axi4_manager<Format>& traffic;
  pin_memory<Format>& memory = b.make<pin_memory<Format>>("memory");
  axi4_checker<Format>& check_near = b.make<axi4_checker<Format>>("check_near", b.collect());
  axi4_checker<Format>& check_far = b.make<axi4_checker<Format>>("check_far", b.collect());

  sliced(const axi4_slice_depths& depths, const axi4_traffic& shape)
      : wires("wires", depths), traffic(b.make<random_axi4_manager<Format>>("traffic", shape)) {
    for (clocked* const slice : wires.blocks()) b.clock(*slice);
    traffic.m.bind(wires.near()), check_near.bind(wires.near());
    wires.bind_subordinate(memory.s), wires.bind_subordinate(check_far);
    b.reset();
  }
  /// Cycles until all is done.
  unsigned cycles() {
    unsigned cycles = 0;
    while (!traffic.over() && cycles < 100000) run(1), ++cycles;
    EXPECT_TRUE(traffic.over());
    EXPECT_EQ(traffic.wrong(), 0u);
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
    return cycles;
  }
};

struct case_of {
  const char* name;
  axi4_slice_depths depths;
  unsigned slices;
};
void PrintTo(const case_of& c, std::ostream* os) { *os << c.name; }

class axi4_slices_in : public testing_support::sc_test, public testing::WithParamInterface<case_of> {};

TEST_P(axi4_slices_in, bring_random_bursts_through) {
  const case_of& c = GetParam();
  sliced<axi4_format<128>> t(c.depths, {5, 0, 0x2000, 300});
  EXPECT_EQ(t.wires.blocks().size(), c.slices);
  t.cycles();
  EXPECT_EQ(t.traffic.done(), 300u);
  EXPECT_EQ(t.check_near.reads() + t.check_near.writes(), 300u);
  EXPECT_EQ(t.check_far.reads(), t.check_near.reads());
  EXPECT_EQ(t.check_far.writes(), t.check_near.writes());
}
INSTANTIATE_TEST_SUITE_P(each, axi4_slices_in,
                         testing::Values(case_of{"none", {0, 0, 0, 0, 0}, 0},
                                         case_of{"aw", {2, 0, 0, 0, 0}, 1}, case_of{"w", {0, 2, 0, 0, 0}, 1},
                                         case_of{"b", {0, 0, 2, 0, 0}, 1}, case_of{"ar", {0, 0, 0, 2, 0}, 1},
                                         case_of{"r", {0, 0, 0, 0, 2}, 1}, case_of{"all", {2, 2, 2, 2, 2}, 5},
                                         case_of{"halves", {1, 1, 1, 1, 1}, 5},
                                         case_of{"deep", {5, 8, 3, 4, 16}, 5}),
                         [](const auto& one) { return one.param.name; });

/// With every pin that there is.
struct sliced_format : axi4_format<128> {
  using qos = std::uint32_t;
  using region = std::uint32_t;
  using awuser = std::uint32_t;
  using wuser = std::uint64_t;
  using buser = std::uint32_t;
  using aruser = std::uint32_t;
  using ruser = sc_dt::sc_bv<70>;
};

/// What a bundle is named by: on wires, the domain.
template <class As>
typename As::names names_on(bench& b, const char* name) {
  if constexpr (std::is_same_v<As, as_wires>)
    return b.domain();
  else
    return name;
}

/// A channel, and what its pins are.
template <class Channel, class As>
struct channel_on : Channel {
  using as = As;
};

/// A slice in one channel, whose two sides the test drives and reads.
template <class Channel>
struct alone {
  using as = typename Channel::as;
  static constexpr auto runs_on =
      std::is_same_v<as, as_wires> ? testing_support::kernel::fast : testing_support::kernel::signals;
  bench b{runs_on};
  bundle<axi4<sliced_format>::pins, as> near{names_on<as>(b, "near")}, far{names_on<as>(b, "far")};
  axi4_channel_slice<Channel>& slice;
  using pins = typename Channel::template pins<as>;
  pins& from = Channel::from_manager ? near : far;
  pins& to = Channel::from_manager ? far : near;

  explicit alone(unsigned depth) : slice(b.make<axi4_channel_slice<Channel>>("slice", depth)) {
    slice.s.bind(near), slice.m.bind(far);
    b.reset();
    run(1);
  }
  /// Every pin shows something of its own.
  axi4_beat show(std::uint64_t seed) {
    axi4_beat beat;
    for (std::uint64_t& word : beat.words) word = seed += 0x9e3779b97f4a7c15u;
    show_beat(from, beat);
    return beat;
  }
  /// Cycles that so many beats take; each is compared.
  unsigned cycles_of(unsigned beats) {
    std::deque<axi4_beat> sent;
    unsigned cycles = 0, got = 0, shown = 0;
    Channel::ready(to).write(true), Channel::valid(from).write(true);
    show(shown);
    for (; got < beats && cycles < 1000; ++cycles) {
      const bool in = Channel::ready(from).read(), out = Channel::valid(to).read();
      if (out) {
        EXPECT_TRUE(beat_of(to) == sent.front()) << "beat " << got;
        sent.pop_front(), ++got;
      }
      run(1);
      if (!in) continue;
      sent.push_back(beat_of(from));
      show(++shown);
    }
    EXPECT_EQ(got, beats);
    EXPECT_EQ(slice.beats(), beats);
    return cycles;
  }
};

template <class Channel>
class axi4_slice : public testing_support::sc_test {};
using channels = testing::Types<
    channel_on<axi4_aw<sliced_format>, as_signals>, channel_on<axi4_w<sliced_format>, as_signals>,
    channel_on<axi4_b<sliced_format>, as_signals>, channel_on<axi4_ar<sliced_format>, as_signals>,
    channel_on<axi4_r<sliced_format>, as_signals>, channel_on<axi4_aw<sliced_format>, as_wires>,
    channel_on<axi4_w<sliced_format>, as_wires>, channel_on<axi4_b<sliced_format>, as_wires>,
    channel_on<axi4_ar<sliced_format>, as_wires>, channel_on<axi4_r<sliced_format>, as_wires>>;
TYPED_TEST_SUITE(axi4_slice, channels, );

// The first beat crosses at the first edge, is shown from then on and crosses at the second.
TYPED_TEST(axi4_slice, of_two_places_passes_a_beat_a_cycle_and_costs_one) {
  EXPECT_EQ(alone<TypeParam>(2).cycles_of(100), 101u);
}
TYPED_TEST(axi4_slice, of_one_place_passes_a_beat_every_other_cycle) {
  EXPECT_EQ(alone<TypeParam>(1).cycles_of(100), 200u);
}
TYPED_TEST(axi4_slice, holds_no_more_than_its_places) {
  alone<TypeParam> t(3);
  TypeParam::valid(t.from).write(true);
  unsigned taken = 0;
  for (unsigned i = 0; i < 20; ++i) {
    taken += TypeParam::ready(t.from).read();
    run(1);
  }
  EXPECT_EQ(taken, 3u);
  EXPECT_FALSE(TypeParam::ready(t.from).read());
}
TYPED_TEST(axi4_slice, is_empty_after_a_reset) {
  alone<TypeParam> t(3);
  TypeParam::valid(t.from).write(true);
  run(5);
  TypeParam::valid(t.from).write(false);
  t.b.reset();
  EXPECT_FALSE(TypeParam::valid(t.to).read());
  run(3);
  EXPECT_FALSE(TypeParam::valid(t.to).read());
}

/// The names of the pins, without that of the bundle.
template <class Signals>
std::vector<std::string> names_of(Signals& s) {
  std::vector<std::string> names;
  Signals::each([&](const auto& pin) { names.push_back(std::string(pin.name()).substr(2)); }, s);
  return names;
}

TEST(axi_pins, have_the_names_that_the_standards_give_them) {
  axi4_signals<sliced_format> s("s");
  std::vector<std::string> expected;
  const auto add = [&expected](const std::string& channel, std::initializer_list<const char*> pins) {
    for (const char* const pin : pins) expected.push_back(channel + pin);
  };
  const auto address = {"valid", "ready", "addr", "id",  "len",    "size", "burst",
                        "lock",  "cache", "prot", "qos", "region", "user"};
  add("aw", address), add("w", {"valid", "ready", "data", "strb", "last", "user"});
  add("b", {"valid", "ready", "id", "resp", "user"});
  add("ar", address), add("r", {"valid", "ready", "data", "id", "resp", "last", "user"});
  EXPECT_EQ(names_of(s), expected);
  struct kept : axi_format<64> {
    using keep = std::uint8_t;
  };
  axi_stream_signals<kept> t("t");
  expected.clear();
  add("t", {"valid", "ready", "data", "last", "keep", "dest", "id", "user"});
  EXPECT_EQ(names_of(t), expected);
}

TEST(axi4_slice_depth, of_none_is_refused) {
  EXPECT_THROW(axi4_channel_slice<axi4_aw<sliced_format>>("none", 0), std::invalid_argument);
}

}  // namespace
}  // namespace spillway
