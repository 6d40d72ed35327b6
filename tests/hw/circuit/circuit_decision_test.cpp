// The router's decisions against the tables of the requirement: section 3 of Strumpen and Krishnamurthy.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <spillway/hw/circuit/circuit_decision.hpp>
#include <spillway/hw/circuit/retry.hpp>
#include <spillway/hw/kernel/draw.hpp>

using namespace spillway;

namespace {

constexpr std::uint8_t none = circuit_grants::none;

wishes all(wish a, wish b, wish c, wish d) {
  wishes w;
  w.add(port_a, a), w.add(port_b, b), w.add(port_c, c), w.add(port_d, d);
  return w;
}

std::array<std::uint8_t, 4> decided(wishes w, unsigned taken, std::uint64_t random,
                                    contention rule = contention::random) {
  return decide(w, taken, rule, random).output;
}
using four = std::array<std::uint8_t, 4>;

TEST(circuit_decision, a_message_up_takes_either_port_at_random) {
  const wishes w = all(wish::up, wish::nothing, wish::nothing, wish::nothing);
  EXPECT_EQ(decided(w, 0, 0), (four{port_c, none, none, none}));
  EXPECT_EQ(decided(w, 0, 1), (four{port_d, none, none, none}));
}

TEST(circuit_decision, a_message_up_takes_the_free_port_when_one_is_taken) {
  const wishes w = all(wish::nothing, wish::up, wish::nothing, wish::nothing);
  for (const std::uint64_t random : {0, 1}) {
    EXPECT_EQ(decided(w, 1u << port_c, random), (four{none, port_d, none, none}));
    EXPECT_EQ(decided(w, 1u << port_d, random), (four{none, port_c, none, none}));
  }
}

TEST(circuit_decision, two_messages_up_take_one_port_each_the_first_at_random) {
  const wishes w = all(wish::up, wish::up, wish::nothing, wish::nothing);
  EXPECT_EQ(decided(w, 0, 0), (four{port_c, port_d, none, none}));
  EXPECT_EQ(decided(w, 0, 1), (four{port_d, port_c, none, none}));
}

TEST(circuit_decision, messages_that_turn_both_ways_do_not_collide) {
  EXPECT_EQ(decided(all(wish::b, wish::a, wish::nothing, wish::nothing), 0, 0),
            (four{port_b, port_a, none, none}));
}

TEST(circuit_decision, a_port_that_is_held_rejects_all_newcomers) {
  const wishes w = all(wish::nothing, wish::a, wish::a, wish::a);
  EXPECT_EQ(decided(w, 1u << port_a, ~std::uint64_t{0}), (four{none, none, none, none}));
}

TEST(circuit_decision, a_fixed_rule_lets_the_first_input_win) {
  EXPECT_EQ(decided(all(wish::nothing, wish::a, wish::a, wish::a), 0, ~std::uint64_t{0}, contention::fixed),
            (four{none, port_a, none, none}));
  EXPECT_EQ(
      decided(all(wish::nothing, wish::nothing, wish::b, wish::b), 0, ~std::uint64_t{0}, contention::fixed),
      (four{none, none, port_b, none}));
}

// Two for each port down: bits 8 to 31 choose that of a, bits 32 to 55 that of b.
TEST(circuit_decision, the_winners_of_both_ports_down_are_drawn_apart) {
  const wishes w = all(wish::b, wish::a, wish::b, wish::a);
  constexpr std::uint64_t last_of_a = 0xffffffull << 8, last_of_b = 0xffffffull << 32;
  EXPECT_EQ(decided(w, 0, 0), (four{port_b, port_a, none, none}));
  EXPECT_EQ(decided(w, 0, last_of_a), (four{port_b, none, none, port_a}));
  EXPECT_EQ(decided(w, 0, last_of_b), (four{none, port_a, port_b, none}));
  EXPECT_EQ(decided(w, 0, last_of_a | last_of_b), (four{none, none, port_b, port_a}));
}

// The scenarios of the message rejection rule: two from above, one that turns and one from above, all three.
struct scenario {
  wishes wanted;
  std::set<unsigned> contenders;
  unsigned port;
};

TEST(circuit_decision, one_of_several_newcomers_wins_each_equally_often) {
  const scenario scenarios[] = {
      {all(wish::nothing, wish::nothing, wish::a, wish::a), {port_c, port_d}, port_a},
      {all(wish::nothing, wish::nothing, wish::b, wish::b), {port_c, port_d}, port_b},
      {all(wish::nothing, wish::a, wish::a, wish::b), {port_b, port_c}, port_a},
      {all(wish::b, wish::nothing, wish::a, wish::b), {port_a, port_d}, port_b},
      {all(wish::nothing, wish::a, wish::a, wish::a), {port_b, port_c, port_d}, port_a},
      {all(wish::b, wish::nothing, wish::b, wish::b), {port_a, port_c, port_d}, port_b},
  };
  constexpr unsigned trials = 30000;
  for (const scenario& s : scenarios) {
    std::map<unsigned, unsigned> wins;
    for (unsigned i = 0; i < trials; ++i) {
      const four got = decided(s.wanted, 0, draw(1, 5, i));
      unsigned winners = 0;
      for (const unsigned input : s.contenders)
        if (got[input] == s.port) ++winners, ++wins[input];
      ASSERT_EQ(winners, 1u);
    }
    const double share = 1.0 / static_cast<double>(s.contenders.size());
    const double sigma = std::sqrt(trials * share * (1 - share));
    for (const unsigned input : s.contenders) EXPECT_NEAR(wins[input], trials * share, 4 * sigma);
  }
}

TEST(circuit_decision, every_case_is_sound) {
  for (unsigned code = 0; code < 256; ++code) {
    wishes w;
    for (unsigned i = 0; i < 4; ++i) w.add(i, static_cast<wish>(code >> 2 * i & 3));
    for (unsigned taken = 0; taken < 16; ++taken) {
      for (std::uint64_t moment = 0; moment < 8; ++moment) {
        const four got = decided(w, taken, draw(3, code, moment));
        unsigned given = 0, wanted = 0, up = 0, up_given = 0;
        for (unsigned i = 0; i < 4; ++i) {
          const wish wi = w.of(i);
          up += wi == wish::up;
          if (wi == wish::a) wanted |= 1u << port_a;
          if (wi == wish::b) wanted |= 1u << port_b;
          if (got[i] == none) continue;
          ASSERT_NE(wi, wish::nothing);
          ASSERT_FALSE((taken | given) >> got[i] & 1) << "an output is given twice";
          given |= 1u << got[i];
          if (wi == wish::up) ++up_given;
          ASSERT_EQ(wi == wish::a, got[i] == port_a);
          ASSERT_EQ(wi == wish::b, got[i] == port_b);
        }
        ASSERT_EQ(given & 3, wanted & ~taken & 3) << "a free port that is wanted is given";
        const auto free_up = 2 - static_cast<unsigned>(__builtin_popcount(taken >> 2));
        ASSERT_EQ(up_given, std::min(up, free_up));
      }
    }
  }
}

TEST(draw, numbers_of_different_streams_and_moments_are_unlike) {
  std::set<std::uint64_t> seen;
  unsigned ones = 0;
  for (std::uint64_t stream = 0; stream < 100; ++stream)
    for (std::uint64_t moment = 0; moment < 100; ++moment) {
      const std::uint64_t word = draw(1, stream, moment);
      seen.insert(word);
      ones += word & 1;
    }
  EXPECT_EQ(seen.size(), 10000u);
  EXPECT_NEAR(ones, 5000, 4 * 50);
  EXPECT_NE(draw(1, 0, 0), draw(2, 0, 0));
}

TEST(retry_policy, windows_double_and_stop) {
  retry_policy p;
  p.strategy = retry::exponential;
  p.unit = 10;
  p.most_doublings = 3;
  for (unsigned failures = 1; failures < 6; ++failures) {
    std::set<std::uint64_t> delays;
    for (std::uint64_t now = 0; now < 2000; ++now) delays.insert(p.delay(4, failures, now));
    const std::size_t window = std::size_t{1} << std::min(failures, 3u);
    EXPECT_EQ(delays.size(), window);
    EXPECT_EQ(*delays.begin(), 0u);
    EXPECT_EQ(*delays.rbegin(), 10 * (window - 1));
  }
}

// Terminals that collide at one cycle must not all come back at one.
TEST(retry_policy, terminals_draw_on_their_own) {
  retry_policy p;
  p.window = 1000;
  p.unit = 1;
  for (const retry s : {retry::random, retry::exponential}) {
    p.strategy = s;
    std::set<std::uint64_t> delays;
    for (std::uint32_t terminal = 0; terminal < 200; ++terminal) delays.insert(p.delay(terminal, 10, 77));
    EXPECT_GT(delays.size(), 150u);
    unsigned alike = 0;
    for (std::uint64_t now = 0; now < 200; ++now) alike += p.delay(3, 10, now) == p.delay(4, 10, now);
    EXPECT_LT(alike, 5u);
  }
}

TEST(retry_policy, random_back_off_fills_its_window_and_others_do_not_wait) {
  retry_policy p;
  p.strategy = retry::random;
  p.window = 7;
  std::set<std::uint64_t> delays;
  for (std::uint64_t now = 0; now < 2000; ++now) delays.insert(p.delay(4, 1, now));
  EXPECT_EQ(delays, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  for (const retry s : {retry::immediate, retry::rounds, retry::held_rounds}) {
    p.strategy = s;
    EXPECT_EQ(p.delay(4, 9, 100), 0u);
  }
}

}  // namespace
