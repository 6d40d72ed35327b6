#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <spillway/hw/dampening/embargo_logic.hpp>
#include <vector>

using namespace spillway;

namespace {

constexpr std::uint16_t none = embargo_logic::none;

std::unique_ptr<assignment> of_sets(const buffer_sets& sets, unsigned buffers) {
  return std::make_unique<set_assignment>(std::make_shared<set_table>(sets, buffers));
}

/// Embargo logic under random arrivals and departures, with a model that knows where every message is.
class exercise {
public:
  exercise(embargo_logic& logic, unsigned processors, std::uint32_t seed)
      : logic_(logic), processors_(processors), engine_(seed) {}

  void step() {
    const std::uint64_t before = logic_.work();
    if (below(2) && !logic_.interdicts())
      arrive(below(processors_));
    else if (!held_.empty())
      depart(below(static_cast<unsigned>(held_.size())));
    most_work = std::max(most_work, logic_.work() - before);
    check();
  }
  void arrive(message_key key) {
    const auto to = logic_.arrive(key);
    ASSERT_NE(to.buffer == none, to.slot == none);
    held_.push_back({key, to.buffer, to.slot});
    spilled += to.slot != none;
    hear(1);
  }
  void depart(std::size_t which) {
    const auto gone = held_[which];
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
    if (gone.buffer == none) {
      logic_.leave_slot(gone.slot);
    } else if (const auto move = logic_.leave_buffer(gone.buffer)) {
      ++moved;
      const auto it =
          std::find_if(held_.begin(), held_.end(), [&](const auto& m) { return m.slot == move->slot; });
      ASSERT_NE(it, held_.end());
      // The oldest of its processor in the bank.
      ASSERT_EQ(it, std::find_if(held_.begin(), held_.end(),
                                 [&](const auto& m) { return m.key == it->key && m.slot != none; }));
      it->buffer = move->buffer;
      it->slot = none;
      logic_.vacate(move->slot);
    }
    hear(1);
  }

  unsigned spilled = 0, moved = 0;
  std::uint64_t most_work = 0;
  std::set<message_key> told;
  bool sets = true;

private:
  struct held {
    message_key key;
    std::uint16_t buffer, slot;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }

  /// At most so many notices come of one arrival or departure.
  void hear(unsigned most) {
    unsigned heard = 0;
    while (const auto notice = logic_.next_notice()) {
      ++heard;
      if (notice->embargo) {
        ASSERT_TRUE(told.insert(notice->key).second);
      } else {
        ASSERT_EQ(told.erase(notice->key), 1u);
      }
    }
    if (sets) {
      ASSERT_LE(heard, most);
    }
  }

  /// K26: I1 to I6 of the requirements.
  void check() {
    std::set<unsigned> buffers, slots;
    std::set<message_key> in_bank;
    for (const held& m : held_) {
      if (m.slot != none) {
        ASSERT_TRUE(slots.insert(m.slot).second) << "I1";
        in_bank.insert(m.key);
      } else {
        ASSERT_TRUE(buffers.insert(m.buffer).second) << "I1";
        ASSERT_EQ(logic_.rule().owner(m.buffer), m.key);
      }
    }
    ASSERT_EQ(logic_.slots_in_use(), slots.size());
    ASSERT_EQ(logic_.rule().used(), buffers.size());
    ASSERT_EQ(logic_.waiting().waiting(), slots.size());
    if (sets) {
      ASSERT_EQ(told, in_bank) << "I3";
    }
    for (message_key p = 0; p < processors_ && sets; ++p) {
      ASSERT_EQ(logic_.embargoed(p), in_bank.count(p) == 1);
      const auto own = logic_.rule().waits_for(p);
      for (const std::uint16_t b : own) {
        std::vector<std::uint16_t> waits, lies;
        for (const std::uint16_t slot : logic_.waiting().list(b))
          if (logic_.owner(slot) == p) waits.push_back(slot);
        for (const held& m : held_)
          if (m.key == p && m.slot != none) lies.push_back(m.slot);
        ASSERT_EQ(waits, lies) << "I4, and oldest first";
        if (in_bank.count(p)) {
          ASSERT_EQ(buffers.count(b), 1u) << "I5";
        }
      }
      for (const held& m : held_)
        if (m.key == p && m.buffer != none && m.slot == none) {
          ASSERT_NE(std::find(own.begin(), own.end(), m.buffer), own.end()) << "I2";
        }
    }
  }

  embargo_logic& logic_;
  const unsigned processors_;
  boost::random::mt19937 engine_;
  std::deque<held> held_;
};

}  // namespace

