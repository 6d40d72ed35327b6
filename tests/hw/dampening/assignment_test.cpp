#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <cmath>
#include <map>
#include <set>
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/dampening_rule.hpp>
#include <spillway/hw/dampening/key_table.hpp>
#include <spillway/hw/dampening/waiting_lists.hpp>
#include <stdexcept>

using namespace spillway;
using testing::ElementsAre;

namespace {

/// Portable dice.
class dice {
public:
  explicit dice(std::uint32_t seed) : engine_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }

private:
  boost::random::mt19937 engine_;
};

buffer_span span(const std::vector<std::uint16_t>& v) { return {v.data(), v.size()}; }

std::vector<std::pair<message_key, bool>> declared(assignment& a) {
  std::vector<std::pair<message_key, bool>> list;
  for (const auto& d : a.declarations()) list.emplace_back(d.key, d.hot);
  a.forget_declarations();
  return list;
}

}  // namespace

TEST(key_table, behaves_as_a_map) {
  key_table<unsigned> table(80);
  std::map<std::uint32_t, unsigned> model;
  dice d(3);
  for (unsigned step = 0; step < 30000; ++step) {
    const std::uint32_t key = d.below(40) * (d.below(2) ? 1 : 1u << 20);
    if (d.below(2)) {
      table[key] = model[key] = step;
    } else {
      table.erase(key);
      model.erase(key);
    }
    ASSERT_EQ(table.size(), model.size());
    for (const std::uint32_t k : {key, d.below(40)}) {
      const unsigned* const found = table.find(k);
      ASSERT_EQ(found != nullptr, model.count(k) == 1);
      if (found) {
        ASSERT_EQ(*found, model[k]);
      }
    }
  }
  table.clear();
  for (const auto& [key, value] : model) EXPECT_EQ(table.find(key), nullptr) << value;
}

// `none` is the number of no buffer.
TEST(assignment, is_of_1_to_65534_buffers) {
  for (const unsigned right : {1u, 65534u}) {
    EXPECT_EQ(set_table({}, right).buffers(), right);
    EXPECT_EQ(counting_assignment(right, 1).buffers(), right);
  }
  for (const unsigned wrong : {0u, 65535u, 65536u}) {
    EXPECT_THROW(set_table({}, wrong), std::invalid_argument) << wrong;
    EXPECT_THROW(counting_assignment(wrong, 1), std::invalid_argument) << wrong;
  }
}

TEST(set_assignment, gives_only_buffers_of_the_set_in_their_order) {
  const auto table = std::make_shared<set_table>(buffer_sets{{2, 0}, {1}, {0, 1}}, 3);
  set_assignment a(table);
  EXPECT_TRUE(a.admits(0));
  EXPECT_EQ(a.take(0), 2u);
  EXPECT_EQ(a.take(0), 0u);
  EXPECT_FALSE(a.admits(0));
  EXPECT_EQ(a.take(0), assignment::none);
  EXPECT_EQ(a.take(2), 1u);
  EXPECT_FALSE(a.admits(1));  // all full, by messages of others
  EXPECT_EQ(a.used(), 3u);
  a.release(1);
  EXPECT_TRUE(a.admits(1));
  EXPECT_TRUE(a.admits(2));
  EXPECT_FALSE(a.admits(0));
  EXPECT_EQ(a.owner(0), 0u);
  a.clear();
  EXPECT_EQ(a.used(), 0u);
  EXPECT_TRUE(a.admits(0));
  EXPECT_TRUE(a.declarations().empty());
  EXPECT_THROW(set_table({{3}}, 3), std::invalid_argument);
}

TEST(discovered_assignment, gives_the_next_set_to_every_address_that_it_meets) {
  const auto table = std::make_shared<set_table>(buffer_sets{{0, 1}, {2, 3}, {0, 2}}, 4);
  discovered_assignment a(table);
  EXPECT_TRUE(a.admits(0xfffffffe));
  EXPECT_EQ(a.take(0xfffffffe), 0u);  // the first set, for good
  EXPECT_EQ(a.take(7), 2u);           // the second
  EXPECT_EQ(a.take(0xfffffffe), 1u);
  EXPECT_FALSE(a.admits(0xfffffffe));
  EXPECT_EQ(a.take(7), 3u);
  EXPECT_EQ(a.take(500), assignment::none) << "the third, {0, 2}, is full, but is its own from now on";
  a.release(3);
  EXPECT_FALSE(a.admits(500));
  a.release(2);
  EXPECT_TRUE(a.admits(500));
  EXPECT_EQ(std::vector<std::uint16_t>(a.waits_for(500).begin(), a.waits_for(500).end()),
            (std::vector<std::uint16_t>{0, 2}));
  EXPECT_THROW(a.take(501), std::length_error) << "there is no fourth set";
  a.clear();
  EXPECT_EQ(a.take(7), 0u) << "all forgotten: now the first set is its own";
  EXPECT_EQ(a.take(500), 2u);
}

