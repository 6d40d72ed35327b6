// Frames as others send them: without a length, with null bytes, without pins that ours have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <spillway/hw/adapters/axi_to_packet.hpp>
#include <spillway/hw/adapters/packet_to_axi.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

template <unsigned Width, class Keep>
struct bare : axi_format<Width> {
  using keep = Keep;
  using user = absent;
  using id = absent;
};

axi_frames by_tlast(unsigned longest) {
  axi_frames frames;
  frames.found = axi_frames::length::by_tlast;
  frames.longest = longest;
  frames.source = 9;
  return frames;
}

/// Beats by hand into one bridge, and what the other makes of its packets: bytes, frame by frame.
template <unsigned Width, class Keep>
struct frames_bench {
  using format = bare<Width, Keep>;
  static constexpr unsigned beat_bytes = Width / 8;

  bench b{kernel::signals};
  axi_stream_signals<format> given{"given"}, got{"got"};
  any_link link = b.link("link");
  std::vector<std::string> said;
  violation_handler collect = [this](const violation& v) { said.push_back(v.message); };
  axi_to_packet<format>& in;
  packet_to_axi<format>& out;
  std::vector<std::vector<unsigned>> frames{{}};
  unsigned beats = 0;

  explicit frames_bench(unsigned longest = 8)
      : in(b.make<axi_to_packet<format>>("in", by_tlast(longest), std::shared_ptr<const routing>{},
                                         link_end{}, collect)),
        out(b.make<packet_to_axi<format>>("out", by_tlast(longest), collect)) {
    in.in.bind(given), in.out.bind(link), out.in.bind(link), out.out.bind(got);
    b.reset();
    got.tready.write(true);
  }
  /// A beat: its bytes, -1 for a null byte.
  void beat(const std::vector<int>& bytes, bool last) {
    typename format::data data{};
    typename format::keep keep{};
    for (unsigned i = 0; i < bytes.size(); ++i) {
      if (bytes[i] < 0) continue;
      pin_bits<typename format::data>::put(data, 8 * i, 8, static_cast<std::uint64_t>(bytes[i]));
      pin_bits<Keep>::put(keep, i, 1, 1);
    }
    given.tdata.write(data), given.tkeep.write(keep), given.tlast.write(last), given.tdest.write(3);
    given.tvalid.write(true);
    for (bool taken = false; !taken; step()) taken = given.tready.read();
    given.tvalid.write(false);
  }
  /// A frame of so many bytes that count up from `first`.
  void frame(unsigned bytes, unsigned first) {
    for (unsigned done = 0; done < bytes; done += beat_bytes) {
      std::vector<int> one;
      for (unsigned i = done; i < std::min(bytes, done + beat_bytes); ++i) one.push_back((first + i) % 256);
      beat(one, done + beat_bytes >= bytes);
    }
  }
  void step() {
    run(1);
    // What is shown now was sampled with tready high at that edge, or will be at the next: take it once
    // there.
    if (!got.tvalid.read()) return;
    ++beats;
    for (unsigned i = 0; i < beat_bytes; ++i)
      if (pin_bits<Keep>::get(got.tkeep.read(), i, 1))
        frames.back().push_back(
            static_cast<unsigned>(pin_bits<typename format::data>::get(got.tdata.read(), 8 * i, 8)));
    if (got.tlast.read()) frames.emplace_back();
  }
  void drain() {
    for (unsigned i = 0; i < 100; ++i) step();
    frames.pop_back();
  }
};

template <class Bench>
class frames_by_tlast : public sc_test {};
using benches = testing::Types<frames_bench<32, sc_dt::sc_uint<4>>, frames_bench<64, std::uint8_t>,
                               frames_bench<128, std::uint16_t>, frames_bench<512, std::uint64_t>>;
TYPED_TEST_SUITE(frames_by_tlast, benches, );

}  // namespace