TEST(embargo_logic, a_message_without_a_buffer_embargoes_its_processor) {
  embargo_logic logic(of_sets({{0, 1}, {0, 1}, {2}}, 3), 4, 2);
  EXPECT_EQ(logic.arrive(0).buffer, 0u);
  EXPECT_EQ(logic.arrive(1).buffer, 1u);
  EXPECT_FALSE(logic.next_notice());
  const auto spilled = logic.arrive(0);
  EXPECT_EQ(spilled.buffer, none);
  EXPECT_TRUE(logic.embargoed(0));
  EXPECT_FALSE(logic.embargoed(1));
  auto notice = logic.next_notice();
  ASSERT_TRUE(notice);
  EXPECT_EQ(notice->key, 0u);
  EXPECT_TRUE(notice->embargo);
  // The other's departure makes room: the message moves, and its processor is released.
  const auto move = logic.leave_buffer(1);
  ASSERT_TRUE(move);
  EXPECT_EQ(move->slot, spilled.slot);
  EXPECT_EQ(move->buffer, 1u);
  notice = logic.next_notice();
  ASSERT_TRUE(notice);
  EXPECT_FALSE(notice->embargo);
  EXPECT_EQ(logic.slots_in_use(), 1u);
  logic.vacate(move->slot);
  EXPECT_EQ(logic.slots_in_use(), 0u);
}

TEST(embargo_logic, is_released_only_when_all_its_messages_have_left_the_bank) {
  embargo_logic logic(of_sets({{0}}, 1), 5, 2);
  logic.arrive(0);
  const auto first = logic.arrive(0), second = logic.arrive(0);  // the second was under way
  ASSERT_TRUE(logic.next_notice()->embargo);
  EXPECT_FALSE(logic.next_notice());
  logic.leave_slot(first.slot);
  EXPECT_TRUE(logic.embargoed(0));
  EXPECT_FALSE(logic.next_notice());
  const auto move = logic.leave_buffer(0);
  ASSERT_TRUE(move);
  EXPECT_EQ(move->slot, second.slot);
  EXPECT_FALSE(logic.next_notice()->embargo);
}

TEST(embargo_logic, a_change_that_is_taken_back_is_not_told) {
  embargo_logic logic(of_sets({{0}}, 1), 3, 1);
  logic.arrive(0);
  logic.leave_slot(logic.arrive(0).slot);
  EXPECT_FALSE(logic.next_notice());
}

// While the senders have still to hear of many releases, others come and go; or a table would have no end.
TEST(embargo_logic, forgets_those_that_came_and_went_before_they_were_told) {
  constexpr unsigned slots = 6;
  embargo_logic logic(of_sets(buffer_sets(100, {0}), 1), slots, 1);
  logic.arrive(0);
  std::vector<std::uint16_t> places;
  for (message_key key = 1; key <= slots; ++key) places.push_back(logic.arrive(key).slot);
  for (message_key key = 1; key <= slots; ++key) EXPECT_EQ(logic.next_notice()->key, key);
  for (const std::uint16_t place : places) logic.leave_slot(place);
  for (message_key key = 10; key < 100; ++key) logic.leave_slot(logic.arrive(key).slot);
  for (message_key key = 1; key <= slots; ++key) EXPECT_FALSE(logic.next_notice()->embargo) << key;
  EXPECT_FALSE(logic.next_notice());
}

TEST(embargo_logic, tells_a_change_that_was_taken_back_and_came_again_as_the_last) {
  embargo_logic logic(of_sets({{0}, {0}, {0}}, 1), 4, 1);
  logic.arrive(0);
  const std::uint16_t first = logic.arrive(1).slot;
  logic.arrive(2);
  logic.leave_slot(first);
  logic.arrive(1);
  EXPECT_EQ(logic.next_notice()->key, 2u);
  EXPECT_EQ(logic.next_notice()->key, 1u);
  EXPECT_FALSE(logic.next_notice());
}

TEST(embargo_logic, tells_of_processors_in_the_order_in_which_they_changed) {
  embargo_logic logic(of_sets({{0}, {0}, {0}, {0}, {0}}, 1), 8, 1);
  logic.arrive(0);
  const auto told = [&logic] {
    std::vector<message_key> keys;
    while (const auto notice = logic.next_notice()) keys.push_back(notice->key);
    return keys;
  };
  std::map<message_key, std::uint16_t> slot;
  for (const message_key key : {3u, 1u, 4u, 2u}) slot[key] = logic.arrive(key).slot;
  EXPECT_EQ(told(), (std::vector<message_key>{3, 1, 4, 2}));
  for (const message_key key : {4u, 3u, 2u, 1u}) logic.leave_slot(slot[key]);
  EXPECT_EQ(told(), (std::vector<message_key>{4, 3, 2, 1}));
}

