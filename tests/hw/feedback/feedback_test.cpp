// The interface of the feedback network at its pins.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <support/feedback_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr unsigned modules = 100;  // two words of lines
using module_list = std::vector<std::uint32_t>;
using cycle_list = std::vector<std::uint64_t>;

class feedback_on : public sc_test, public testing::WithParamInterface<kernel> {};

// An interface whose lines or grants a test drives, before a network that takes everything.
struct interface_bench {
  bench b;
  event_log log;
  feedback_lines& lines;
  line_puppet& driver;
  receiver& network;
  std::unique_ptr<feedback_interface> unit;
  std::unique_ptr<any_wire<admission_wish>> wish;
  std::unique_ptr<any_wire<bool>> grant;
  std::unique_ptr<guard_checker> guard;

  interface_bench(kernel k, feedback_interface_config config, const std::vector<listed_supply::item>& packets,
                  const std::string& name = "b", unsigned take = 100)
      : b(k, name),
        lines(b.keep<feedback_lines>(place(name + "_lines"), modules)),
        driver(b.make<line_puppet>("driver", modules)),
        network(b.make<receiver>("network", take)) {
    config.terminals = modules;
    unit = std::make_unique<feedback_interface>((name + "_unit").c_str(), 7, config,
                                                std::make_unique<listed_supply>(packets), log, nullptr,
                                                link_end{});
    b.clock(*unit);
    driver.bind(lines);
    const any_link out = b.link("out");
    unit->out.bind(out), network.in.bind(out);
    if (unit->lines.size()) lines.connect_words(unit->lines);
    if (unit->admission.size()) {
      wish = std::make_unique<any_wire<admission_wish>>(b, name + "_wish");
      grant = std::make_unique<any_wire<bool>>(b, name + "_grant");
      wish->connect(unit->admission[0].wish), grant->connect(unit->admission[0].grant);
    }
    if (config.limited || config.bleed == bleeding::slots || config.bleed == bleeding::random) return;
    guard = std::make_unique<guard_checker>((name + "_guard").c_str(), config, std::string{}, b.collect());
    b.clock(*guard);
    guard->bind(const_cast<any_link&>(out));
    lines.connect_words(guard->lines);
    if (grant) grant->connect(guard->grant[0]);
  }
  /// Module m is hot in cycles [from, until), as its line shows one cycle later.
  void heat(unsigned m, std::uint64_t from, std::uint64_t until) {
    times_.push_back({m, from, until});
    driver.hot = [this](std::uint64_t cycle, unsigned module) {
      return std::any_of(times_.begin(), times_.end(), [&](const period_of& p) {
        return p.module == module && cycle >= p.from && cycle < p.until;
      });
    };
  }
  void grant_for(unsigned cycles) {
    grant->write(true);
    run(cycles);
    grant->write(false);
  }
  void expect_legal() const { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }

private:
  struct period_of {
    unsigned module;
    std::uint64_t from, until;
  };
  std::vector<period_of> times_;
};

std::vector<listed_supply::item> at(const std::vector<std::pair<std::uint64_t, std::uint32_t>>& list) {
  std::vector<listed_supply::item> items;
  items.reserve(list.size());
  for (const auto& [cycle, module] : list) items.push_back({cycle, {module, 1}});
  return items;
}

}  // namespace

TEST_P(feedback_on, interface_without_hot_modules_sends_a_request_a_cycle) {
  interface_bench t(GetParam(), {}, at({{10, 1}, {10, 2}, {10, 3}, {20, 80}}));
  t.b.reset();
  run(40);
  EXPECT_EQ(cycles_of(t.log.entered), (cycle_list{11, 12, 13, 21}));
  EXPECT_EQ(modules_of(t.log.entered), (module_list{1, 2, 3, 80}));
  t.expect_legal();
}

TEST_P(feedback_on, interface_holds_a_hot_request_and_those_behind_it) {
  interface_bench t(GetParam(), {}, at({{10, 1}, {20, 80}, {20, 2}, {50, 1}}));
  t.heat(80, 15, 30);
  t.b.reset();
  run(80);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{1, 80, 2, 1}));
  // The line falls at edge 30, is seen at 31, and the request crosses at 32.
  EXPECT_EQ(cycles_of(t.log.entered), (cycle_list{11, 32, 33, 51}));
  EXPECT_EQ(t.unit->backlog_flits(), 0u);
  t.expect_legal();
}