TEST(counting_assignment, dias_and_kumar_hold_one_message_a_destination) {
  counting_assignment a(4, 1);
  EXPECT_NE(a.take(7), assignment::none);
  EXPECT_FALSE(a.admits(7));
  EXPECT_EQ(a.take(7), assignment::none);
  EXPECT_TRUE(a.admits(8));
  for (const message_key k : {8u, 9u, 10u}) EXPECT_NE(a.take(k), assignment::none);
  EXPECT_FALSE(a.admits(11));  // full
  EXPECT_TRUE(a.stops_all_when_full());
}

TEST(counting_assignment, declares_exactly_those_at_the_limit) {
  counting_assignment a(6, 2);
  const unsigned x = a.take(5);
  EXPECT_THAT(declared(a), ElementsAre());
  const unsigned y = a.take(5);
  EXPECT_THAT(declared(a), ElementsAre(std::pair{5u, true}));
  const auto waits = a.waits_for(5);
  EXPECT_EQ((std::set<unsigned>{waits.begin(), waits.end()}), (std::set<unsigned>{x, y}));
  a.release(x);
  EXPECT_THAT(declared(a), ElementsAre(std::pair{5u, false}));
  EXPECT_EQ(a.waits_for(5).count, 0u);
  a.release(y);
  EXPECT_EQ(a.count(5), 0u);
  EXPECT_EQ(a.used(), 0u);
  EXPECT_THROW(counting_assignment(4, 0), std::invalid_argument);
  EXPECT_THROW(counting_assignment(4, 5), std::invalid_argument);
}

TEST(counting_assignment, unrestricted_is_the_limit_b) {
  counting_assignment a(3, 3);
  for (unsigned i = 0; i < 3; ++i) EXPECT_NE(a.take(1), assignment::none);
  EXPECT_FALSE(a.admits(2));
  EXPECT_TRUE(a.declarations().empty());
  EXPECT_EQ(a.waits_for(1).count, 0u);
}

TEST(counting_assignment, agrees_with_plain_counts_under_random_traffic) {
  dice d(11);
  for (const unsigned limit : {1u, 2u, 5u}) {
    counting_assignment a(12, limit);
    std::map<message_key, std::vector<unsigned>> model;
    std::set<message_key> hot;
    for (unsigned step = 0; step < 20000; ++step) {
      const message_key key = d.below(9);
      unsigned total = 0;
      for (const auto& [k, buffers] : model) total += static_cast<unsigned>(buffers.size());
      auto& held = model[key];
      if (d.below(2)) {
        const bool room = total < 12 && held.size() < limit;
        ASSERT_EQ(a.admits(key), room);
        const unsigned b = a.take(key);
        ASSERT_EQ(b != assignment::none, room);
        if (room) held.push_back(b);
      } else if (!held.empty()) {
        const std::size_t which = d.below(static_cast<unsigned>(held.size()));
        a.release(held[which]);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
      }
      for (const auto& [k, h] : declared(a)) {
        if (h)
          hot.insert(k);
        else
          hot.erase(k);
      }
      ASSERT_EQ(hot.count(key) == 1, held.size() == limit);
      ASSERT_EQ(a.count(key), held.size());
    }
  }
}

TEST(impact_array, stays_sorted_and_counts_right) {
  dice d(5);
  impact_array pia(20);
  std::map<std::uint32_t, std::uint32_t> model;
  for (unsigned step = 0; step < 50000; ++step) {
    const std::uint32_t p = d.below(12);
    if (d.below(2)) {
      pia.increment(p);
      ++model[p];
    } else if (model.count(p)) {
      pia.decrement(p);
      if (--model[p] == 0) model.erase(p);
    }
    ASSERT_EQ(pia.size(), model.size());
    for (std::size_t i = 0; i < pia.size(); ++i) {
      ASSERT_EQ(pia[i].value, model[pia[i].processor]);
      if (i) {
        ASSERT_GE(pia[i - 1].value, pia[i].value);
      }
      ASSERT_TRUE(pia.is_among_first(pia[i].processor, static_cast<unsigned>(i) + 1));
      ASSERT_FALSE(pia.is_among_first(pia[i].processor, static_cast<unsigned>(i)));
    }
  }
}