TYPED_TEST(frames_by_tlast, come_back_byte_for_byte) {
  TypeParam t;
  for (unsigned bytes = 1; bytes <= 64; ++bytes) t.frame(bytes, bytes);
  t.drain();
  ASSERT_EQ(t.frames.size(), 64u);
  unsigned beats = 0;
  for (unsigned bytes = 1; bytes <= 64; ++bytes) {
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < bytes; ++i) expected.push_back((bytes + i) % 256);
    ASSERT_EQ(t.frames[bytes - 1], expected);
    beats += (bytes + TypeParam::beat_bytes - 1) / TypeParam::beat_bytes;
  }
  EXPECT_EQ(t.beats, beats) << "no beat is made up of null bytes";
  EXPECT_THAT(t.said, SizeIs(0));
}

TYPED_TEST(frames_by_tlast, lose_null_bytes_wherever_they_are) {
  TypeParam t;
  t.beat({-1, 5, -1, 6}, false);
  t.beat({-1, -1}, false);
  t.beat({-1, -1, -1, 7}, false);
  t.beat({}, true);
  t.drain();
  ASSERT_THAT(t.frames, SizeIs(1));
  EXPECT_EQ(t.frames[0], (std::vector<unsigned>{5, 6, 7}));
}

TYPED_TEST(frames_by_tlast, may_have_a_full_word_behind_a_partial_one) {
  TypeParam t;
  std::vector<int> word;
  std::vector<unsigned> expected{1, 2, 3};
  for (unsigned i = 0; i < std::min(8u, TypeParam::beat_bytes); ++i) word.push_back(static_cast<int>(4 + i));
  expected.insert(expected.end(), word.begin(), word.end());
  t.beat({1, 2, 3}, false);
  t.beat(word, true);
  t.drain();
  ASSERT_THAT(t.frames, SizeIs(1));
  EXPECT_EQ(t.frames[0], expected);
}

TYPED_TEST(frames_by_tlast, that_are_too_long_are_dropped_and_reported) {
  TypeParam t;
  t.frame(8, 1);
  t.frame(65, 1);
  t.frame(200, 1);
  t.frame(64, 2);
  t.drain();
  ASSERT_THAT(t.frames, SizeIs(2));
  EXPECT_EQ(t.frames[0].size(), 8u);
  EXPECT_EQ(t.frames[1].size(), 64u);
  ASSERT_THAT(t.said, SizeIs(2));
  EXPECT_THAT(t.said[0], HasSubstr("AF2"));
  EXPECT_THAT(t.said[0], HasSubstr("from terminal 9 to 3 has more than the 8 flits that a frame may have"));
  EXPECT_EQ(t.in.dropped_frames(), 2u);
  EXPECT_EQ(t.in.broken_frames(), 2u);
}

TEST(axi_frames, of_the_longest_that_there_may_be_come_through_and_longer_ones_are_dropped_and_reported) {
  constexpr unsigned longest = 65535;
  frames_bench<512, std::uint64_t> t(longest);
  for (const unsigned words : {longest, longest + 1, longest + 2, 1u}) t.frame(8 * words, words);
  for (unsigned i = 0; i < 2 * longest && t.frames.size() < 3; ++i) t.step();
  t.drain();
  ASSERT_THAT(t.frames, SizeIs(2));
  EXPECT_THAT(t.frames[0], SizeIs(8 * longest));
  EXPECT_THAT(t.frames[1], SizeIs(8));
  ASSERT_THAT(t.said, SizeIs(2));
  for (const std::string& one : t.said)
    EXPECT_THAT(one, HasSubstr("has more than the 65535 flits that a frame may have"));
  EXPECT_EQ(t.in.dropped_frames(), 2u);
}

TYPED_TEST(frames_by_tlast, without_a_byte_are_dropped_and_reported) {
  TypeParam t;
  t.beat({}, true);
  t.frame(3, 1);
  t.drain();
  EXPECT_THAT(t.frames, SizeIs(1));
  ASSERT_THAT(t.said, SizeIs(1));
  EXPECT_THAT(t.said[0], HasSubstr("AF3"));
}