TEST(embargo_logic, interdicts_while_what_is_under_way_would_not_find_room) {
  embargo_logic logic(of_sets({{0}, {0}, {0}, {0}}, 1), 4, 2);
  logic.arrive(0);
  EXPECT_FALSE(logic.interdicts());
  logic.arrive(1), logic.arrive(2);
  EXPECT_FALSE(logic.interdicts());  // two places left for two under way
  const auto third = logic.arrive(3);
  EXPECT_TRUE(logic.interdicts());
  EXPECT_NE(logic.arrive(3).slot, none);
  const auto lost = logic.arrive(3);  // a sender that does not obey
  EXPECT_EQ(lost.slot, none);
  EXPECT_EQ(lost.buffer, none);
  logic.leave_slot(third.slot);
  EXPECT_TRUE(logic.interdicts());
  ASSERT_TRUE(logic.leave_buffer(0));
  EXPECT_THROW(embargo_logic(of_sets({{0}}, 1), 2, 2), std::invalid_argument);
}

TEST(embargo_logic, keeps_its_invariants_and_works_in_j_steps) {
  for (const auto& [B, j] : {std::pair{8u, 2u}, {8u, 3u}, {16u, 4u}, {16u, 8u}}) {
    embargo_logic logic(of_sets(make_buffer_sets({set_family::tuples, 12, B, j, B + j}), B), B + 4, 4);
    exercise random(logic, 12, j);
    for (unsigned i = 0; i < 6000 && !testing::Test::HasFatalFailure(); ++i) random.step();
    EXPECT_GT(random.spilled, 50u);
    EXPECT_GT(random.moved, 20u);
    // An arrival probes j buffers and joins j lists; a departure leaves j lists and probes j buffers, for the
    // longest-waiting once to see whether it may and once to take one.
    EXPECT_LE(random.most_work, 3 * j) << B << " " << j;
  }
}

TEST(embargo_logic, work_does_not_grow_with_the_number_of_buffers) {
  std::uint64_t most = 0;
  for (const unsigned B : {16u, 64u, 256u}) {
    embargo_logic logic(of_sets(make_buffer_sets({set_family::subsets, 400, B, 4, 1}), B), B + 4, 4);
    exercise random(logic, 400, 3);
    random.sets = false;  // no search of all lists in each step
    for (unsigned i = 0; i < 6000 && !testing::Test::HasFatalFailure(); ++i) random.step();
    most = std::max(most, random.most_work);
  }
  EXPECT_LE(most, 12u);
}

TEST(embargo_logic, the_oldest_message_moves_also_when_its_processor_has_several) {
  // Processors 0 and 1 share a buffer. In the bank: 0, 1, 0 (the third was under way), 1.
  embargo_logic logic(of_sets({{0}, {0}}, 1), 8, 2);
  logic.arrive(0);
  std::vector<std::uint16_t> slots;
  for (const message_key key : {0u, 1u, 0u, 1u}) slots.push_back(logic.arrive(key).slot);
  for (const std::uint16_t slot : slots) {
    const auto move = logic.leave_buffer(0);
    ASSERT_TRUE(move);
    EXPECT_EQ(move->slot, slot);
    logic.vacate(slot);
  }
  EXPECT_FALSE(logic.leave_buffer(0));
}

TEST(embargo_logic, gives_every_place_of_the_bank_once_and_no_more_than_there_are) {
  embargo_logic logic(of_sets({{0}}, 1), 5, 2);
  logic.arrive(0);
  std::set<unsigned> slots;
  for (unsigned m = 0; m < 5; ++m) slots.insert(logic.arrive(0).slot);
  EXPECT_EQ(slots, (std::set<unsigned>{0, 1, 2, 3, 4}));
  EXPECT_EQ(logic.arrive(0).slot, none);
}

TEST(embargo_logic, a_place_of_the_bank_is_freed_once) {
  embargo_logic logic(of_sets({{0}, {0}}, 1), 4, 2);
  logic.arrive(0);
  const auto first = logic.arrive(0), second = logic.arrive(1);
  EXPECT_THROW(logic.vacate(first.slot), std::logic_error) << "its message waits";
  logic.leave_slot(first.slot);
  EXPECT_THROW(logic.vacate(first.slot), std::logic_error);
  EXPECT_THROW(logic.leave_slot(first.slot), std::logic_error);
  const auto move = logic.leave_buffer(0);
  ASSERT_TRUE(move);
  EXPECT_EQ(move->slot, second.slot);
  EXPECT_THROW(logic.leave_slot(second.slot), std::logic_error) << "it is on the move";
  logic.vacate(second.slot);
  EXPECT_THROW(logic.vacate(second.slot), std::logic_error);
}

