#include <gtest/gtest.h>

#include <cmath>
#include <spillway/hw/packet/threshold_admission.hpp>
#include <support/dice.hpp>

#include "pool_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr pool_kind shared{"shared", buffering::shared, buffer_assignment::any};

buffer_pool_config pool_of(unsigned ports, unsigned places, std::shared_ptr<const buffer_admission> who,
                           unsigned length = 1) {
  buffer_pool_config c = pool_config(shared, ports, places, length);
  c.admission = std::move(who);
  return c;
}

std::shared_ptr<const buffer_admission> dynamic(dynamic_threshold::ratio alpha) {
  return std::make_shared<dynamic_threshold>(alpha);
}

void start(pool_bench& t, unsigned cycles) {
  t.b.reset();
  run(cycles);
}

class thresholds : public sc_test, public testing::WithParamInterface<kernel> {};

struct settled_case {
  dynamic_threshold::ratio alpha;
  unsigned places, queues, length;
  /// alpha B / (1 + alpha M)
  double share() const {
    return double(alpha.numerator) * places / (alpha.denominator + double(alpha.numerator) * queues);
  }
};

}  // namespace

namespace {

std::vector<settled_case> settled_cases() {
  std::vector<settled_case> cases;
  for (const dynamic_threshold::ratio alpha :
       {dynamic_threshold::ratio{1, 2}, {1, 1}, {2, 1}, {2, 3}, {8, 1}})
    for (const unsigned queues : {1u, 2u, 5u, 8u})
      for (const unsigned length : {1u, 4u}) cases.push_back({alpha, 240, queues, length});
  return cases;
}

std::string text(const settled_case& c) {
  return std::to_string(c.alpha.numerator) + "/" + std::to_string(c.alpha.denominator) + ", " +
         std::to_string(c.queues) + " queues, packets of " + std::to_string(c.length);
}

}  // namespace

