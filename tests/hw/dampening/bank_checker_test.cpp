// Pins of an emergency bank's links, driven by a list: each broken rule is reported once, legal use never.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <spillway/hw/dampening/bank_checker.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr unsigned slots = 8;

/// What a port's wires show from an edge to the next.
struct spilled {
  unsigned port;
  std::uint16_t slot;
  std::uint32_t packet;
};
struct asked {
  unsigned port;
  std::uint16_t slot;
};
struct play {
  std::multimap<std::uint64_t, spilled> spills;
  std::multimap<std::uint64_t, asked> fetches;
  std::multimap<std::uint64_t, spilled> answers;
};

/// Pins of each link that are high in a reset.
enum class loud { none, spills, fetches, answers };

/// Drives both ends of two spill and two refill links.
class bank_player final : public clocked {
public:
  row<spill_out> spill{2, "spill"};
  row<bundle<spill_pins, as_sender>> answer{2, "answer"};
  row<output<bool>> fetch{2, "fetch"};
  row<output<std::uint16_t>> wanted{2, "wanted"};
  play list;
  loud in_reset = loud::none;

  explicit bank_player(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { show(); }
  void tick() override {
    show();
    wake_at(cycle() + 1);
  }
  void show() {
    for (unsigned p = 0; p < 2; ++p) {
      spill[p].valid.write(in_reset == loud::spills), spill[p].slot.write(static_cast<std::uint16_t>(p));
      answer[p].valid.write(in_reset == loud::answers), fetch[p].write(in_reset == loud::fetches);
    }
    put(list.spills, spill), put(list.answers, answer);
    const auto [first, last] = list.fetches.equal_range(cycle());
    for (auto f = first; f != last; ++f) {
      fetch[f->second.port].write(true);
      wanted[f->second.port].write(f->second.slot);
    }
  }
  template <class Ends>
  void put(const std::multimap<std::uint64_t, spilled>& what, Ends& ends) {
    const auto [first, last] = what.equal_range(cycle());
    for (auto s = first; s != last; ++s) {
      ends[s->second.port].valid.write(true);
      ends[s->second.port].slot.write(s->second.slot);
      ends[s->second.port].data.write(make_flit(1, 2, s->second.packet));
    }
  }
};

class bank_checker_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  void run_list(play list, loud in_reset = loud::none) {
    b_ = std::make_unique<bench>(GetParam());
    auto& player = b_->make<bank_player>("player");
    auto& bank = b_->make<bank_checker>("bank", 2u, slots, std::string("bank"), b_->collect());
    for (unsigned p = 0; p < 2; ++p) {
      const std::string end = std::to_string(p);
      auto& spill = b_->keep<spill_link>(link_place{"spill_" + end}, slots);
      auto& refill = b_->keep<refill_link>(link_place{"refill_" + end}, slots);
      spill.connect(player.spill[p]), spill.connect(bank.spill[p]);
      refill.connect(bank.refill[p]);
      refill.with([&](auto& w) {
        player.answer[p].bind(w);
        player.fetch[p](w.fetch), player.wanted[p](w.wanted);
      });
      for (network_link* const l :
           {static_cast<network_link*>(&spill), static_cast<network_link*>(&refill)}) {
        checkers_.push_back(l->make_checker(b_->collect()));
        b_->clock(*checkers_.back());
      }
    }
    player_ = &player;
    player.list = std::move(list);
    goes_on_after_reset(in_reset);
  }
  void goes_on_after_reset(loud in_reset) {
    player_->in_reset = in_reset;
    b_->reset(4);
    player_->in_reset = loud::none;
    run(40);
  }
  void expect_only(const std::string& rule, const std::string& where, const std::string& what) {
    ASSERT_EQ(b_->violations.size(), 1u) << b_->first_violation();
    EXPECT_EQ(b_->violations.front().rule, rule) << b_->first_violation();
    EXPECT_EQ(b_->violations.front().link, where) << b_->first_violation();
    EXPECT_NE(b_->first_violation().find(what), std::string::npos) << b_->first_violation();
  }
  /// A flit as the player shows it.
  static std::string flit_of(std::uint32_t packet) { return text(make_flit(1, 2, packet)); }