TEST(embargo_logic, modified_counting_banks_what_was_under_way_to_a_hotspot) {
  // Four of sixteen buffers make a hotspot; the second has three of the twelve left, the third 2.25.
  embargo_logic logic(std::make_unique<modified_counting_assignment>(16, 4), 22, 4);
  unsigned buffers = 0;
  for (const message_key hot : {1u, 2u, 3u})
    for (unsigned m = 0; m < 6; ++m) buffers += logic.arrive(hot).buffer != none;
  EXPECT_LE(buffers, 10u);
  EXPECT_EQ(logic.slots_in_use(), 18u - buffers);
  for (const message_key cool : {4u, 5u, 6u}) EXPECT_NE(logic.arrive(cool).buffer, none) << cool;
}

TEST(embargo_logic, modified_counting_lets_in_who_is_no_hotspot) {
  // 1 and 2 are hotspots, each with a message in the bank, that of 1 the older.
  embargo_logic logic(std::make_unique<modified_counting_assignment>(16, 4), 22, 4);
  std::vector<unsigned> of_2;
  for (unsigned m = 0; m < 4; ++m) logic.arrive(1);
  for (unsigned m = 0; m < 3; ++m) of_2.push_back(logic.arrive(2).buffer);
  const auto old = logic.arrive(1), young = logic.arrive(2);
  ASSERT_NE(old.slot, none);
  ASSERT_NE(young.slot, none);
  // 2 is none when one of its messages leaves.
  const auto move = logic.leave_buffer(of_2[0]);
  ASSERT_TRUE(move);
  EXPECT_EQ(move->slot, young.slot);
}

TEST(embargo_logic, counting_rules_declare_before_a_message_is_turned_away) {
  embargo_logic logic(std::make_unique<counting_assignment>(6, 2), 6, 2);
  logic.arrive(5);
  EXPECT_FALSE(logic.next_notice());
  logic.arrive(5);
  ASSERT_TRUE(logic.next_notice()->embargo);
  const auto late = logic.arrive(5);  // was under way
  EXPECT_NE(late.slot, none);
  const auto move = logic.leave_buffer(logic.rule().waits_for(5).first[0]);
  ASSERT_TRUE(move);
  EXPECT_FALSE(logic.next_notice());  // two messages again
  logic.vacate(move->slot);
  logic.leave_buffer(move->buffer);
  EXPECT_FALSE(logic.next_notice()->embargo);
}

TEST(embargo_logic, counting_rules_never_hold_more_than_the_limit_and_lose_nothing) {
  for (const unsigned limit : {1u, 3u, 8u}) {
    embargo_logic logic(std::make_unique<counting_assignment>(8, limit), 12, 4);
    exercise random(logic, 6, limit);
    random.sets = false;
    for (unsigned i = 0; i < 6000 && !testing::Test::HasFatalFailure(); ++i) {
      random.step();
      std::map<message_key, unsigned> held;
      for (unsigned b = 0; b < 8; ++b)
        if (logic.rule().owner(b) != ~message_key{0}) {
          ASSERT_LE(++held[logic.rule().owner(b)], limit);
        }
    }
  }
}

TEST(embargo_logic, a_full_counting_pool_interdicts) {
  embargo_logic logic(std::make_unique<counting_assignment>(2, 1), 8, 2);
  logic.arrive(1);
  EXPECT_FALSE(logic.interdicts());
  logic.arrive(2);
  EXPECT_TRUE(logic.interdicts());
  const auto late = logic.arrive(3);
  EXPECT_NE(late.slot, none);
  const auto move = logic.leave_buffer(0);  // anybody's departure lets it in
  ASSERT_TRUE(move);
  EXPECT_EQ(move->slot, late.slot);
  EXPECT_TRUE(logic.interdicts());
}

TEST(embargo_logic, modified_counting_keeps_its_books) {
  embargo_logic logic(std::make_unique<modified_counting_assignment>(13, 6), 20, 4);
  exercise random(logic, 9, 4);
  random.sets = false;
  for (unsigned i = 0; i < 8000 && !testing::Test::HasFatalFailure(); ++i) {
    random.step();
    for (const message_key p : random.told) ASSERT_TRUE(logic.embargoed(p));
  }
}