struct narrow_dest : axi_format<64> {
  using dest = sc_dt::sc_uint<4>;
};
struct narrow_id : axi_format<64> {
  using id = sc_dt::sc_uint<4>;
};

/// What is said of packets of these sources and destinations that leave as frames.
template <class Format>
std::vector<std::string> said_of_numbers(std::initializer_list<std::pair<unsigned, unsigned>> packets) {
  bench b{kernel::signals};
  any_link link = b.link("link");
  axi_stream_signals<Format> s{"s"};
  std::vector<std::string> said;
  auto& from = b.make<sender>("from");
  auto& out = b.make<packet_to_axi<Format>>("out", axi_frames{},
                                            [&](const violation& v) { said.push_back(v.message); });
  from.out.bind(link), out.in.bind(link), out.out.bind(s);
  s.tready.write(true);
  unsigned number = 0;
  for (const auto& [source, destination] : packets) from.add_packet(source, destination, number++);
  b.reset();
  run(20);
  return said;
}

TEST(axi_frames, a_number_that_does_not_fit_into_tdest_is_reported) {
  const auto said = said_of_numbers<narrow_dest>({{1, 15}, {1, 16}});
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_THAT(said[0], HasSubstr("AF4"));
  EXPECT_THAT(said[0], HasSubstr("terminal 16 does not fit into tdest"));
}

TEST(axi_frames, a_number_that_does_not_fit_into_tid_is_reported) {
  const auto said = said_of_numbers<narrow_id>({{15, 1}, {16, 1}});
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_THAT(said[0], HasSubstr("terminal 16 does not fit into tid"));
}

/// Has a tuser though nothing is to stand in it, and no other numbers than the frames'.
struct by_tlast_format : axi_format<64> {
  using keep = std::uint8_t;
  using id = absent;
  using dest = absent;
};

TEST(axi_frames, by_tlast_have_a_tuser_of_0) {
  bench b{kernel::signals};
  any_link link = b.link("link");
  axi_stream_signals<by_tlast_format> s{"s"};
  auto& from = b.make<sender>("from");
  auto& out = b.make<packet_to_axi<by_tlast_format>>("out", by_tlast(8));
  from.out.bind(link), out.in.bind(link), out.out.bind(s);
  from.add_packet(1, 2, 3);
  s.tuser.write(1);
  b.reset();
  for (unsigned cycle = 0; !s.tvalid.read(); ++cycle) {
    ASSERT_LT(cycle, 20u);
    run(1);
  }
  EXPECT_EQ(s.tuser.read(), by_tlast_format::user{});
}

TEST(axi_frames, by_tlast_are_packets_that_are_counted_between_the_terminals_of_the_bridge) {
  bench b{kernel::signals};
  any_link link = b.link("link");
  axi_stream_signals<by_tlast_format> s{"s"};
  axi_frames frames = by_tlast(8);
  frames.destination = 5;
  auto& in = b.make<axi_to_packet<by_tlast_format>>("in", frames);
  receiver& to = b.make<receiver>("to");
  in.in.bind(s), in.out.bind(link), to.in.bind(link);
  b.reset();
  s.tkeep.write(0xff), s.tlast.write(true), s.tvalid.write(true);
  for (unsigned taken = 0; taken < 3; run(1)) taken += s.tready.read();
  s.tvalid.write(false);
  run(10);
  ASSERT_EQ(to.got.size(), 3u);
  for (unsigned p = 0; p < 3; ++p) {
    EXPECT_EQ(to.got[p].data.packet, p);
    EXPECT_EQ(to.got[p].data.source, 9u);
    EXPECT_EQ(to.got[p].data.destination, 5u);
  }
}

