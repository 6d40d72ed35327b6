#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <spillway/hw/interfaces/feedback_bus.hpp>
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
        lines(b.keep<feedback_lines>(place(name + "_lines"), modules, b.fast_domain())),
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
  t.grant->write(true);
  run(1);
  t.grant->write(false);
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

TEST_P(feedback_on, interface_with_limits_sends_what_is_granted) {
  feedback_interface_config config;
  config.limited = true;
  interface_bench t(GetParam(), config, at({{20, 80}, {20, 2}, {20, 3}, {20, 4}}));
  t.b.reset();
  run(30);
  EXPECT_TRUE(t.log.entered.empty());
  EXPECT_EQ(t.wish->read(), (admission_wish{2, 80, 2}));
  t.grant->write(true);
  run(3);
  t.grant->write(false);
  run(20);
  EXPECT_EQ(modules_of(t.log.entered), (module_list{80, 2, 3}));
  EXPECT_EQ(cycles_of(t.log.entered), (cycle_list{33, 34, 35})) << "a request a cycle";
  EXPECT_EQ(t.wish->read(), (admission_wish{1, 4, 0}));
}

TEST_P(feedback_on, interface_bleeds_nothing_that_the_network_has_no_room_for) {
  feedback_interface_config config;
  config.bleed = bleeding::granted;
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

namespace {

// Modules whose lines a test drives, the bus, and its checker.
struct bus_bench {
  bench b;
  feedback_lines& lines;
  line_puppet& driver;
  feedback_bus& bus;
  feedback_bus_link& link;
  bus_checker& check;
  puppet<feedback_bus_in>& ear;
  std::vector<std::pair<std::uint64_t, announcement>> heard;

  explicit bus_bench(kernel k)
      : b(k),
        lines(b.keep<feedback_lines>(place("lines"), modules, b.fast_domain())),
        driver(b.make<line_puppet>("driver", modules)),
        bus(b.make<feedback_bus>("bus", modules)),
        link(b.keep<feedback_bus_link>(place("bus"), b.fast_domain())),
        check(b.make<bus_checker>("check", modules, modules + 1, std::string{}, b.collect())),
        ear(b.make<puppet<feedback_bus_in>>("ear", "in")) {
    driver.bind(lines);
    lines.connect_words(bus.lines), lines.connect_words(check.lines);
    link.connect(bus.out), link.connect(check.bus), link.connect(ear.pins);
    ear.act = [this](std::uint64_t cycle) {
      if (ear.pins.said.read().valid) heard.emplace_back(cycle, ear.pins.said.read());
    };
  }
};

}  // namespace

TEST_P(feedback_on, bus_tells_one_change_a_cycle_in_order) {
  bus_bench t(GetParam());
  t.driver.hot = [](std::uint64_t cycle, unsigned m) {
    if (m == 70) return cycle >= 20 && cycle < 40;
    if (m == 3) return cycle >= 20;
    if (m == 5) return cycle == 20;  // has changed back before its turn
    if (m == 99) return cycle >= 21;
    return false;
  };
  t.b.reset();
  run(80);
  ASSERT_EQ(t.heard.size(), 4u) << "module 5 has nothing to tell";
  // Told one cycle after the line, heard at the edge after that. Module 5 has changed back in its turn's
  // cycle or before, which costs no cycle.
  EXPECT_EQ(t.heard[0], (std::pair<std::uint64_t, announcement>{22, {true, true, 3}}));
  EXPECT_EQ(t.heard[1], (std::pair<std::uint64_t, announcement>{23, {true, true, 70}}));
  EXPECT_EQ(t.heard[2], (std::pair<std::uint64_t, announcement>{24, {true, true, 99}}));
  EXPECT_EQ(t.heard[3], (std::pair<std::uint64_t, announcement>{42, {true, false, 70}}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(feedback_on, bus_tells_all_in_the_end) {
  bus_bench t(GetParam());
  t.driver.hot = [](std::uint64_t cycle, unsigned m) {
    if (cycle >= 600) return m % 3 == 0;
    return ((cycle / (1 + m % 7) * 2654435761u + m * 40503u) >> 7 & 1) != 0;
  };
  t.b.reset();
  run(900);
  std::set<unsigned> told;
  for (const auto& [cycle, said] : t.heard)
    said.hot ? (void)told.insert(said.module) : (void)told.erase(said.module);
  for (unsigned m = 0; m < modules; ++m) EXPECT_EQ(told.count(m), m % 3 == 0) << m;
  EXPECT_EQ(t.bus.announced(), t.heard.size());
  EXPECT_GT(t.bus.most_waiting(), 20u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(feedback_on, monitor_follows_its_rule_one_cycle_later) {
  bench b(GetParam());
  temperature_rule rule;
  rule.hot_at = 5;
  rule.cool_below = 3;
  auto& monitor = b.make<memory_monitor>("monitor", rule);
  auto& lines = b.keep<feedback_lines>(place("lines"), 2, b.fast_domain());
  auto& check = b.make<line_checker>("check", 1u, rule, std::string{}, b.collect());
  any_wire<std::uint16_t> length(b, "length");
  length.connect(monitor.length), length.connect(check.length);
  lines.connect_line(1, monitor.hot), lines.connect_word_of(1, check.line);
  any_wire<bool> unused(b, "unused");
  b.reset();
  const std::vector<std::pair<unsigned, bool>> steps{{4, false}, {5, true},  {3, true}, {4, true},
                                                     {2, false}, {4, false}, {9, true}, {0, false}};
  for (const auto& [value, hot] : steps) {
    length.write(static_cast<std::uint16_t>(value));
    run(2);
    EXPECT_EQ(lines.hot(1), hot) << "with " << value;
    EXPECT_FALSE(lines.hot(0));
  }
  b.reset(1);
  EXPECT_FALSE(lines.hot(1));
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

TEST_P(feedback_on, monitor_tells_as_late_as_its_rule_says) {
  bench b(GetParam());
  temperature_rule rule;
  rule.delay = 5;
  auto& monitor = b.make<memory_monitor>("monitor", rule);
  auto& lines = b.keep<feedback_lines>(place("lines"), 1, b.fast_domain());
  auto& check = b.make<line_checker>("check", 0u, rule, std::string{}, b.collect());
  any_wire<std::uint16_t> length(b, "length");
  length.connect(monitor.length), length.connect(check.length);
  lines.connect_line(0, monitor.hot), lines.connect_word_of(0, check.line);
  b.reset();
  // Hot for two cycles, cool for one, hot from then on: all of it comes five cycles later.
  const std::vector<unsigned> values{3, 4, 2, 9, 9, 9, 9, 9, 9, 9};
  std::vector<bool> seen;
  for (const unsigned value : values) {
    length.write(static_cast<std::uint16_t>(value));
    run(1);
    seen.push_back(lines.hot(0));
  }
  const auto first = std::find(seen.begin(), seen.end(), true);
  ASSERT_LE(first + 4, seen.end());
  EXPECT_EQ(std::vector<bool>(first, first + 4), (std::vector<bool>{true, true, false, true}));
  EXPECT_GE(first - seen.begin(), 4);
  EXPECT_LE(first - seen.begin(), 5);
  b.reset(1);
  EXPECT_FALSE(lines.hot(0));
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

namespace {

// Clients that always wish for something, an arbiter and its checker.
struct arbiter_bench {
  bench b;
  feedback_lines& lines;
  line_puppet& driver;
  admission_group& group;
  admission_arbiter& arbiter;
  admission_checker& check;
  puppet<row<admission_client>>& clients;
  std::vector<std::vector<std::uint64_t>> grants;  // by client: cycles
  std::function<admission_wish(unsigned client)> wish;

  arbiter_bench(kernel k, unsigned n, const admission_limits& limits)
      : b(k),
        lines(b.keep<feedback_lines>(place("lines"), n, b.fast_domain())),
        driver(b.make<line_puppet>("driver", n)),
        group(b.keep<admission_group>(place("group"), n, lines, limits, b.fast_domain())),
        arbiter(b.make<admission_arbiter>("arbiter", n, limits)),
        check(b.make<admission_checker>("check", n, limits, std::string{}, b.collect())),
        clients(b.make<puppet<row<admission_client>>>("clients", n, "client")),
        grants(n) {
    driver.bind(lines);
    lines.connect_words(arbiter.lines), lines.connect_words(check.lines);
    for (unsigned p = 0; p < n; ++p) {
      group.links[p]->connect(clients.pins[p]), group.links[p]->connect(arbiter.clients[p]);
      admission_tap tap{check.wishes[p], check.grants[p]};
      group.links[p]->connect(tap);
    }
    clients.act = [this](std::uint64_t cycle) {
      for (unsigned p = 0; p < clients.pins.size(); ++p) {
        if (clients.pins[p].grant.read()) grants[p].push_back(cycle);
        clients.pins[p].wish.write(wish(p));
      }
    };
  }
  std::size_t granted() const {
    std::size_t sum = 0;
    for (const auto& g : grants) sum += g.size();
    return sum;
  }
};

}  // namespace

TEST_P(feedback_on, arbiter_admits_so_many_in_all_and_everyone_in_turn) {
  arbiter_bench t(GetParam(), 6, {2, 0, 0});
  t.wish = [](unsigned p) { return p == 4 ? admission_wish{} : admission_wish{2, p, p}; };
  t.b.reset();
  run(102);
  EXPECT_EQ(t.granted(), 200u) << "two a cycle";
  for (const unsigned p : {0, 1, 2, 3, 5}) EXPECT_EQ(t.grants[p].size(), 40u) << p;
  EXPECT_TRUE(t.grants[4].empty());
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(feedback_on, arbiter_gives_one_grant_for_one_wish) {
  arbiter_bench t(GetParam(), 2, {2, 0, 0});
  // A client hears of its grant one edge later: until then the wish that it shows is an old one.
  t.wish = [](unsigned) { return admission_wish{1, 0, 0}; };
  t.b.reset();
  run(23);
  for (const auto& g : t.grants)
    for (std::size_t i = 1; i < g.size(); ++i) EXPECT_EQ(g[i] - g[i - 1], 2u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(feedback_on, arbiter_limits_the_requests_to_hot_and_to_cold_modules) {
  arbiter_bench t(GetParam(), 8, {0, 1, 2});
  t.wish = [](unsigned p) { return admission_wish{2, p % 2, p % 2}; };  // four clients a module
  t.driver.hot = [](std::uint64_t, unsigned m) { return m == 1; };
  t.b.reset();
  run(103);
  std::size_t cold = 0, hot = 0;
  for (unsigned p = 0; p < 8; ++p) (p % 2 ? hot : cold) += t.grants[p].size();
  EXPECT_NEAR(static_cast<double>(cold), 200, 4);
  EXPECT_NEAR(static_cast<double>(hot), 100, 4);
  for (unsigned p = 0; p < 8; ++p) EXPECT_NEAR(static_cast<double>(t.grants[p].size()), p % 2 ? 25 : 50, 2);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, feedback_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

TEST(hot_list_test, holds_so_many_modules_and_counts_the_others) {
  hot_list list(130, 2);
  list.set(3, true);
  list.set(129, true);
  list.set(64, true);
  EXPECT_TRUE(list.holds(3) && list.holds(129));
  EXPECT_FALSE(list.holds(64));
  EXPECT_EQ(list.overflows(), 1u);
  list.set(3, false);
  EXPECT_FALSE(list.holds(64)) << "it is not told again";
  list.set(64, false);
  list.set(64, true);
  EXPECT_TRUE(list.holds(64));
  list.clear();
  EXPECT_EQ(list.size(), 0u);
  EXPECT_FALSE(list.holds(129));
}

TEST(hot_list_test, agrees_with_a_set_of_modules) {
  dice d(9);
  hot_list any(200, 0), few(200, 5);
  std::set<unsigned> told, listed;
  for (unsigned step = 0; step < 5000; ++step) {
    const unsigned m = d.below(200);
    const bool hot = d.percent(30);
    if (hot && !told.count(m) && listed.size() < 5) listed.insert(m);
    if (!hot) listed.erase(m);
    hot ? (void)told.insert(m) : (void)told.erase(m);
    any.set(m, hot), few.set(m, hot);
    ASSERT_EQ(any.size(), told.size());
    ASSERT_EQ(few.size(), listed.size());
    ASSERT_EQ(any.holds(m), told.count(m) == 1);
    ASSERT_EQ(few.holds(m), listed.count(m) == 1);
  }
  EXPECT_GT(few.overflows(), 100u);
}

TEST(feedback_config_test, names_what_is_wrong) {
  const auto refused = [](const std::function<void(feedback_interface_config&)>& edit) {
    feedback_interface_config config;
    config.terminals = 8;
    config.check();
    edit(config);
    EXPECT_THROW(config.check(), std::invalid_argument);
  };
  refused([](auto& c) { c.slots = 9; });
  refused([](auto& c) { c.slots = 0; });
  refused([](auto& c) { c.probability = 1.5; });
  refused([](auto& c) { c.limited = true, c.set_aside = 1; });
  refused([](auto& c) { c.limited = true, c.bleed = bleeding::slots; });
  refused([](auto& c) { c.terminals = 0; });
  EXPECT_THROW((temperature_rule{0, 0}.check()), std::invalid_argument);
  EXPECT_THROW((temperature_rule{3, 4}.check()), std::invalid_argument);
  EXPECT_THROW((temperature_rule{3, 3, 0}.check()), std::invalid_argument);
  EXPECT_THROW((admission_choice(4, 4, {1, 1, 0})), std::invalid_argument);
}
