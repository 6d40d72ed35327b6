#include <gtest/gtest.h>

#include <spillway/hw/srp/srp_checker.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;
using srp::make_message;
using srp::message;

namespace {

constexpr unsigned self = 1, terminals = 8;

/// Plays what crosses the links of terminal 1.
struct played_terminal {
  bench b;
  any_link speculates, sends, asks, answers, guessed, asked, answered;
  srp_checker& rules;

  explicit played_terminal(kernel k, srp_reserve reserve = srp_reserve::first)
      : b(k),
        speculates(b.bare_link("speculates")),
        sends(b.bare_link("sends")),
        asks(b.bare_link("asks")),
        answers(b.bare_link("answers")),
        guessed(b.bare_link("guessed")),
        asked(b.bare_link("asked")),
        answered(b.bare_link("answered")),
        rules(
            b.make<srp_checker>("rules", srp_checker_config{"", terminals, 4, 1000, reserve}, b.collect())) {
    rules.speculates.bind(speculates), rules.sends.bind(sends), rules.asks.bind(asks);
    rules.answers.bind(answers), rules.guessed.bind(guessed), rules.asked.bind(asked);
    rules.answered.bind(answered);
    b.reset();
    for (any_link* const l : {&speculates, &sends, &asks, &answers, &guessed, &asked, &answered})
      l->ready.write(1);
    run(1);
    now = 3;
  }
  void cross(any_link& l, const flit& f) {
    bench::cross(l, f);
    ++now;
  }
  void wait(unsigned cycles) { run(cycles), now += cycles; }
  /// Its last switch, at terminal 2, gives a packet a time.
  void is_deferred(std::uint32_t packet, std::uint64_t start) {
    cross(answered, make_message(message::deferred, 2, {self, packet}, srp::grant_times(start, now)));
  }
  /// Of the last rule that was broken.
  void expect_said(const std::string& what) const {
    const std::string& said = b.violations.back().message;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  }
  std::uint64_t now = 0;  // the next edge
};

flit to(std::uint32_t destination, std::uint32_t packet, unsigned length = 1) {
  return make_flit(self, destination, packet, 0, length);
}
flit grant_to_self(std::uint32_t from, std::uint64_t start, std::uint64_t sent) {
  return make_message(message::grant, from, {self, 0}, srp::grant_times(start, sent));
}

class srp_checker_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(srp_checker_on, knows_the_granted_time) {
  played_terminal t(GetParam());
  t.cross(t.sends, to(2, 0));  // a small message
  EXPECT_EQ(t.b.broken(), "");
  t.cross(t.sends, to(2, 1, 4));
  EXPECT_EQ(t.b.broken(), "SR1 ");  // too large for one
  t.expect_said("goes without a reservation");
  t.cross(t.asks, make_message(message::reservation, self, {3, 0}, 3));
  t.cross(t.sends, to(3, 2));
  EXPECT_EQ(t.b.broken(), "SR1 SR1 ");
  t.expect_said("goes before its reservation is granted");
  const std::uint64_t start = t.now + 20;
  t.cross(t.answered, grant_to_self(3, start, t.now));
  t.wait(static_cast<unsigned>(start - t.now));
  t.cross(t.sends, to(3, 3));  // a cycle too soon: seen at `start`, chosen before it
  EXPECT_EQ(t.b.broken(), "SR1 SR1 SR1 ");
  t.expect_said("goes 1 cycles before its granted time");
  t.cross(t.sends, to(3, 4));
  EXPECT_EQ(t.b.broken(), "SR1 SR1 SR1 ");
  t.cross(t.asks, make_message(message::reservation, self, {3, 5}, 1));  // the three have gone
  EXPECT_EQ(t.b.broken(), "SR1 SR1 SR1 ");
  t.cross(t.asks, make_message(message::reservation, self, {3, 5}, 1));
  EXPECT_EQ(t.b.broken(), "SR1 SR1 SR1 SR3 ");
  t.expect_said("asks again before the last message there is done");
}

TEST_P(srp_checker_on, knows_who_may_speculate) {
  played_terminal t(GetParam());
  t.cross(t.speculates, to(2, 0));
  EXPECT_EQ(t.b.broken(), "SR4 ");
  t.expect_said("is sent speculatively without a reservation");
  t.cross(t.asks, make_message(message::reservation, self, {3, 0}, 9));
  t.cross(t.speculates, to(3, 1));
  t.cross(t.speculates, to(3, 2));
  EXPECT_EQ(t.b.broken(), "SR4 ");
  t.cross(t.answered, make_message(message::delivered, 3, {self, 1}));
  t.cross(t.speculates, to(3, 3));
  EXPECT_EQ(t.b.broken(), "SR4 ");
  t.cross(t.answered, make_message(message::refused, 3, {self, 2}));
  t.cross(t.speculates, to(3, 4));
  EXPECT_EQ(t.b.broken(), "SR4 SR4 ");
  t.expect_said("is sent speculatively after another was dropped");
  t.cross(t.asks, make_message(message::reservation, self, {4, 0}, 9));
  t.cross(t.answered, grant_to_self(4, t.now + 50, t.now));
  t.cross(t.speculates, to(4, 5));
  EXPECT_EQ(t.b.broken(), "SR4 SR4 SR4 ");
  t.expect_said("is sent speculatively after the grant");
}

TEST_P(srp_checker_on, knows_what_was_dropped) {
  played_terminal t(GetParam(), srp_reserve::after_drop);
  t.cross(t.asks, make_message(message::reservation, self, {3, 0}, 9));
  EXPECT_EQ(t.b.broken(), "SR3 ");
  t.expect_said("asks although nothing has been dropped");
  t.cross(t.speculates, to(2, 0));
  t.cross(t.answered, make_message(message::refused, 2, {self, 0}));
  EXPECT_EQ(t.b.broken(), "SR3 ");
  t.cross(t.speculates, to(2, 1));
  EXPECT_EQ(t.b.broken(), "SR3 SR4 ");
  t.expect_said("is sent speculatively after another was dropped");
  t.cross(t.asks, make_message(message::reservation, self, {2, 0}, 2));
  EXPECT_EQ(t.b.broken(), "SR3 SR4 ");
  t.cross(t.answered, grant_to_self(2, 0, 0));
  t.cross(t.sends, to(2, 0)), t.cross(t.sends, to(2, 1));
  t.cross(t.speculates, to(2, 2));
  EXPECT_EQ(t.b.broken(), "SR3 SR4 ");
}

TEST_P(srp_checker_on, knows_what_the_last_switch_has_granted) {
  played_terminal t(GetParam(), srp_reserve::last_switch);
  t.cross(t.speculates, to(2, 0, 1)), t.cross(t.speculates, to(2, 1, 1));
  t.is_deferred(0, t.now + 30);
  t.cross(t.speculates, to(2, 2));
  EXPECT_EQ(t.b.broken(), "") << "others may";
  t.cross(t.speculates, to(2, 0));
  EXPECT_EQ(t.b.broken(), "SR4 ");
  t.expect_said("is sent speculatively although it has a granted time");
  t.cross(t.sends, to(2, 0));
  EXPECT_EQ(t.b.broken(), "SR4 SR1 ");
  t.is_deferred(1, t.now);
  t.wait(3);
  t.cross(t.sends, to(2, 1));
  EXPECT_EQ(t.b.broken(), "SR4 SR1 ");
  t.cross(t.sends, to(2, 3, 4));  // nobody has granted it
  EXPECT_EQ(t.b.broken(), "SR4 SR1 SR1 ");
  t.cross(t.asks, make_message(message::reservation, self, {2, 0}, 9));
  EXPECT_EQ(t.b.broken(), "SR4 SR1 SR1 SR3 ");
  t.expect_said("asks although its last switch reserves");
  t.is_deferred(1, t.now);  // once more
  EXPECT_EQ(t.b.broken(), "SR4 SR1 SR1 SR3 SR3 ");
  t.cross(t.speculates, to(2, 4)), t.is_deferred(4, t.now + 30);
  t.b.reset();
  t.cross(t.speculates, to(2, 4));  // numbers begin anew
  EXPECT_EQ(t.b.broken(), "SR4 SR1 SR1 SR3 SR3 ");
}

TEST_P(srp_checker_on, lets_a_packet_go_once_by_the_grant_of_its_last_switch) {
  played_terminal t(GetParam(), srp_reserve::last_switch);
  const flit packet = to(2, 0, 4);  // too large to go without one
  t.cross(t.speculates, packet), t.is_deferred(0, t.now);
  t.wait(3);
  t.cross(t.sends, packet);
  EXPECT_EQ(t.b.broken(), "");
  t.cross(t.sends, packet);
  EXPECT_EQ(t.b.broken(), "SR1 ");
}

TEST_P(srp_checker_on, knows_who_grants) {
  played_terminal t(GetParam());
  t.cross(t.asks, make_message(message::reservation, self, {2, 0}, 9));
  t.cross(t.speculates, to(2, 0));
  t.is_deferred(0, t.now);
  EXPECT_EQ(t.b.broken(), "SR3 ");
  t.expect_said("tells of a packet that does not wait for its last switch");
}

TEST_P(srp_checker_on, knows_what_is_granted_and_answered) {
  played_terminal t(GetParam());
  const auto grants = [&](std::uint32_t whom, std::uint64_t start) {
    t.cross(t.answers, make_message(message::grant, self, {whom, 0}, srp::grant_times(start, t.now)));
  };
  grants(3, 50);
  EXPECT_EQ(t.b.broken(), "SR3 ");
  t.expect_said("grants what nobody waits for");
  for (const unsigned from : {3u, 4u, 5u})
    t.cross(t.asked, make_message(message::reservation, from, {self, 0}, 30));
  grants(3, 50), grants(4, 80);
  EXPECT_EQ(t.b.broken(), "SR3 ");
  grants(5, 109);  // a cycle too soon
  EXPECT_EQ(t.b.broken(), "SR3 SR2 ");
  t.expect_said("grants cycle 109, up to 110 others have grants");
  grants(5, 150);  // once more
  EXPECT_EQ(t.b.broken(), "SR3 SR2 SR3 ");
  t.cross(t.guessed, make_flit(6, self, 0));
  t.cross(t.answers, make_message(message::delivered, self, {6, 0}));
  EXPECT_EQ(t.b.broken(), "SR3 SR2 SR3 ");
  t.cross(t.answers, make_message(message::delivered, self, {6, 0}));
  t.expect_said("tells of a packet of which none has come");
  t.cross(t.answers, make_message(message::refused, self, {6, 1}));
  t.expect_said("tells of a packet of which none is known to have been dropped");
  EXPECT_EQ(t.b.broken(), "SR3 SR2 SR3 SR3 SR3 ");
  t.cross(t.asked, srp::time_of_life(1).remains(make_flit(6, self, 1), {}, 0).data);
  t.cross(t.answers, make_message(message::refused, self, {6, 1}));
  EXPECT_EQ(t.b.broken(), "SR3 SR2 SR3 SR3 SR3 ");
  t.cross(t.answers, make_message(message::reservation, self, {3, 0}, 1));  // is no answer
  EXPECT_EQ(t.b.broken(), "SR3 SR2 SR3 SR3 SR3 SR3 ");
  t.expect_said("is no answer: its kind is 1");
}

TEST_P(srp_checker_on, owes_no_receipts_of_what_came_before_a_reset) {
  played_terminal t(GetParam());
  t.cross(t.guessed, make_flit(6, self, 0));
  t.cross(t.asked, srp::time_of_life(1).remains(make_flit(6, self, 1), {}, 0).data);
  t.b.reset();
  t.cross(t.answers, make_message(message::delivered, self, {6, 0}));
  EXPECT_EQ(t.b.broken(), "SR3 ");
  t.cross(t.answers, make_message(message::refused, self, {6, 1}));
  EXPECT_EQ(t.b.broken(), "SR3 SR3 ");
}

TEST_P(srp_checker_on, owes_no_grants_of_what_was_asked_for_before_a_reset) {
  played_terminal t(GetParam());
  t.cross(t.asked, make_message(message::reservation, 3, {self, 0}, 30));
  t.b.reset();
  t.cross(t.answers, make_message(message::grant, self, {3, 0}, srp::grant_times(50, 20)));
  EXPECT_EQ(t.b.broken(), "SR3 ");
}

INSTANTIATE_TEST_SUITE_P(kernels, srp_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
