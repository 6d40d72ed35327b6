// Packets through a stream of every width and type of pins, and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/adapters/axi_fifo_checker.hpp>
#include <spillway/hw/adapters/axi_stream_checker.hpp>
#include <spillway/hw/adapters/axi_to_packet.hpp>
#include <spillway/hw/adapters/packet_to_axi.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

template <unsigned Width, class Data, class User = sc_dt::sc_bv<128>, class Keep = absent,
          class Dest = std::uint32_t, class Id = Dest>
struct stream_kind : axi_format<Width> {
  using data = Data;
  using user = User;
  using keep = Keep;
  using dest = Dest;
  using id = Id;
};

template <class Kind>
struct bridges {
  bench b{kernel::signals};
  any_link l_in = b.link("l_in"), l_out = b.link("l_out");
  axi_stream_signals<Kind> stream{"stream"};
  std::vector<violation> violations;
  violation_handler collect = [this](const violation& v) { violations.push_back(v); };
  packet_to_axi<Kind>& there;
  axi_to_packet<Kind>& back;
  axi_stream_checker<Kind>& check;
  sender& from;
  receiver& to;

  bridges(unsigned send_rate, unsigned take_rate, const axi_frames& frames = {})
      : there(b.make<packet_to_axi<Kind>>("there", frames, collect)),
        back(b.make<axi_to_packet<Kind>>("back", frames, std::shared_ptr<const routing>{}, link_end{},
                                         collect)),
        check(b.make<axi_stream_checker<Kind>>("check", collect)),
        from(b.make<sender>("from", send_rate)),
        to(b.make<receiver>("to", take_rate)) {
    from.out.bind(l_in), there.in.bind(l_in);
    there.out.bind(stream), back.in.bind(stream), check.bind(stream);
    back.out.bind(l_out), to.in.bind(l_out);
    b.reset();
  }
};

template <class Kind>
class stream : public sc_test {};

using kinds = testing::Types<
    stream_kind<32, std::uint32_t>, stream_kind<32, std::uint32_t, std::uint64_t>,
    stream_kind<32, sc_dt::sc_uint<32>>, stream_kind<32, sc_dt::sc_bv<32>>, stream_kind<64, std::uint64_t>,
    stream_kind<64, sc_dt::sc_uint<64>, sc_dt::sc_biguint<128>>, stream_kind<64, sc_dt::sc_bv<64>>,
    stream_kind<128, sc_dt::sc_bv<128>>, stream_kind<256, sc_dt::sc_bv<256>>,
    stream_kind<256, sc_dt::sc_biguint<256>>,
    stream_kind<64, std::uint64_t, sc_dt::sc_bv<116>, std::uint8_t, sc_dt::sc_uint<10>, sc_dt::sc_bv<10>>,
    stream_kind<32, std::uint32_t, sc_dt::sc_bv<128>, sc_dt::sc_uint<4>>,
    stream_kind<512, sc_dt::sc_bv<512>, sc_dt::sc_bv<128>, std::uint64_t>,
    stream_kind<512, sc_dt::sc_bv<512>, std::uint64_t>>;
TYPED_TEST_SUITE(stream, kinds, );

}  // namespace