namespace {

/// The rule as the paper states it: the largest k with sum of the first k at least B - B((B - j)/B)^k.
unsigned hotspot_counter(std::vector<unsigned> values, double B, double j) {
  std::sort(values.rbegin(), values.rend());
  unsigned best = 0;
  double sum = 0;
  for (unsigned k = 1; k <= values.size(); ++k) {
    sum += values[k - 1];
    if (sum >= B - B * std::pow((B - j) / B, k) - 1e-9) best = k;
  }
  return best;
}

}  // namespace

// Of 8 buffers one, two and three processors are hot from 4, 6 and 7 on.
TEST(dampening_rule, counts_hotspots_up_to_the_last_that_holds_enough_not_the_first_that_does_not) {
  const dampening_rule rule(8, 4);
  impact_array holders(8);
  const auto holds = [&](std::uint32_t processor, unsigned buffers) {
    while (buffers--) holders.increment(processor);
  };
  holds(0, 3);
  EXPECT_EQ(rule.hotspots(holders, 3), 0u);
  holds(1, 3);
  EXPECT_EQ(rule.hotspots(holders, 6), 2u) << "both together, though neither alone";
  holds(2, 1);
  EXPECT_EQ(rule.hotspots(holders, 7), 3u);
}

// They are more than the rule can tell apart by its thresholds, and none holds enough.
TEST(dampening_rule, of_a_full_pool_takes_all_who_hold_a_buffer_as_hot) {
  const dampening_rule rule(8, 4);
  impact_array holders(8);
  for (std::uint32_t processor = 0; processor < 4; ++processor)
    for (unsigned buffers = 0; buffers < 2; ++buffers) holders.increment(processor);
  EXPECT_EQ(rule.most_hotspots(), 3u);
  EXPECT_EQ(rule.hotspots(holders, 7), 0u);
  EXPECT_EQ(rule.hotspots(holders, 8), 4u);
}

TEST(modified_counting_assignment, one_processor_may_have_j_buffers_before_it_is_hot) {
  modified_counting_assignment a(16, 8);
  for (unsigned i = 1; i <= 8; ++i) {
    EXPECT_TRUE(a.admits(3)) << i;
    a.take(3);
  }
  EXPECT_FALSE(a.admits(3));
  EXPECT_EQ(a.hotspots(), 1u);
  // The second gets half of what is left.
  for (unsigned i = 1; i <= 4; ++i) {
    EXPECT_TRUE(a.admits(4)) << i;
    a.take(4);
  }
  EXPECT_FALSE(a.admits(4));
  EXPECT_EQ(a.hotspots(), 2u);
  EXPECT_TRUE(a.admits(5));
}

TEST(modified_counting_assignment, follows_the_rule_under_random_traffic) {
  dice d(17);
  for (const auto& [B, j] : {std::pair{13u, 6u}, {32u, 4u}, {8u, 8u}, {20u, 1u}}) {
    modified_counting_assignment a(B, j);
    std::map<message_key, std::vector<unsigned>> model;
    std::set<message_key> hot;
    unsigned total = 0;
    for (unsigned step = 0; step < 20000; ++step) {
      const message_key key = d.below(step / 100 % 2 ? 3 : 15);
      auto& held = model[key];
      if (d.below(2)) {
        const unsigned b = a.take(key);
        ASSERT_EQ(b != assignment::none, total < B && hot.count(key) == 0);
        if (b == assignment::none) continue;
        held.push_back(b);
        ++total;
      } else if (!held.empty()) {
        a.release(held.back());
        held.pop_back();
        --total;
      }
      for (const auto& [k, h] : declared(a)) {
        ASSERT_EQ(hot.count(k) == 1, !h) << "declared twice";
        if (h)
          hot.insert(k);
        else
          hot.erase(k);
      }
      if (total == B) continue;
      std::vector<unsigned> values;
      for (const auto& [k, buffers] : model)
        if (!buffers.empty()) values.push_back(static_cast<unsigned>(buffers.size()));
      ASSERT_EQ(a.hotspots(), hotspot_counter(values, B, j));
      ASSERT_EQ(hot.size(), a.hotspots());
      for (unsigned i = 0; i < a.hotspots(); ++i) ASSERT_EQ(hot.count(a.impact()[i].processor), 1u);
      for (message_key k = 0; k < 15; ++k) ASSERT_EQ(a.admits(k), hot.count(k) == 0);
    }
  }
}