namespace {

/// Frames whose length tuser says, of packets from terminal 1 to 2.
template <class Format>
struct frames_by_length {
  bench b{kernel::signals};
  std::vector<violation> said;
  any_link link = b.link("link");
  axi_stream_signals<Format> s{"s"};
  axi_to_packet<Format>& in =
      b.make<axi_to_packet<Format>>("in", axi_frames{}, std::shared_ptr<const routing>{}, link_end{},
                                    [this](const violation& v) { said.push_back(v); });
  receiver& to = b.make<receiver>("to");

  frames_by_length() {
    in.in.bind(s), in.out.bind(link), to.in.bind(link);
    b.reset();
  }
  void beat(unsigned packet, std::uint16_t length, std::uint16_t keep, bool last, std::uint32_t from = 1,
            std::uint32_t at = 2) {
    sc_dt::sc_bv<128> user;
    put_header(user, make_flit(1, 2, packet, 0, length));
    s.tuser.write(user), s.tid.write(from), s.tdest.write(at);
    s.tkeep.write(static_cast<typename Format::keep>(keep)), s.tlast.write(last), s.tvalid.write(true);
    for (bool taken = false; !taken; run(1)) taken = s.tready.read();
    s.tvalid.write(false);
  }
  std::vector<unsigned> packets() const {  // of the flits that came
    std::vector<unsigned> all;
    for (const auto& one : to.got) all.push_back(one.data.packet);
    return all;
  }
};

template <unsigned Width, class Keep>
struct kept_bytes : axi_format<Width> {
  using keep = Keep;
};

}  // namespace

// Beats of null bytes only end it, and what is more than its length is told.
TEST(axi_frames, of_a_length_may_end_with_null_bytes) {
  frames_by_length<kept_bytes<64, std::uint8_t>> t;
  const auto beat = [&t](unsigned packet, std::uint8_t keep, bool last) { t.beat(packet, 2, keep, last); };
  beat(0, 0xff, false), beat(0, 0xff, false), beat(0, 0, true);
  beat(1, 0xff, false), beat(1, 0xff, false), beat(1, 0, false), beat(1, 0, true);
  beat(2, 0xff, false), beat(2, 0xff, true);
  run(10);
  EXPECT_THAT(t.said, SizeIs(0));
  EXPECT_EQ(t.in.broken_frames(), 0u);
  beat(3, 0xff, false), beat(3, 0xff, false), beat(3, 0, false), beat(3, 1, false), beat(3, 0xff, true);
  beat(4, 0xff, false), beat(4, 0xff, false), beat(4, 1, true);
  beat(5, 0xff, false), beat(5, 0xff, true);
  run(10);
  ASSERT_THAT(t.said, SizeIs(2));
  for (const violation& one : t.said)
    EXPECT_THAT(one.message, HasSubstr("goes on after the 2 flits that tuser says"));
  EXPECT_EQ(t.in.broken_frames(), 2u);
  EXPECT_EQ(t.in.dropped_frames(), 0u);
  EXPECT_THAT(t.packets(), testing::ElementsAre(0u, 0u, 1u, 1u, 2u, 2u, 3u, 3u, 4u, 4u, 5u, 5u));
}

// Cut off, it would be somebody else's.
TEST(axi_frames, to_a_number_that_no_terminal_can_have_are_dropped_and_reported) {
  frames_by_length<kept_bytes<64, std::uint8_t>> t;
  const auto frame = [&t](unsigned packet, std::uint32_t from, std::uint32_t at) {
    for (const bool last : {false, true}) t.beat(packet, 2, 0xff, last, from, at);
  };
  frame(0, 1, 0xfffffff), frame(1, 1, 0x10000003), frame(2, 0x80000001, 3), frame(3, 1, 3);
  run(10);
  ASSERT_THAT(t.said, SizeIs(2));
  EXPECT_EQ(t.said[0].rule, "AF4");
  EXPECT_THAT(t.said[0].message, HasSubstr("tid 1 or tdest 268435459 is no number that a terminal can have"));
  EXPECT_EQ(t.in.broken_frames(), 2u);
  EXPECT_EQ(t.in.dropped_frames(), 2u);
  EXPECT_THAT(t.packets(), testing::ElementsAre(0u, 0u, 3u, 3u));
  EXPECT_EQ(t.to.got[0].data.destination, 0xfffffffu);
}

