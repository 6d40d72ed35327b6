// What tells the interfaces of hot modules and admits their requests: monitor, bus, arbiter; and the parts
// that decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <spillway/hw/feedback/feedback_bus.hpp>
#include <sstream>
#include <support/feedback_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr unsigned modules = 100;  // two words of lines

class announcements_on : public sc_test, public testing::WithParamInterface<kernel> {};

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
        lines(b.keep<feedback_lines>(place("lines"), modules)),
        driver(b.make<line_puppet>("driver", modules)),
        bus(b.make<feedback_bus>("bus", modules)),
        link(b.keep<feedback_bus_link>(place("bus"))),
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

TEST_P(announcements_on, bus_tells_one_change_a_cycle_in_order) {
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

// Of modules that change at once the first is the one behind that which was told last, not always the lowest.
TEST_P(announcements_on, bus_begins_behind_the_module_that_was_told_last) {
  bus_bench t(GetParam());
  t.driver.hot = [](std::uint64_t cycle, unsigned m) {
    if (m == 40 || m == 60) return cycle >= 20;
    return (m == 3 || m == 50 || m == 61 || m == 99) && cycle >= 40;
  };
  t.b.reset();
  run(80);
  std::vector<unsigned> order;
  for (const auto& [cycle, said] : t.heard) order.push_back(said.module);
  EXPECT_EQ(order, (std::vector<unsigned>{40, 60, 61, 99, 3, 50}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(announcements_on, bus_tells_all_in_the_end) {
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

namespace {

// A memory queue's length that a test sets, its monitor, the lines, and their checker.
struct monitor_bench {
  bench b;
  const unsigned module;
  memory_monitor& monitor;
  feedback_lines& lines;
  line_checker& check;
  any_wire<std::uint16_t> length;

  monitor_bench(kernel k, const temperature_rule& rule, unsigned of)
      : b(k),
        module(of),
        monitor(b.make<memory_monitor>("monitor", rule)),
        lines(b.keep<feedback_lines>(place("lines"), of + 1)),
        check(b.make<line_checker>("check", of, rule, std::string{}, b.collect())),
        length(b, "length") {
    length.connect(monitor.length), length.connect(check.length);
    lines.connect_line(of, monitor.hot), lines.connect_word_of(of, check.line);
  }
  bool hot_after(unsigned value, unsigned cycles) {
    length.write(static_cast<std::uint16_t>(value));
    run(cycles);
    return lines.hot(module);
  }
  void expect_cool_after_reset_and_legal() {
    b.reset(1);
    EXPECT_FALSE(lines.hot(module));
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  }
};

}  // namespace

TEST_P(announcements_on, monitor_follows_its_rule_one_cycle_later) {
  temperature_rule rule;
  rule.hot_at = 5;
  rule.cool_below = 3;
  monitor_bench t(GetParam(), rule, 1);
  any_wire<bool> unused(t.b, "unused");
  t.b.reset();
  const std::vector<std::pair<unsigned, bool>> steps{{4, false}, {5, true},  {3, true}, {4, true},
                                                     {2, false}, {4, false}, {9, true}, {0, false}};
  for (const auto& [value, hot] : steps) {
    EXPECT_EQ(t.hot_after(value, 2), hot) << "with " << value;
    EXPECT_FALSE(t.lines.hot(0));
  }
  t.hot_after(9, 2);
  t.expect_cool_after_reset_and_legal();
}

TEST_P(announcements_on, monitor_says_each_new_length_once) {
  temperature_rule rule;
  rule.delay = 3;  // so that it is called again for the line
  monitor_bench t(GetParam(), rule, 0);
  std::vector<std::pair<unsigned, bool>> said;
  t.monitor.on_change = [&](std::uint64_t, unsigned length, bool hot) { said.emplace_back(length, hot); };
  t.b.reset();
  for (const unsigned value : {0, 2, 3, 4, 1}) t.hot_after(value, 10);
  using list = std::vector<std::pair<unsigned, bool>>;
  EXPECT_EQ(said, (list{{2, false}, {3, true}, {4, true}, {1, false}}));
  t.hot_after(5, 10);
  said.clear();
  t.b.reset();  // which the queue has not heard of
  run(10);
  EXPECT_EQ(said, (list{{5, true}}));
}

TEST_P(announcements_on, monitor_tells_as_late_as_its_rule_says) {
  temperature_rule rule;
  rule.delay = 5;
  monitor_bench t(GetParam(), rule, 0);
  t.b.reset();
  // Hot for two cycles, cool for one, hot from then on: all of it comes five cycles later.
  std::vector<bool> seen;
  for (const unsigned value : {3, 4, 2, 9, 9, 9, 9, 9, 9, 9}) seen.push_back(t.hot_after(value, 1));
  const auto first = std::find(seen.begin(), seen.end(), true);
  ASSERT_LE(first - seen.begin(), 5);
  EXPECT_GE(first - seen.begin(), 4);
  EXPECT_EQ(std::vector<bool>(first, first + 4), (std::vector<bool>{true, true, false, true}));
  t.expect_cool_after_reset_and_legal();
}

namespace {

// Clients that always wish for something, an arbiter and its checker.
struct arbiter_bench {
  bench b;
  feedback_lines& lines;
  line_puppet& driver;
  admission_arbiter& arbiter;
  admission_checker& check;
  puppet<row<admission_client>>& clients;
  std::vector<std::vector<std::uint64_t>> grants;  // by client: cycles
  std::function<admission_wish(unsigned client)> wish;

  arbiter_bench(kernel k, unsigned n, const admission_limits& limits)
      : b(k),
        lines(b.keep<feedback_lines>(place("lines"), n)),
        driver(b.make<line_puppet>("driver", n)),
        arbiter(b.make<admission_arbiter>("arbiter", n, limits)),
        check(b.make<admission_checker>("check", n, limits, std::string{}, b.collect())),
        clients(b.make<puppet<row<admission_client>>>("clients", n, "client")),
        grants(n) {
    driver.bind(lines);
    lines.connect_words(arbiter.lines), lines.connect_words(check.lines);
    for (unsigned p = 0; p < n; ++p) {
      auto& l = b.keep<admission_link>(place("admission_" + std::to_string(p)));
      l.connect(clients.pins[p]), l.connect(arbiter.clients[p]), l.connect(check.clients[p]);
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

TEST_P(announcements_on, arbiter_admits_so_many_in_all_and_everyone_in_turn) {
  arbiter_bench t(GetParam(), 6, {2, 0, 0});
  t.wish = [](unsigned p) { return p == 4 ? admission_wish{} : admission_wish{2, p, p}; };
  t.b.reset();
  run(102);
  EXPECT_EQ(t.granted(), 200u) << "two a cycle";
  for (const unsigned p : {0, 1, 2, 3, 5}) EXPECT_EQ(t.grants[p].size(), 40u) << p;
  EXPECT_TRUE(t.grants[4].empty());
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(announcements_on, arbiter_gives_one_grant_for_one_wish) {
  arbiter_bench t(GetParam(), 2, {2, 0, 0});
  // A client hears of its grant one edge later: until then the wish that it shows is an old one.
  t.wish = [](unsigned) { return admission_wish{1, 0, 0}; };
  t.b.reset();
  run(23);
  for (const auto& g : t.grants) {
    EXPECT_GE(g.size(), 10u) << "the next wish is like the one before it";
    for (std::size_t i = 1; i < g.size(); ++i) EXPECT_EQ(g[i] - g[i - 1], 2u);
  }
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(announcements_on, arbiter_limits_the_requests_to_hot_and_to_cold_modules) {
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

TEST_P(announcements_on, arbiter_grants_nothing_for_a_module_that_does_not_exist) {
  arbiter_bench t(GetParam(), 3, {0, 1, 1});
  t.wish = [](unsigned p) { return p == 1 ? admission_wish{2, 3, 0xfffffff} : admission_wish{2, p, p}; };
  t.b.reset();
  run(22);
  EXPECT_TRUE(t.grants[1].empty());
  EXPECT_EQ(t.granted(), 40u) << "the others go on";
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, announcements_on, testing::Values(kernel::signals, kernel::fast),
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

TEST(hot_list_test, holds_no_module_that_does_not_exist) {
  hot_list list(70, 0);
  for (const unsigned module : {70u, 127u, 128u, 0xfffffffu}) {
    list.set(module, true);
    EXPECT_FALSE(list.holds(module)) << module;
  }
  EXPECT_EQ(list.size(), 0u);
}

/// What lines of 64 modules show.
class shown_lines {
public:
  struct line {
    hot_list::word value;
    hot_list::word read() const { return value; }
  };
  explicit shown_lines(const std::vector<hot_list::word>& words) {
    for (const hot_list::word w : words) lines_.push_back({w});
  }
  std::size_t size() const { return lines_.size(); }
  const line& operator[](unsigned w) const { return lines_[w]; }

private:
  std::vector<line> lines_;
};

TEST(hot_list_test, counts_each_of_several_that_turn_hot_in_a_cycle) {
  hot_list list(70, 2);
  list.listen(shown_lines({0b101110, 0}));
  EXPECT_TRUE(list.holds(1) && list.holds(2)) << "the lowest numbers are first";
  EXPECT_FALSE(list.holds(3) || list.holds(5));
  EXPECT_EQ(list.overflows(), 2u);
  list.listen(shown_lines({0b101110, 0b11}));
  EXPECT_EQ(list.overflows(), 4u);
}

TEST(hot_list_test, gives_a_place_that_is_left_to_any_module_that_turns_hot_then) {
  constexpr unsigned modules = 128;
  for (const unsigned cools : {7u, 70u})
    for (const unsigned heats : {5u, 100u}) {
      const auto only = [](unsigned m) {
        std::vector<hot_list::word> words(modules / 64);
        words[m / 64] = hot_list::word{1} << m % 64;
        return shown_lines(words);
      };
      hot_list list(modules, 1);
      list.listen(only(cools));
      ASSERT_TRUE(list.holds(cools));
      list.listen(only(heats));
      EXPECT_TRUE(list.holds(heats)) << heats << " after " << cools;
      EXPECT_EQ(list.overflows(), 0u);
    }
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
  EXPECT_THROW((temperature_rule{3, 0}.check()), std::invalid_argument) << "it would stay hot for ever";
  EXPECT_THROW((temperature_rule{3, 3, 0}.check()), std::invalid_argument);
  EXPECT_NO_THROW((temperature_rule{1, 1, 1}.check()));
  EXPECT_THROW((admission_choice(4, 4, {1, 1, 0})), std::invalid_argument);
  EXPECT_THROW((admission_choice(4, 4, {1, 0, 1})), std::invalid_argument);
  EXPECT_NO_THROW((admission_choice(4, 4, {0, 1, 1})));
}

TEST(admission_wishes, are_printed_by_their_modules) {
  const auto text = [](const admission_wish& w) {
    std::ostringstream os;
    os << w;
    return os.str();
  };
  EXPECT_EQ(text({0, 3, 5}), "-");
  EXPECT_EQ(text({1, 3, 5}), "3");
  EXPECT_EQ(text({2, 3, 5}), "3 5");
}