TEST_P(feedback_on, interface_sets_blocked_requests_aside) {
  feedback_interface_config config;
  config.set_aside = 2;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 2}, {20, 80}, {20, 3}, {20, 80}, {20, 4}}));
  t.heat(80, 15, 60);
  t.b.reset();
  run(50);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{2, 3})) << "the third finds no place";
  EXPECT_EQ(t.unit->backlog_flits(), 4u);
  run(50);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{2, 3, 80, 80, 80, 4}));
  module_list hot_packets;
  for (const passage& p : t.log.entered)
    if (p.data.destination == 80) hot_packets.push_back(p.data.packet);
  EXPECT_EQ(hot_packets, (module_list{0, 2, 4})) << "none overtakes another of the same module";
  EXPECT_EQ(t.unit->most_set_aside(), 2u);
  t.expect_legal();
}

TEST_P(feedback_on, interface_forgets_and_counts_what_a_reset_throws_away) {
  feedback_interface_config config;
  config.set_aside = 1;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 2}, {20, 80}, {20, 3}, {90, 4}}));
  t.heat(80, 15, 60);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.log.entered.size(), 1u);
  t.b.reset();
  EXPECT_EQ(t.unit->lost_in_reset(), 3u);
  EXPECT_EQ(t.unit->backlog_flits(), 0u);
  run(80);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{2, 4}));
  t.expect_legal();
}

TEST_P(feedback_on, interface_with_a_full_list_holds_nothing_else_back) {
  feedback_interface_config config;
  config.hot_list = 1;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 3}}));
  t.heat(3, 10, 60);
  t.heat(80, 12, 60);
  t.b.reset();
  run(50);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{80})) << "module 3 has the only place";
  EXPECT_EQ(t.unit->known_hot().overflows(), 1u);
  run(50);
  EXPECT_EQ(t.log.entered.size(), 2u);
  t.expect_legal();
}

TEST_P(feedback_on, interface_bleeds_a_request_a_grant) {
  feedback_interface_config config;
  config.bleed = bleeding::granted;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 80}, {20, 2}}));
  t.heat(80, 15, 60);
  t.b.reset();
  run(38);
  EXPECT_TRUE(t.log.entered.empty());
  EXPECT_EQ(t.wish->read(), (admission_wish{1, 80, 0}));
  t.grant_for(1);
  EXPECT_EQ(t.wish->read().count, 0) << "it is being sent";
  run(9);
  EXPECT_EQ(t.log.entered.size(), 1u);
  EXPECT_EQ(t.unit->bled(), 1u);
  EXPECT_EQ(t.wish->read(), (admission_wish{1, 80, 0})) << "for the next";
  run(30);
  EXPECT_EQ(t.log.entered.size(), 3u);
  t.grant->write(true);  // too late
  run(1);
  t.grant->write(false);
  run(5);
  EXPECT_EQ(t.unit->unused_grants(), 1u);
  t.expect_legal();
}

TEST_P(feedback_on, interface_bleeds_in_its_slot) {
  feedback_interface_config config;
  config.bleed = bleeding::slots;
  config.slots = 3;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 80}, {20, 80}}));
  t.heat(80, 15, 400);
  t.b.reset(2);
  run(250);
  // The counter shows 3c, 3c + 1 and 3c + 2 modulo 100 in cycle c from the end of the reset, at edge 2: the
  // interface is terminal 7.
  cycle_list slots;
  for (std::uint64_t c = 0; c < 200; ++c)
    if ((7 + 100 - 3 * c % 100) % 100 < 3 && c + 2 > 20) slots.push_back(c + 3);
  slots.resize(3);
  EXPECT_EQ(cycles_of(t.log.entered), slots);
  EXPECT_EQ(t.unit->bled(), 3u);
}

TEST_P(feedback_on, interface_bleeds_at_random_with_the_probability) {
  feedback_interface_config config;
  config.bleed = bleeding::random;
  config.probability = 0.1;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> packets(200, {20, 80});
  interface_bench t(GetParam(), config, at(packets));
  t.heat(80, 15, 100000);
  t.b.reset();
  run(6000);
  ASSERT_EQ(t.log.entered.size(), 200u);
  // One toss a cycle in which nothing is sent: 10 cycles a request on average.
  const auto cycles = static_cast<double>(t.log.entered.back().cycle - t.log.entered.front().cycle);
  EXPECT_NEAR(cycles / 199, 10, 2.5);
}