// Also where the bytes that are too many stand in the beat that has the last of the length.
TEST(axi_frames, of_a_length_have_no_more_bytes_in_their_last_beat) {
  frames_by_length<kept_bytes<128, std::uint16_t>> t;
  t.beat(0, 1, 0xff, true), t.beat(1, 1, 0xff00, true), t.beat(2, 3, 0xffff, false), t.beat(2, 3, 0xff, true);
  run(10);
  EXPECT_THAT(t.said, SizeIs(0));
  t.beat(3, 1, 0xffff, true), t.beat(4, 1, 0x1ff, true), t.beat(5, 3, 0xffff, false),
      t.beat(5, 3, 0x80ff, true);
  t.beat(6, 1, 0xffff, false), t.beat(6, 1, 0xffff, true), t.beat(7, 2, 0xffff, true);
  run(10);
  EXPECT_THAT(t.said, SizeIs(4));
  EXPECT_EQ(t.in.broken_frames(), 4u);
  EXPECT_EQ(t.in.dropped_frames(), 0u);
  EXPECT_THAT(t.packets(), testing::ElementsAre(0u, 1u, 2u, 2u, 2u, 3u, 4u, 5u, 5u, 5u, 6u, 7u, 7u));
}

TEST(axi_frames, a_stream_without_tuser_must_say_that_frames_end_by_tlast) {
  EXPECT_THROW((axi_to_packet<bare<64, absent>>("in")), std::invalid_argument);
}

TEST(axi_frames, a_tuser_has_16_bits_or_more_for_the_length) {
  struct narrow : axi_format<64> {
    using user = sc_dt::sc_uint<15>;
  };
  struct wide : axi_format<64> {
    using user = sc_dt::sc_uint<16>;
  };
  EXPECT_THROW(axi_to_packet<narrow>("narrow"), std::invalid_argument);
  EXPECT_NO_THROW(axi_to_packet<wide>("wide"));
}

TEST(axi_frames, have_1_to_65535_flits_at_most) {
  using bridge = axi_to_packet<bare<64, std::uint8_t>>;
  for (const unsigned longest : {0u, 65536u})
    EXPECT_THROW(bridge(("no_" + std::to_string(longest)).c_str(), by_tlast(longest)), std::invalid_argument);
  for (const unsigned longest : {1u, 65535u})
    EXPECT_NO_THROW(bridge(("of_" + std::to_string(longest)).c_str(), by_tlast(longest)));
}

TEST(axi_frames, look_ahead_where_the_next_switch_has_lanes) {
  struct straight : routing {
    port_mask outputs(unsigned node, unsigned, const flit& f) const override {
      return port_mask{1} << (f.destination + node) % 4;
    }
  };
  bench b{kernel::signals};
  packet_checker_config rules;
  rules.lanes = 4;
  any_link link = b.link("link", rules);
  axi_stream_signals<axi_format<64>> s{"s"};
  auto& in = b.make<axi_to_packet<axi_format<64>>>("in", axi_frames{}, std::make_shared<straight>(),
                                                   link_end{1, 0, 4, false});
  receiver& to = b.make<receiver>("to");
  in.in.bind(s), in.out.bind(link), to.in.bind(link);
  b.reset();
  for (unsigned p = 0; p < 4; ++p) {
    sc_dt::sc_bv<128> user;
    put_header(user, make_flit(0, p, p));
    s.tuser.write(user), s.tdest.write(p), s.tlast.write(true), s.tvalid.write(true);
    for (bool taken = false; !taken; run(1)) taken = s.tready.read();
  }
  s.tvalid.write(false);
  run(10);
  ASSERT_EQ(to.got.size(), 4u);
  for (unsigned p = 0; p < 4; ++p) EXPECT_EQ(to.got[p].data.lane, (p + 1) % 4);
}