TEST(key_table, reports_that_it_is_full) {
  key_table<unsigned> table(40);
  for (unsigned key = 0; key < 40; ++key) table[key] = key;
  EXPECT_THROW(table[40], std::length_error);
  EXPECT_EQ(table[7], 7u) << "what is there may still be looked up";
  table.erase(3);
  table[40] = 40;
  EXPECT_EQ(table.size(), 40u);
}

namespace {
bool everybody(std::uint16_t) { return true; }
}  // namespace

TEST(waiting_lists, the_figures_of_the_paper) {
  // Figure 1: buffers 0..3 hold messages for 9, 2, 5, 8; list 0 has 7, 5, 3; processor 5 waits. Its message
  // in buffer 2 says that buffer is one of its own too, so it waits there as well (the figure leaves it out).
  // Waiting are their messages in the bank, at places that have the processors' numbers here.
  waiting_lists lists(4, 8, 4);
  const std::vector<std::uint16_t> of_7{0}, of_5{0, 1, 2, 3}, of_3{0};
  lists.add(7, span(of_7));
  lists.add(5, span(of_5));
  lists.add(3, span(of_3));
  EXPECT_THAT(lists.list(0), ElementsAre(7, 5, 3));
  EXPECT_THAT(lists.list(1), ElementsAre(5));
  EXPECT_THAT(lists.list(2), ElementsAre(5));
  EXPECT_THAT(lists.list(3), ElementsAre(5));
  // Figure 2: the message in buffer 1 leaves, that of 5 moves in, and 5 waits nowhere.
  EXPECT_EQ(lists.first(1, everybody), 5u);
  const std::uint64_t before = lists.work();
  lists.remove(5);
  EXPECT_EQ(lists.work() - before, 4u);  // O(j)
  EXPECT_THAT(lists.list(0), ElementsAre(7, 3));
  for (const unsigned b : {1u, 2u, 3u}) EXPECT_EQ(lists.first(b, everybody), waiting_lists::nobody);
  EXPECT_EQ(lists.waiting(), 2u);
}

TEST(waiting_lists, any_buffer_lets_in_the_longest_waiting_that_it_is_not_the_only_one_for) {
  waiting_lists lists(3, 4, 1);
  const std::vector<std::uint16_t> one{1};
  lists.add(2, {});
  lists.add(1, span(one));
  lists.add(3, {});
  EXPECT_EQ(lists.first(0, everybody), 2u);
  EXPECT_EQ(lists.first(1, everybody), 1u) << "who has no other buffer";
  EXPECT_EQ(lists.first(0, [](std::uint16_t slot) { return slot != 2; }), 3u) << "who may not is passed over";
  EXPECT_EQ(lists.first(1, [](std::uint16_t slot) { return slot != 1; }), 2u);
  lists.remove(2);
  EXPECT_EQ(lists.first(0, everybody), 3u);
  EXPECT_EQ(lists.first(1, everybody), 1u);
}

TEST(waiting_lists, have_as_many_nodes_as_they_were_made_for) {
  waiting_lists lists(3, 2, 2);
  const std::vector<std::uint16_t> all{0, 1, 2};
  EXPECT_THROW(lists.add(0, span(all)), std::length_error);
}

TEST(waiting_lists, agree_with_plain_queues_under_random_traffic) {
  dice d(23);
  constexpr unsigned buffers = 6;
  waiting_lists lists(buffers, 10, buffers);
  std::vector<std::vector<std::uint16_t>> model(buffers);
  std::set<std::uint16_t> waiting;
  for (unsigned step = 0; step < 20000; ++step) {
    const auto p = static_cast<std::uint16_t>(d.below(10));
    const std::uint64_t before = lists.work();
    std::size_t j = 0;
    if (waiting.erase(p)) {
      for (auto& list : model) {
        j += static_cast<std::size_t>(std::count(list.begin(), list.end(), p));
        list.erase(std::remove(list.begin(), list.end(), p), list.end());
      }
      lists.remove(p);
    } else {
      std::vector<std::uint16_t> set;
      for (std::uint16_t b = 0; b < buffers; ++b)
        if (d.below(2)) set.push_back(b);
      if (set.empty()) set.push_back(0);
      j = set.size();
      waiting.insert(p);
      lists.add(p, span(set));
      for (const std::uint16_t b : set) model[b].push_back(p);
    }
    ASSERT_EQ(lists.work() - before, j);
    for (unsigned b = 0; b < buffers; ++b) ASSERT_EQ(lists.list(b), model[b]);
  }
}