TEST_P(feedback_on, interface_tosses_of_its_own_with_every_seed) {
  std::vector<std::unique_ptr<interface_bench>> benches;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    feedback_interface_config config;
    config.bleed = bleeding::random;
    config.probability = 0.5;
    config.seed = seed;
    benches.push_back(std::make_unique<interface_bench>(
        GetParam(), config, at(std::vector<std::pair<std::uint64_t, std::uint32_t>>(900, {20, 80})),
        "b" + std::to_string(seed)));
    benches.back()->heat(80, 15, 100000);
  }
  for (const auto& t : benches) t->b.rst(true);
  run(2);
  for (const auto& t : benches) t->b.rst(false);
  run(450);
  std::vector<std::set<std::uint64_t>> bled;
  for (const auto& t : benches) {
    bled.emplace_back();
    for (const passage& p : t->log.entered) bled.back().insert(p.cycle);
  }
  // Of 400 tosses that have nothing to do with each other half are equal, give or take 10.
  for (std::size_t one = 0; one < bled.size(); ++one)
    for (std::size_t other = 0; other < one; ++other)
      for (unsigned shift = 0; shift < 4; ++shift) {
        unsigned equal = 0;
        for (std::uint64_t c = 30; c < 430; ++c) equal += bled[one].count(c) == bled[other].count(c + shift);
        EXPECT_NEAR(equal, 200, 60) << one + 1 << ", " << other + 1 << " shifted by " << shift;
      }
}

TEST_P(feedback_on, interface_with_limits_sends_what_is_granted) {
  feedback_interface_config config;
  config.limited = true;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 2}, {20, 3}, {20, 4}}));
  t.b.reset();
  run(30);
  EXPECT_TRUE(t.log.entered.empty());
  EXPECT_EQ(t.wish->read(), (admission_wish{2, 80, 2}));
  t.grant_for(3);
  run(20);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{80, 2, 3}));
  EXPECT_EQ(cycles_of(t.log.entered), (cycle_list{33, 34, 35})) << "a request a cycle";
  EXPECT_EQ(t.wish->read(), (admission_wish{1, 4, 0}));
}

TEST_P(feedback_on, interface_with_limits_has_two_grants_at_most_ahead_of_the_network) {
  feedback_interface_config config;
  config.limited = true;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 2}, {20, 3}, {20, 4}, {20, 5}, {20, 6}}), "b", 0);
  t.b.reset();
  run(30);
  t.grant_for(3);  // one for what is shown, and two
  run(5);
  EXPECT_EQ(t.wish->read().count, 0);
  t.network.rate = 100;
  run(5);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{80, 2, 3}));
  EXPECT_EQ(t.wish->read(), (admission_wish{2, 4, 5}));
}

TEST_P(feedback_on, interface_loses_its_grants_in_a_reset) {
  feedback_interface_config config;
  config.limited = true;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 2}, {20, 3}, {90, 4}}), "b", 0);
  t.b.reset();
  run(30);
  t.grant_for(3);  // one for what is shown, and two
  run(5);
  t.b.reset();
  t.network.rate = 100;
  run(80);
  EXPECT_TRUE(t.log.entered.empty());
  EXPECT_EQ(t.wish->read(), (admission_wish{1, 4, 0}));
}

TEST_P(feedback_on, interface_wishes_also_without_room_and_then_loses_its_grant) {
  feedback_interface_config config;
  config.bleed = bleeding::granted;
  interface_bench t(GetParam(), config, at({{20, 80}}), "b", 0);
  t.heat(80, 10, 80);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.wish->read().count, 1);
  t.grant_for(1);
  run(5);
  EXPECT_EQ(t.unit->unused_grants(), 1u);
  EXPECT_EQ(t.unit->bled(), 0u);
  EXPECT_EQ(t.wish->read().count, 1) << "it wishes again";
  t.network.rate = 100;
  run(3);
  EXPECT_TRUE(t.log.entered.empty());
  t.grant_for(1);
  run(5);
  EXPECT_EQ(t.unit->bled(), 1u);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{80}));
  t.expect_legal();
}

TEST_P(feedback_on, interface_may_wish_for_nothing_that_the_network_has_no_room_for) {
  feedback_interface_config config;
  config.bleed = bleeding::granted;
  config.grants_need_room = true;
  interface_bench t(GetParam(), config, at({{20, 80}}), "b", 0);
  t.heat(80, 10, 80);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.wish->read().count, 0);
  t.grant->write(true);  // without a wish
  run(1);
  t.grant->write(false);
  run(5);
  EXPECT_EQ(t.unit->unused_grants(), 1u);
  t.network.rate = 100;
  run(3);
  EXPECT_EQ(t.wish->read().count, 1);
  EXPECT_TRUE(t.log.entered.empty());
  run(60);
  EXPECT_EQ(t.log.entered.size(), 1u);
  t.expect_legal();
}

TEST_P(feedback_on, interface_shows_a_request_until_it_is_taken) {
  interface_bench t(GetParam(), {}, at({{20, 80}}), "b", 0);
  t.heat(80, 30, 60);  // after it was shown
  t.b.reset();
  run(40);
  t.network.rate = 100;
  run(5);
  EXPECT_EQ(t.log.entered.size(), 1u);
  t.expect_legal();
}

INSTANTIATE_TEST_SUITE_P(kernels, feedback_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