TYPED_TEST(stream, brings_every_packet_back_as_it_was) {
  bridges<TypeParam> t(70, 60);
  dice d(5);
  std::vector<flit> sent;
  for (unsigned p = 0; p < 60; ++p) t.from.add_packet(d.below(1000), d.below(1000), p, 1 + d.below(20));
  for (flit& f : t.from.todo) {
    f.kind = static_cast<flit_kind>(f.packet % 4);
    f.network = static_cast<std::uint8_t>(f.packet % 4);
    f.traffic_class = f.packet * 3 % 16;
    f.marks = f.packet * 5 % 16;
    const bool wide = !std::is_integral_v<typename TypeParam::user>;
    f.interface_word = wide ? f.packet * 0x1234567891u & 0xffffffffff : 0;
    f.route = wide ? f.packet * 77 & 0xfff : 0;
    sent.push_back(f);
  }
  run(6000);
  ASSERT_EQ(t.to.got.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(t.to.got[i].data, sent[i]) << i;
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  EXPECT_TRUE(t.violations.empty());
  EXPECT_EQ(t.back.broken_frames(), 0u);
}

TYPED_TEST(stream, loses_in_a_reset_what_it_counts) {
  bridges<TypeParam> t(100, 30);
  for (unsigned p = 0; p < 100; ++p) t.from.add_packet(1, 2, p, 1);
  run(60);
  const std::size_t sent = t.from.sent.size();
  t.b.rst(true);
  run(3);
  const std::size_t got = t.to.got.size();
  EXPECT_EQ(t.there.lost_in_reset() + t.back.lost_in_reset(), sent - got);
  EXPECT_GT(sent, got);
}

TYPED_TEST(stream, starts_afresh_after_a_reset) {
  bridges<TypeParam> t(100, 100);
  for (unsigned p = 0; p < 500; ++p) t.from.add_packet(1, 2, p, 1);
  for (unsigned cut = 0; cut < 10; ++cut) {  // also in the middle of a word
    run(20 + cut);
    t.b.reset();
  }
  EXPECT_GT(t.to.got.size(), 50u);
  for (const passage& p : t.to.got) EXPECT_EQ(p.data.payload, make_flit(1, 2, p.data.packet).payload);
}

TEST(stream_header, comes_back_field_by_field) {
  flit f;
  f.length = 7, f.packet = 0x12345678, f.kind = flit_kind::reply, f.traffic_class = 9, f.marks = 6;
  f.network = 2, f.interface_word = 0x123456789a, f.route = 0xabc;
  sc_dt::sc_bv<128> user;
  put_header(user, f);
  flit back;
  get_header(user, back);
  EXPECT_EQ(back.length, f.length);
  EXPECT_EQ(back.packet, f.packet);
  EXPECT_EQ(back.kind, f.kind);
  EXPECT_EQ(back.traffic_class, f.traffic_class);
  EXPECT_EQ(back.marks, f.marks);
  EXPECT_EQ(back.network, f.network);
  EXPECT_EQ(back.interface_word, f.interface_word);
  EXPECT_EQ(back.route, f.route);
}

TEST(stream_speed, a_wide_stream_moves_a_flit_a_cycle) {
  bridges<stream_kind<64, std::uint64_t>> t(100, 100);
  for (unsigned p = 0; p < 100; ++p) t.from.add_packet(1, 2, p, 4);
  run(420);
  EXPECT_EQ(t.to.got.size(), 400u);
}

namespace {

/// Drives a stream by hand, from outside of the edges.
struct hand_driven {
  bench b{kernel::signals};
  axi_stream_signals<axi_format<64>> s{"s"};
  std::vector<std::string> broken, said;
  axi_stream_checker<axi_format<64>>& check;

  hand_driven()
      : check(b.make<axi_stream_checker<axi_format<64>>>("check", [this](const violation& v) {
          broken.push_back(v.rule);
          said.push_back(v.message);
        })) {
    check.bind(s);
    b.reset();
    run(1);
  }
  void show(bool valid, std::uint64_t data, std::uint32_t dest, bool ready, bool last = true) {
    s.tvalid.write(valid), s.tdata.write(data), s.tdest.write(dest), s.tready.write(ready),
        s.tlast.write(last);
    run(1);
  }
};

using rules = std::vector<std::string>;

}  // namespace

TEST(axi_stream_checker, ax1_a_beat_stays) {
  hand_driven t;
  t.show(true, 1, 0, false);
  t.show(true, 2, 0, false);
  EXPECT_EQ(t.broken, rules{"AX1"});
  EXPECT_THAT(t.said.at(0), testing::HasSubstr("before it was taken: tdata 0x1 tlast 1 tdest 0x0 tid 0x0"));
  EXPECT_THAT(t.said.at(0), testing::HasSubstr("then tdata 0x2 tlast 1"));
  EXPECT_EQ(t.check.violations(), 1u);
}

TEST(axi_stream_checker, wide_values_are_printed_in_full) {
  sc_dt::sc_biguint<128> wide = 1;
  wide = (wide << 64) | 2;
  std::ostringstream text;
  detail::add_value(text, "tdata", wide);
  EXPECT_EQ(text.str(), " tdata 0x1_0000000000000002");
}

TEST(axi_stream_checker, ax4_tvalid_stays) {
  hand_driven t;
  t.show(true, 1, 0, false);
  t.show(false, 1, 0, true);
  EXPECT_EQ(t.broken, rules{"AX4"});
  EXPECT_THAT(t.said.at(0), testing::HasSubstr("fell before the beat was taken: tdata 0x1"));
}

TEST(axi_stream_checker, ax2_silent_in_reset) {
  hand_driven t;
  t.b.rst(true);
  run(1);
  t.show(true, 1, 0, true);
  EXPECT_EQ(t.broken, rules{"AX2"});
}

TEST(axi_stream_checker, ax2_is_of_reset_from_its_second_edge_to_the_first_after_it) {
  hand_driven t;
  t.b.rst(true);
  t.show(true, 1, 0, true);
  EXPECT_EQ(t.broken, rules{}) << "its first edge";
  t.show(false, 1, 0, true);
  t.b.rst(false);
  t.show(true, 1, 0, true);
  EXPECT_EQ(t.broken, rules{"AX2"}) << "the first edge after it";
  t.show(true, 1, 0, true);
  EXPECT_EQ(t.broken, rules{"AX2"}) << "the second";
}

TEST(axi_stream_checker, a_reset_ends_the_frame_and_the_wait) {
  hand_driven t;
  t.show(true, 1, 3, true, false);   // a frame that goes on
  t.show(true, 2, 3, false, false);  // and a beat that waits
  t.s.tvalid.write(false);
  t.b.reset();
  run(1);
  t.show(true, 4, 5, true);
  EXPECT_EQ(t.broken, rules{});
}

TEST(axi_beat, is_another_where_any_pin_is) {
  struct kept : axi_format<64> {
    using keep = std::uint8_t;
  };
  const axi_beat<kept> beat{};
  for (unsigned pin = 0; pin < 6; ++pin) {
    axi_beat<kept> other{};
    other.data = pin == 0;
    other.last = pin == 1;
    other.keep = pin == 2;
    other.dest = pin == 3;
    other.id = pin == 4;
    other.user = pin == 5;
    EXPECT_FALSE(beat == other) << pin;
  }
  EXPECT_TRUE(beat == axi_beat<kept>{});
}

TEST(axi_stream_checker, ax3_one_destination_a_frame) {
  hand_driven t;
  t.show(true, 1, 0, true, false);
  t.show(true, 2, 5, true, true);
  EXPECT_EQ(t.broken, rules{"AX3"});
}

TEST(axi_stream_checker, ax3_one_tid_a_frame) {
  hand_driven t;
  t.s.tid.write(4);
  t.show(true, 1, 7, true, false);
  t.s.tid.write(5);
  t.show(true, 2, 7, true, true);
  EXPECT_EQ(t.broken, rules{"AX3"});
}

TEST(axi_stream_checker, ax3_another_tid_and_destination_in_the_next_frame) {
  hand_driven t;
  t.s.tid.write(4);
  t.show(true, 1, 7, true, true);
  t.s.tid.write(5);
  t.show(true, 2, 8, true, true);
  EXPECT_EQ(t.broken, rules{});
}

TEST(axi_stream_checker, is_quiet_where_all_is_right) {
  hand_driven t;
  t.show(true, 1, 3, false, false);
  t.show(true, 1, 3, true, false);
  t.show(true, 2, 3, true, true);
  t.show(true, 9, 5, true, true);
  t.show(false, 0, 0, true, true);
  EXPECT_EQ(t.broken, rules{});
  EXPECT_EQ(t.check.transfers(), 3u);
}

TEST(axi_fifo_checker, forgets_in_a_reset_what_was_inside) {
  bench b{kernel::signals};
  axi_stream_signals<axi_format<64>> in{"in"}, out{"out"};
  auto& check = b.make<axi_fifo_checker<axi_format<64>>>("check", b.collect());
  check.in.bind(in), check.out.bind(out);
  in.tready.write(true), out.tready.write(true);
  const auto cross = [](auto& side, std::uint64_t data) {
    side.tdata.write(data), side.tvalid.write(true);
    run(1);
    side.tvalid.write(false);
  };
  b.reset();
  run(1);
  cross(in, 1);
  EXPECT_EQ(check.level(), 1u);
  b.reset();
  run(1);
  EXPECT_EQ(check.level(), 0u);
  cross(in, 2), cross(out, 2);
  EXPECT_EQ(check.level(), 0u);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  cross(out, 3);
  EXPECT_EQ(check.violations(), 1u);
}

namespace {

/// Frames fed by hand into axi_to_packet, whose packets go to a slow receiver over a checked link.
template <class Width>
struct hand_fed {
  using format = axi_format<Width::value>;

  bench b{kernel::signals};
  any_link l_out = b.link("l_out");
  axi_stream_signals<format> s{"s"};
  std::vector<std::string> said;
  axi_to_packet<format>& back =
      b.make<axi_to_packet<format>>("back", axi_frames{}, std::shared_ptr<const routing>{}, link_end{},
                                    [this](const violation& v) { said.push_back(v.message); });
  receiver& to = b.make<receiver>("to", 30);

  hand_fed() {
    back.in.bind(s), back.out.bind(l_out), to.in.bind(l_out);
    b.reset();
  }

  static constexpr unsigned beats_of(unsigned flits) {
    return (flits * 64 + Width::value - 1) / Width::value;
  }

  /// Says that it has `flits` flits, and has `beats` beats, or more that do not come yet.
  void feed(unsigned packet, unsigned flits, unsigned beats, bool ends = true) {
    sc_dt::sc_bv<128> user;
    put_header(user, make_flit(1, 2, packet, 0, flits));
    s.tuser.write(user), s.tid.write(1), s.tdest.write(2);
    for (unsigned beat = 1; beat <= beats; ++beat) {
      s.tvalid.write(true), s.tlast.write(ends && beat == beats);
      for (bool taken = false; !taken; run(1)) taken = s.tready.read();
    }
    s.tvalid.write(false);
  }

  /// A right frame follows, and what has come are whole packets: their numbers.
  std::vector<unsigned> packets_with_one_more(unsigned packet) {
    feed(packet, 2, beats_of(2));
    run(100);
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
    std::vector<unsigned> packets;
    for (const passage& p : to.got)
      if (p.data.tail()) packets.push_back(p.data.packet);
    return packets;
  }
};

template <class Width>
class broken_frame : public sc_test {};

using stream_widths =
    testing::Types<std::integral_constant<unsigned, 32>, std::integral_constant<unsigned, 64>,
                   std::integral_constant<unsigned, 256>>;
TYPED_TEST_SUITE(broken_frame, stream_widths, );

}  // namespace

TYPED_TEST(broken_frame, that_is_empty_is_dropped) {
  hand_fed<TypeParam> t;
  t.feed(3, 0, 1);
  t.feed(4, 0, 3);
  EXPECT_EQ(t.packets_with_one_more(5), std::vector<unsigned>{5});
  EXPECT_EQ(t.back.broken_frames(), 2u);
  EXPECT_EQ(t.back.dropped_frames(), 2u);
  EXPECT_THAT(t.said, testing::SizeIs(2));
}

TYPED_TEST(broken_frame, that_ends_too_early_is_filled_up) {
  hand_fed<TypeParam> t;
  t.feed(3, 20, 1);
  t.feed(4, 6, t.beats_of(6) - 1);
  EXPECT_EQ(t.packets_with_one_more(5), (std::vector<unsigned>{3, 4, 5}));
  EXPECT_EQ(t.to.got.size(), 28u);
  EXPECT_EQ(t.back.broken_frames(), 2u);
  ASSERT_THAT(t.said, testing::SizeIs(2));
  EXPECT_THAT(t.said[0], testing::HasSubstr("AF1"));
  EXPECT_THAT(t.said[0], testing::HasSubstr("from terminal 1 to 2 ends after"));
  EXPECT_THAT(t.said[0], testing::HasSubstr("of the 20 flits that tuser says"));
}

TYPED_TEST(broken_frame, is_forgotten_in_a_reset) {
  hand_fed<TypeParam> t;
  t.feed(3, 2, t.beats_of(2) + 3, false);  // the rest is being dropped
  run(100);
  t.b.reset();
  EXPECT_EQ(t.packets_with_one_more(4), (std::vector<unsigned>{3, 4}));
  t.feed(5, 20, 1);  // is being filled up
  t.b.reset();
  EXPECT_EQ(t.packets_with_one_more(6), (std::vector<unsigned>{3, 4, 6}));
}

TYPED_TEST(broken_frame, that_ends_too_late_is_cut) {
  hand_fed<TypeParam> t;
  t.feed(3, 2, t.beats_of(2) + 7);
  EXPECT_EQ(t.packets_with_one_more(4), (std::vector<unsigned>{3, 4}));
  EXPECT_EQ(t.to.got.size(), 4u);
  EXPECT_EQ(t.back.broken_frames(), 1u);
}
