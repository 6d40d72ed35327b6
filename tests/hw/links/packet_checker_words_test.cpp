// What a packet checker says of what it has seen, and what it leaves alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// A link by hand, out of reset, which nobody takes flits from.
struct link_by_hand {
  bench b{testing_support::kernel::fast};
  any_link l;

  explicit link_by_hand(const packet_checker_config& rules) : l(b.link("l", rules)) {
    b.reset();
    run(1);
  }
  /// Shows it for so many cycles, whatever was shown before.
  void show(const flit& f, unsigned cycles = 1) {
    l.valid.write(true), l.data.write(f);
    run(cycles);
  }
  void silence(unsigned cycles = 1) {
    l.valid.write(false);
    run(cycles);
  }
  std::string said() const { return b.first_violation(); }
};

class packet_checker_says : public sc_test {};

}  // namespace

TEST_F(packet_checker_says, what_took_the_place_of_a_flit) {
  link_by_hand t({});
  t.show(make_flit(1, 2, 0)), t.show(make_flit(1, 3, 7));
  EXPECT_THAT(t.said(), testing::HasSubstr("1>2 #0 0/1 lane 0 became 1>3 #7 0/1 lane 0 before it was "
                                           "accepted, ready 0x0"));
}

TEST_F(packet_checker_says, what_was_withdrawn) {
  link_by_hand t({});
  t.show(make_flit(1, 2, 4)), t.silence();
  EXPECT_THAT(t.said(), testing::HasSubstr("1>2 #4 0/1 lane 0 was withdrawn before it was accepted"));
}

TEST_F(packet_checker_says, what_moved_on) {
  link_by_hand t({});
  t.show(make_flit(1, 2, 4, 0, 3)), t.show(make_flit(1, 2, 4, 1, 3));
  EXPECT_THAT(t.said(), testing::HasSubstr("1>2 #4 0/3 lane 0 moved on to 1>2 #4 1/3 lane 0 without"));
}

TEST_F(packet_checker_says, what_came_after_what) {
  link_by_hand t({});
  t.l.ready.write(1);
  t.show(make_flit(1, 2, 4, 0, 3)), t.show(make_flit(1, 2, 4, 2, 3));
  EXPECT_THAT(t.said(), testing::HasSubstr("1>2 #4 2/3 lane 0 is shown after 1>2 #4 0/3 lane 0"));
}

TEST_F(packet_checker_says, how_long_a_flit_has_waited) {
  packet_checker_config rules;
  rules.patience = 25;
  link_by_hand t(rules);
  t.show(make_flit(1, 2, 4), 40);
  EXPECT_THAT(t.said(), testing::HasSubstr("1>2 #4 0/1 lane 0 has waited for 25 cycles"));
}

TEST_F(packet_checker_says, nothing_of_what_is_withdrawn_where_a_flit_need_not_stay) {
  packet_checker_config rules;
  rules.stable = false;
  link_by_hand t(rules);
  t.show(make_flit(1, 2, 4, 0, 3)), t.silence(), t.show(make_flit(1, 3, 5)), t.silence();
  EXPECT_EQ(t.said(), "");
}

TEST_F(packet_checker_says, nothing_of_half_a_packet_of_before_a_reset) {
  link_by_hand t({});
  t.l.ready.write(0b111);
  for (const unsigned lane : {0u, 1u, 2u}) t.show(make_flit(1, 2, 4, 0, 3, lane));
  t.b.rst(true);
  t.silence();
  t.b.rst(false);
  t.silence();
  for (const unsigned lane : {0u, 1u, 2u}) t.show(make_flit(1, 2, 5, 0, 1, lane));
  t.silence();
  EXPECT_EQ(t.said(), "");
}

TEST_F(packet_checker_says, that_a_flit_was_blocked_up_to_a_reset) {
  packet_checker_config rules;
  rules.stable = false;
  link_by_hand t(rules);
  t.show(make_flit(1, 2, 4), 10);
  EXPECT_EQ(t.b.last_checker().counts().blocked, 10u);
  t.b.rst(true);
  run(1);
  t.silence(20);
  EXPECT_EQ(t.b.last_checker().counts().blocked, 10u);
  t.b.rst(false);
  run(5);
  EXPECT_EQ(t.b.last_checker().counts().blocked, 10u);
  EXPECT_EQ(t.said(), "");
}
