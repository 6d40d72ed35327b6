// What a pool says that it does, and the pins of its links, by a list: each broken invariant is reported
// once, legal use never.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <spillway/hw/dampening/pool_checker.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

// Processors 0 to 3 have buffers {0, 1}, {1, 2}, {2, 3} and {0, 3} of four.
std::unique_ptr<assignment> paired() {
  const buffer_sets sets{{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  return std::make_unique<set_assignment>(std::make_shared<set_table>(sets, 4));
}
flit flit_to(std::uint32_t destination, std::uint32_t packet = 0) {
  return make_flit(7, destination, packet);
}
control_message embargo_of(std::uint32_t whose) {
  control_message m;
  m.terminal = whose;
  m.embargo = true;
  return m;
}
control_message release_of(std::uint32_t whose) {
  control_message m;
  m.terminal = whose;
  m.release = true;
  return m;
}

/// Says to the checker what its list says, and drives the pins of two links that the pool answers.
class pool_player final : public clocked {
public:
  using act = std::function<void(pool_observer&)>;
  row<output<control_message>> control{2, "control"};
  row<output<bool>> interdict{2, "interdict"};
  std::multimap<std::uint64_t, act> acts;
  /// What the pins show at an edge, where it is not what was told `latency` cycles before.
  std::map<std::pair<std::uint64_t, unsigned>, control_message> instead;
  std::map<std::uint64_t, control_message> answers;  // told at an edge
  std::map<std::uint64_t, bool> interdictions;       // from an edge on
  pool_observer* checker = nullptr;
  unsigned latency = 1;

  explicit pool_player(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  static control_message at(const std::map<std::uint64_t, control_message>& all, std::uint64_t cycle) {
    const auto it = all.find(cycle);
    return it == all.end() ? control_message{} : it->second;
  }
  bool interdicts(std::uint64_t cycle) const {
    const auto it = interdictions.upper_bound(cycle);
    return it != interdictions.begin() && std::prev(it)->second;
  }
  void reset() override {
    for (unsigned i = 0; i < 2; ++i) control[i].write({}), interdict[i].write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    checker->now = cycle();
    const auto [first, last] = acts.equal_range(cycle());
    for (auto a = first; a != last; ++a) a->second(*checker);
    checker->announced(0, at(answers, cycle()), interdicts(cycle()));
    const std::uint64_t of = cycle() + 1 - latency;
    for (unsigned i = 0; i < 2; ++i) {
      const auto other = instead.find({cycle() + 1, i});
      control[i].write(other == instead.end() ? at(answers, of) : other->second);
      interdict[i].write(interdicts(of));
    }
  }
};

class pool_checker_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  pool_checker_on() : b(GetParam()), player(b.make<pool_player>("pool")), waiting(4, slots, 2) {}

  static constexpr unsigned slots = 3;
  void play(std::unique_ptr<assignment> rule, unsigned latency = 1) {
    std::vector<checked_pool> pools(1);
    pools[0].rule = std::move(rule);
    pools[0].slots = slots;
    pools[0].reserve = 1;
    pools[0].waiting = &waiting;
    auto& checker =
        b.make<pool_checker>("check", pool_checker_config{"pool", 2, latency}, std::move(pools), b.collect());
    player.checker = &checker;
    player.latency = latency;
    for (unsigned i = 0; i < 2; ++i) {
      auto& link = b.keep<embargo_link>(link_place{"link" + std::to_string(i)}, false);
      link.with([&](auto& w) {
        checker.bind(i, w);
        player.control[i](w.control), player.interdict[i](w.interdict);
      });
    }
    b.reset(3);
    run(40);
  }
  void at(std::uint64_t cycle, pool_player::act what) { player.acts.emplace(cycle, std::move(what)); }
  void store(std::uint64_t cycle, unsigned buffer, std::uint32_t destination) {
    at(cycle, [=](pool_observer& o) { o.stored(0, buffer, flit_to(destination)); });
  }
  void leave(std::uint64_t cycle, unsigned buffer) {
    at(cycle, [=](pool_observer& o) { o.freed(0, buffer); });
  }
  /// As the pool does: its lists first. `lists`: those of the destination unless given.
  void bank(std::uint64_t cycle, unsigned slot, std::uint32_t destination,
            std::vector<std::uint16_t> lists = {}) {
    at(cycle, [=](pool_observer& o) {
      const buffer_span own = sets->set_of(destination);
      waiting.add(slot, lists.empty() ? own : buffer_span{lists.data(), lists.size()});
      o.banked(0, slot, flit_to(destination, 9));
    });
  }
  void move(std::uint64_t cycle, unsigned slot, unsigned buffer) {
    at(cycle, [=](pool_observer& o) {
      waiting.remove(slot);
      o.assigned(0, slot, buffer);
    });
  }
  void send_banked(std::uint64_t cycle, unsigned slot) {
    at(cycle, [=](pool_observer& o) {
      waiting.remove(slot);
      o.sent_from_bank(0, slot);
    });
  }
  /// Fills 0 and 1; a message for processor 0 goes to the bank, and its embargo is announced.
  void fill() {
    store(10, 0, 0), store(10, 1, 0);
    bank(11, 2, 0);
    player.answers[11] = embargo_of(0);
  }
  void expect_only(const std::string& rule, const std::string& what) {
    ASSERT_EQ(b.violations.size(), 1u) << b.first_violation();
    EXPECT_EQ(b.violations.front().rule, rule) << b.first_violation();
    EXPECT_NE(b.first_violation().find(what), std::string::npos) << b.first_violation();
  }

  bench b;
  pool_player& player;
  waiting_lists waiting;
  const std::unique_ptr<assignment> sets = paired();
};

}  // namespace

TEST_P(pool_checker_on, is_silent_about_legal_use) {
  fill();
  store(12, 2, 1);
  bank(13, 0, 0);  // a second message of 0
  bank(14, 1, 1);  // both buffers of 1 are taken; no place is left for one more
  player.answers[14] = embargo_of(1);
  player.interdictions[14] = true;
  leave(15, 0), move(15, 2, 0);
  store(18, 0, 0);  // its flit has come
  player.interdictions[18] = false;
  leave(20, 1), move(20, 0, 1);
  player.answers[20] = release_of(0);
  store(22, 1, 0);
  send_banked(23, 1);
  player.answers[23] = release_of(1);
  leave(24, 2);
  leave(25, 0), leave(25, 1);
  play(paired());
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}
TEST_P(pool_checker_on, is_silent_where_links_are_long) {
  fill();
  leave(12, 0), move(12, 2, 0);
  player.answers[12] = release_of(0);
  play(paired(), 4);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}
TEST_P(pool_checker_on, is_silent_about_counting) {
  store(10, 3, 5);
  store(11, 1, 5);  // the second of two
  player.answers[11] = embargo_of(5);
  store(12, 0, 6);
  leave(14, 3);
  player.answers[14] = release_of(5);
  play(std::make_unique<counting_assignment>(4, 2));
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

TEST_P(pool_checker_on, I1_finds_two_messages_in_a_buffer) {
  store(10, 1, 0), store(12, 1, 1);
  play(paired());
  expect_only("I1", "is stored in buffer 1, which a message of 0 has");
}
TEST_P(pool_checker_on, I1_is_told_once_and_the_buffer_has_the_second_message) {
  store(10, 0, 0), store(11, 0, 3);
  leave(12, 0);
  play(paired());
  expect_only("I1", "buffer 0");
}
TEST_P(pool_checker_on, I1_finds_a_buffer_that_is_given_to_another_while_a_message_comes_from_the_bank) {
  fill();
  leave(15, 0), move(15, 2, 0);
  player.answers[15] = release_of(0);
  store(16, 0, 3), store(17, 0, 0);
  play(paired());
  ASSERT_FALSE(b.violations.empty());
  EXPECT_EQ(b.violations.front().rule, "I1") << b.first_violation();
}
TEST_P(pool_checker_on, I1_finds_two_messages_in_a_place_of_the_bank) {
  fill();
  at(12, [this](pool_observer&) { waiting.remove(2); });
  bank(12, 2, 0);
  play(paired());
  expect_only("I1", "is spilled to place 2, which a message of 0 has");
}
TEST_P(pool_checker_on, I1_finds_a_message_that_leaves_an_empty_place_of_the_bank) {
  fill();
  at(14, [](pool_observer& o) { o.sent_from_bank(0, 1); });
  play(paired());
  expect_only("I1", "a message leaves place 1 of the bank, where none waits");
}
TEST_P(pool_checker_on, I2_finds_a_buffer_that_is_not_its_own) {
  store(10, 2, 0);
  play(paired());
  expect_only("I2", "a message of 0 gets buffer 2, which is none of its buffers");
}
TEST_P(pool_checker_on, I2_finds_one_message_too_many) {
  store(10, 0, 5), store(11, 1, 5), store(12, 2, 5);
  player.answers[11] = embargo_of(5);
  play(std::make_unique<counting_assignment>(4, 2));
  expect_only("I2", "5 gets buffer 2 and has 3, of at most 2");
}
TEST_P(pool_checker_on, I3_finds_an_embargo_that_is_not_told) {
  fill();
  player.answers.clear();
  play(paired());
  expect_only("I3", "nothing is announced, and the embargo of 1 processors has changed");
}
TEST_P(pool_checker_on, I3_finds_an_embargo_without_a_message_in_the_bank) {
  store(10, 0, 0);
  player.answers[11] = embargo_of(3);
  player.answers[12] = release_of(3);
  play(paired());
  expect_only("I3", "embargo 3 is announced, of which no message is in the bank");
}
TEST_P(pool_checker_on, I3_finds_a_release_while_a_second_message_is_in_the_bank) {
  fill();
  bank(12, 0, 0);
  leave(15, 0), move(15, 2, 0);
  player.answers[15] = release_of(0);
  player.answers[16] = embargo_of(0);  // which mends it
  play(paired());
  expect_only("I3", "release 0 is announced, of which 1 messages are in the bank");
}
TEST_P(pool_checker_on, I4_finds_a_list_too_few) {
  store(10, 0, 0), store(10, 1, 0);
  bank(11, 2, 0, {0});
  player.answers[11] = embargo_of(0);
  play(paired());
  expect_only("I4", "place 2 of the bank, with a message of 0, waits in the lists of 0, and not of 0 1");
}
TEST_P(pool_checker_on, I4_finds_a_list_of_another_buffer) {
  store(10, 0, 0), store(10, 1, 0);
  bank(11, 2, 0, {0, 3});
  player.answers[11] = embargo_of(0);
  play(paired());
  expect_only("I4", "waits in the lists of 0 3");
}
TEST_P(pool_checker_on, I4_finds_who_has_left_the_bank_and_waits_on) {
  fill();
  leave(15, 0);
  at(15, [](pool_observer& o) { o.assigned(0, 2, 0); });
  player.answers[15] = release_of(0);
  play(paired());
  expect_only("I4", "place 2 of the bank, with a message of 0, waits in the lists of 0 1");
}
TEST_P(pool_checker_on, I5_finds_a_message_in_the_bank_beside_a_free_buffer) {
  store(10, 0, 0);
  bank(11, 2, 0);
  player.answers[11] = embargo_of(0);
  play(paired());
  expect_only("I5", "0 has a message at place 2 of the bank, and its buffer 1 is free");
}
TEST_P(pool_checker_on, I5_finds_a_buffer_that_nobody_gets) {
  fill();
  leave(15, 1);
  play(paired());
  expect_only("I5", "buffer 1 stays free, which 1 messages of the bank want");
}
TEST_P(pool_checker_on, I5_finds_a_message_in_the_bank_whose_processor_has_fewer_than_its_limit) {
  store(10, 0, 5);
  at(11, [](pool_observer& o) { o.banked(0, 2, flit_to(5, 9)); });
  player.answers[11] = embargo_of(5);
  play(std::make_unique<counting_assignment>(4, 2));
  expect_only("I5", "5 has a message at place 2 of the bank, and 1 of its 2 buffers");
}
TEST_P(pool_checker_on, I6_finds_an_interdiction_that_is_missing) {
  fill();
  bank(12, 0, 0), bank(13, 1, 0);
  send_banked(14, 1);
  play(paired());
  expect_only("I6",
              "no interdiction, with 2 of 4 buffers taken, 0 of 3 places of the bank free and 1 needed");
}
TEST_P(pool_checker_on, I6_finds_an_interdiction_without_need) {
  fill();
  player.interdictions = {{13, true}, {14, false}};
  play(paired());
  expect_only("I6",
              "an interdiction, with 2 of 4 buffers taken, 2 of 3 places of the bank free and 1 needed");
}
TEST_P(pool_checker_on, I7_finds_a_link_that_is_not_told) {
  fill();
  player.instead[{12, 1}] = {};
  play(paired());
  expect_only("I7", "link 1 shows -, announced was embargo 0 1 cycles before");
}
TEST_P(pool_checker_on, I7_finds_another_processor) {
  fill();
  player.instead[{15, 0}] = embargo_of(3);
  play(paired(), 4);
  expect_only("I7", "link 0 shows embargo 3, announced was embargo 0 4 cycles before");
}
TEST_P(pool_checker_on, I7_finds_what_comes_early) {
  fill();
  player.instead[{14, 0}] = embargo_of(0);
  play(paired(), 4);
  expect_only("I7", "link 0 shows embargo 0, announced was - 4 cycles before");
}

INSTANTIATE_TEST_SUITE_P(kernels, pool_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