  std::unique_ptr<bench> b_;
  bank_player* player_ = nullptr;
  std::vector<std::unique_ptr<clocked>> checkers_;
};

}  // namespace

TEST_P(bank_checker_on, is_silent_about_legal_use) {
  // Both ports at once; fetched where it was spilled in the same cycle, twice, and the place used again.
  run_list({{{10, {0, 3, 7}}, {10, {1, 4, 8}}, {16, {0, 3, 9}}, {17, {1, 5, 10}}},
            {{10, {1, 3}}, {12, {0, 3}}, {12, {1, 4}}, {17, {0, 5}}, {18, {0, 3}}},
            {{11, {1, 3, 7}}, {13, {0, 3, 7}}, {13, {1, 4, 8}}, {18, {0, 5, 10}}, {19, {0, 3, 9}}}});
  EXPECT_TRUE(b_->violations.empty()) << b_->first_violation();
}
TEST_P(bank_checker_on, BL1_finds_a_spill_to_a_place_that_does_not_exist) {
  run_list({{{10, {0, slots, 7}}}, {}, {}});
  expect_only("BL1", "spill_0", "place 8 is spilled to, the bank has 8");
}
TEST_P(bank_checker_on, BL1_finds_a_fetch_from_a_place_that_does_not_exist) {
  run_list({{}, {{10, {1, slots}}}, {}});
  expect_only("BL1", "refill_1", "place 8 is asked for, the bank has 8");
}
TEST_P(bank_checker_on, BL2_finds_a_fetch_without_an_answer) {
  run_list({{{10, {0, 3, 7}}}, {{12, {0, 3}}}, {}});
  expect_only("BL2", "refill_0", "place 3 was asked for, and nothing is shown");
}
TEST_P(bank_checker_on, BL2_finds_an_answer_that_comes_late) {
  run_list({{{10, {0, 3, 7}}}, {{12, {0, 3}}}, {{14, {0, 3, 7}}}});
  ASSERT_EQ(b_->violations.size(), 2u) << "none when it was due, one when it was not";
  for (const violation& v : b_->violations) EXPECT_EQ(v.rule, "BL2") << v.message;
}
TEST_P(bank_checker_on, BL2_finds_another_place_than_was_asked_for) {
  run_list({{{10, {0, 3, 7}}, {10, {1, 4, 8}}}, {{12, {0, 3}}}, {{13, {0, 4, 8}}}});
  expect_only("BL2", "refill_0", "place 4 is shown, place 3 was asked for");
}
TEST_P(bank_checker_on, BL3_finds_a_link_that_is_in_use_during_reset) {
  run_list({}, loud::spills);
  ASSERT_EQ(b_->violations.size(), 2u) << "once a spill link: " << b_->first_violation();
  goes_on_after_reset(loud::spills);
  ASSERT_EQ(b_->violations.size(), 4u) << "in each reset";
  for (const violation& v : b_->violations) EXPECT_EQ(v.rule, "BL3") << v.message;
}
TEST_P(bank_checker_on, BL3_finds_a_fetch_and_an_answer_during_reset) {
  run_list({});
  for (const loud what : {loud::fetches, loud::answers}) {
    b_->violations.clear();
    player_->in_reset = what;
    b_->rst(true);
    run(3);
    goes_on_after_reset(loud::none);  // low before it ends: no other rule has anything to say
    EXPECT_EQ(b_->broken(), "BL3 BL3 ");
    std::set<std::string> where;
    for (const violation& v : b_->violations) where.insert(v.link);
    EXPECT_EQ(where, (std::set<std::string>{"refill_0", "refill_1"})) << "once each";
  }
}
TEST_P(bank_checker_on, BL4_finds_a_flit_that_is_written_over) {
  run_list({{{10, {0, 3, 7}}, {12, {1, 3, 8}}}, {}, {}});
  expect_only("BL4", "bank",
              flit_of(8) + " is spilled to place 3, where " + flit_of(7) + " has not been fetched");
}
TEST_P(bank_checker_on, BL5_finds_a_fetch_from_an_empty_place) {
  run_list({{{10, {0, 3, 7}}}, {{12, {0, 4}}}, {{13, {0, 4, 0}}}});
  expect_only("BL5", "bank", "place 4 is asked for, where nothing was spilled");
}
TEST_P(bank_checker_on, BL6_finds_a_flit_that_has_changed) {
  run_list({{{10, {0, 3, 7}}}, {{12, {1, 3}}}, {{13, {1, 3, 8}}}});
  expect_only("BL6", "bank", flit_of(8) + " comes from place 3, where " + flit_of(7) + " was spilled");
}
INSTANTIATE_TEST_SUITE_P(kernels, bank_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

namespace {

/// Checkers that nobody but their pins and timers call.
struct sleeping_bank {
  clock_domain domain{"domain", period()};
  wire<bool> rst{domain};
  std::vector<violation> violations;
  const violation_handler collect = [this](const violation& v) { violations.push_back(v); };
  std::unique_ptr<spill_link> spill;
  std::unique_ptr<refill_link> refill;
  std::unique_ptr<bank_checker> bank;
  std::unique_ptr<clocked> of_spill, rules;

  sleeping_bank() {
    const top_level_scope scope(&domain);
    spill = std::make_unique<spill_link>(link_place{"spill"}, slots);
    refill = std::make_unique<refill_link>(link_place{"refill"}, slots);
    bank = std::make_unique<bank_checker>("bank", 1u, slots, "bank", collect);
    spill->connect(bank->spill[0]), refill->connect(bank->refill[0]);
    of_spill = spill->make_checker(collect), rules = refill->make_checker(collect);
    for (clocked* const c : {static_cast<clocked*>(bank.get()), of_spill.get(), rules.get()})
      c->clk(domain), c->rst(rst);
  }
};

}  // namespace

TEST(bank_checkers_asleep, BL4_finds_the_same_flit_twice_in_a_row) {
  sleeping_bank t;
  t.spill->with([](auto& w) { w.valid.write(true), w.slot.write(3), w.data.write(make_flit(1, 2, 7)); });
  run(2);
  ASSERT_EQ(t.violations.size(), 1u);
  EXPECT_EQ(t.violations[0].rule, "BL4");
}

TEST(bank_checkers_asleep, BL1_finds_each_of_two_spills_that_look_the_same) {
  sleeping_bank t;
  t.spill->with([](auto& w) { w.valid.write(true), w.slot.write(slots); });
  run(2);
  t.spill->with([](auto& w) { w.valid.write(false); });
  run(2);
  ASSERT_EQ(t.violations.size(), 2u);
  for (const violation& v : t.violations) EXPECT_EQ(v.rule, "BL1") << v.message;
}

TEST(bank_checkers_asleep, BL1_finds_each_of_two_fetches_that_look_the_same) {
  sleeping_bank t;
  t.refill->with([](auto& w) { w.fetch.write(true), w.wanted.write(slots); });
  run(2);
  t.refill->with([](auto& w) { w.fetch.write(false); });
  run(2);
  ASSERT_EQ(t.violations.size(), 2u);
  for (const violation& v : t.violations) EXPECT_EQ(v.rule, "BL1") << v.message;
}

TEST(bank_checkers_asleep, BL2_finds_an_answer_that_is_shown_for_two_cycles) {
  sleeping_bank t;
  t.spill->with([](auto& w) { w.valid.write(true), w.slot.write(3), w.data.write(make_flit(1, 2, 7)); });
  run(1);
  t.spill->with([](auto& w) { w.valid.write(false); });
  t.refill->with([](auto& w) { w.fetch.write(true), w.wanted.write(3); });
  run(1);
  t.refill->with([](auto& w) {
    w.fetch.write(false);
    w.valid.write(true), w.slot.write(3), w.data.write(make_flit(1, 2, 7));
  });
  run(2);
  t.refill->with([](auto& w) { w.valid.write(false); });
  run(2);
  ASSERT_EQ(t.violations.size(), 1u);
  EXPECT_EQ(t.violations[0].rule, "BL2") << t.violations[0].message;
}

TEST(bank_checkers_asleep, need_no_reset_to_begin) {
  sleeping_bank t;
  run(5);
  EXPECT_TRUE(t.violations.empty());
}