/// With stopped outputs and packets that come one after the other: less than a packet from the formula, and
/// none may take more.
TEST_P(thresholds, saturated_queues_settle_at_their_share) {
  const std::vector<settled_case> cases = settled_cases();
  std::vector<std::unique_ptr<pool_bench>> all;
  for (const settled_case& c : cases) {
    all.push_back(std::make_unique<pool_bench>(GetParam(), pool_of(8, c.places, dynamic(c.alpha), c.length),
                                               "b" + std::to_string(all.size()), 100, 0));
    all.back()->b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  for (unsigned packet = 0; packet < 240; ++packet)
    for (unsigned i = 0; i < 8; ++i) {
      bool comes = false;
      for (std::size_t n = 0; n < all.size(); ++n) {
        if (i >= cases[n].queues || !all[n]->from[i]->todo.empty()) continue;
        all[n]->send(i, i, cases[n].length);
        comes = true;
      }
      if (comes) run(6);
    }
  for (std::size_t n = 0; n < all.size(); ++n) {
    const settled_case& c = cases[n];
    SCOPED_TRACE(text(c));
    const unsigned free = c.places - all[n]->pool.level();
    for (unsigned q = 0; q < 8; ++q) {
      const unsigned level = all[n]->pool.level(q);
      if (q >= c.queues) {
        EXPECT_EQ(level, 0u);
        continue;
      }
      EXPECT_LT(std::abs(level - c.share()), c.length) << "queue " << q;
      const bool below = c.alpha.denominator * level < c.alpha.numerator * free;
      EXPECT_TRUE(!below || free < c.length) << level << " held, " << free << " free";
    }
    EXPECT_TRUE(all[n]->b.violations.empty()) << all[n]->b.first_violation();
  }
}

/// The same, where they come to all queues in the same cycle: as the counts are registers, what others take
/// at an edge is seen late, by a packet at most.
TEST_P(thresholds, queues_that_fill_together_settle_there_too) {
  const std::vector<settled_case> cases = settled_cases();
  std::vector<std::unique_ptr<pool_bench>> all;
  for (const settled_case& c : cases) {
    all.push_back(std::make_unique<pool_bench>(GetParam(), pool_of(8, c.places, dynamic(c.alpha), c.length),
                                               "b" + std::to_string(all.size()), 100, 0));
    for (unsigned packet = 0; packet < c.places; ++packet)
      for (unsigned i = 0; i < c.queues; ++i) all.back()->send(i, i, c.length);
    all.back()->b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(600);
  for (std::size_t n = 0; n < all.size(); ++n) {
    SCOPED_TRACE(text(cases[n]));
    for (unsigned q = 0; q < cases[n].queues; ++q)
      EXPECT_NEAR(all[n]->pool.level(q), cases[n].share(), 2 * cases[n].length) << "queue " << q;
  }
}

/// With outputs that send a flit a cycle, and inputs that always have more. There is not always a whole
/// number of places at which as many come as go: then a queue swings, by no more than two places.
TEST_P(thresholds, hold_while_flits_come_and_go) {
  const settled_case cases[] = {
      {{1, 1}, 240, 2, 1}, {{2, 1}, 240, 4, 1}, {{1, 2}, 240, 4, 1}, {{2, 3}, 60, 2, 1}};
  std::vector<std::unique_ptr<pool_bench>> all;
  for (const settled_case& c : cases) {
    all.push_back(std::make_unique<pool_bench>(GetParam(), pool_of(8, c.places, dynamic(c.alpha)),
                                               "b" + std::to_string(all.size())));
    for (unsigned packet = 0; packet < 2000; ++packet)
      for (unsigned i = 0; i < 8; ++i) all.back()->send(i, i % c.queues);
    all.back()->b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(400);
  std::vector<double> sum(std::size(cases));
  for (unsigned cycle = 0; cycle < 200; ++cycle) {
    run(1);
    for (std::size_t n = 0; n < all.size(); ++n) {
      for (unsigned q = 0; q < cases[n].queues; ++q) {
        EXPECT_NEAR(all[n]->pool.level(q), cases[n].share(), 2) << "case " << n << ", cycle " << cycle;
        sum[n] += all[n]->pool.level(q) / 200. / cases[n].queues;
      }
    }
  }
  for (std::size_t n = 0; n < all.size(); ++n) EXPECT_NEAR(sum[n], cases[n].share(), 1.6);
}

/// What one saturated queue has above its new share when a second comes, it gives back.
TEST_P(thresholds, a_queue_that_comes_later_gets_as_much) {
  pool_bench t(GetParam(), pool_of(4, 120, dynamic({1, 1})), "b");
  for (unsigned packet = 0; packet < 1500; ++packet)
    for (unsigned i = 0; i < 4; ++i) t.send(i, i < 2 || packet < 150 ? 0 : 1);
  start(t, 300);
  EXPECT_NEAR(t.pool.level(0), 60, 2);
  EXPECT_EQ(t.pool.level(1), 0u);
  run(900);
  EXPECT_NEAR(t.pool.level(0), 40, 3);
  EXPECT_NEAR(t.pool.level(1), 40, 3);
  run(4000);
  t.expect_all_delivered();
}

/// Inputs that always have packets for two hot outputs, each half of the time: all get as much of them.
TEST_P(thresholds, inputs_share_several_hot_outputs_evenly) {
  struct pool {
    const char* name;
    unsigned ports;
    std::shared_ptr<const buffer_admission> who;
  };
  const pool pools[] = {{"dynamic16", 16, dynamic({1, 1})},
                        {"dynamic7", 7, dynamic({1, 1})},
                        {"static7", 7, std::make_shared<static_threshold>(4)},
                        {"all7", 7, nullptr}};
  std::vector<std::unique_ptr<pool_bench>> all;
  for (const pool& one : pools) {
    all.push_back(std::make_unique<pool_bench>(GetParam(), pool_of(one.ports, 32, one.who), one.name));
    dice d(3);
    for (unsigned packet = 0; packet < 3000; ++packet)
      for (unsigned i = 0; i < one.ports; ++i) all.back()->send(i, d.below(2));
    all.back()->b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(5000);
  for (std::size_t n = 0; n < all.size(); ++n)
    for (unsigned i = 0; i < pools[n].ports; ++i) {
      const double share = static_cast<double>(all[n]->from[i]->sent.size()) * pools[n].ports / 10000;
      EXPECT_NEAR(share, 1, 0.1) << pools[n].name << ", input " << i;
    }
}

/// A queue that may take no more shows no room for itself, and all others still do; a static one stops at its
/// limit.
TEST_P(thresholds, the_lane_of_a_refused_queue_is_not_ready) {
  pool_bench dynamic_pool(GetParam(), pool_of(2, 12, dynamic({1, 2})), "d", 100, 0);
  pool_bench static_pool(GetParam(), pool_of(2, 12, std::make_shared<static_threshold>(7), 2), "s", 100, 0);
  for (pool_bench* t : {&dynamic_pool, &static_pool}) {
    for (unsigned packet = 0; packet < 12; ++packet) t->send(0, 0, t == &static_pool ? 2 : 1);
    t->b.rst(true);
  }
  run(2);
  for (pool_bench* t : {&dynamic_pool, &static_pool}) t->b.rst(false);
  run(60);
  EXPECT_EQ(dynamic_pool.pool.level(0), 4u);
  EXPECT_EQ(static_pool.pool.level(0), 6u);
  for (unsigned i = 0; i < 2; ++i) EXPECT_EQ(dynamic_pool.in[i].ready.read(), 2u) << "input " << i;
  // Packets of two flits come one at a time to a queue, so its room is offered to one input.
  EXPECT_EQ(static_pool.in[0].ready.read() + static_pool.in[1].ready.read(), 2u);
}

/// Whose packet may not come although a part of it might has no claim on the last room, even if it has the
/// turn.
TEST_P(thresholds, who_is_refused_leaves_the_last_room_to_others) {
  const auto limit = std::make_shared<static_threshold>(4);
  pool_bench first(GetParam(), pool_of(2, 6, limit, 3), "first", 100, 0);
  pool_bench second(GetParam(), pool_of(2, 6, limit, 3), "second", 100, 0);
  first.send(1, 0, 3), second.send(0, 0, 3);
  for (pool_bench* t : {&first, &second}) t->b.rst(true);
  run(2);
  for (pool_bench* t : {&first, &second}) t->b.rst(false);
  run(20);
  first.send(0, 0, 3), second.send(1, 0, 3);
  run(20);
  first.send(1, 1, 3), second.send(0, 1, 3);
  run(20);
  for (const pool_bench* t : {&first, &second}) {
    EXPECT_EQ(t->pool.level(0), 3u);
    EXPECT_EQ(t->pool.level(1), 3u);
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, thresholds, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });

/// The number of packets is that of asking for each by itself.
TEST(dynamic_thresholds, let_in_as_many_at_once_as_one_by_one) {
  for (const dynamic_threshold::ratio alpha : {dynamic_threshold::ratio{1, 4}, {1, 1}, {3, 2}, {7, 1}})
    for (const unsigned length : {1u, 3u})
      for (unsigned free = 0; free <= 40; ++free)
        for (unsigned held = 0; held <= 40; held += length) {
          unsigned places = 0;
          while (alpha.denominator * (held + places) < alpha.numerator * (free - places) &&
                 free >= places + length)
            places += length;
          const unsigned allowed = dynamic_threshold(alpha).allowed({80, free, 4, length}, 0, held);
          EXPECT_EQ(allowed / length * length, places) << free << " free, " << held << " held";
          EXPECT_LE(allowed, free);
        }
}

TEST(thresholds_of_no_use, are_refused) {
  const auto refuses = [](const buffer_pool_config& c, const char* why) {
    try {
      c.check();
      ADD_FAILURE() << "expected a refusal: " << why;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  refuses(pool_of(2, 12, std::make_shared<static_threshold>(3), 4),
          "must let a queue take a whole packet into an empty pool: it lets it take 3 flits, packets have up "
          "to 4");
  pool_of(2, 12, std::make_shared<static_threshold>(4), 4).check();
  pool_of(2, 4, dynamic({1, 1000}), 4).check();
}
