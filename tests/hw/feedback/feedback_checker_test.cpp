// Broken twins of the feedback's blocks: each breaks one rule once, and exactly that is reported.
#include <gtest/gtest.h>

#include <map>
#include <spillway/hw/packet/memory_checker.hpp>
#include <support/feedback_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class feedback_checker_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  void SetUp() override {
    sc_test::SetUp();
    b = std::make_unique<bench>(GetParam());
  }
  void expect_only(const std::string& rule, const std::string& what = {}) {
    ASSERT_EQ(b->violations.size(), 1u) << b->first_violation();
    const violation& v = b->violations.front();
    EXPECT_EQ(v.rule, rule) << v.message;
    EXPECT_NE(v.message.find(rule + " broken on " + v.link + " at cycle " + std::to_string(v.cycle)),
              std::string::npos)
        << v.message;
    EXPECT_NE(v.message.find(what), std::string::npos) << v.message;
  }
  void expect_silence() { EXPECT_TRUE(b->violations.empty()) << b->first_violation(); }

  std::unique_ptr<bench> b;
};

struct step {
  bool valid;
  bool ready;
  unsigned length;
  bool rst = false;
};

void play_memory(bench& b, const std::vector<step>& steps, unsigned unshown = 0) {
  auto& check = b.make<memory_checker>("check", packet_checker_config{}, b.collect(), unshown);
  any_wire<bool> valid(b, "valid");
  any_wire<flit> data(b, "flit");
  any_wire<lane_mask> ready(b, "ready");
  any_wire<std::uint16_t> length(b, "length");
  valid.connect(check.valid), data.connect(check.data), ready.connect(check.ready);
  length.connect(check.length);
  b.reset();
  run(1);
  std::uint32_t packet = 0;
  bool taken = false;
  for (const step& s : steps) {
    packet += taken;
    valid.write(s.valid), ready.write(s.ready), length.write(static_cast<std::uint16_t>(s.length));
    b.rst(s.rst);
    if (s.valid) data.write(make_flit(1, 2, packet));
    taken = s.valid && s.ready;
    run(1);
  }
}

}  // namespace

TEST_P(feedback_checker_on, memory_link_is_silent_about_a_true_length) {
  play_memory(*b, {{true, false, 1},
                   {true, false, 3},
                   {true, true, 4},
                   {true, true, 3},
                   {true, true, 2},
                   {true, true, 3},
                   {true, true, 2},
                   {true, true, 1},
                   {false, true, 0},
                   {true, true, 2}});
  expect_silence();
}
TEST_P(feedback_checker_on, memory_link_may_hold_a_part_of_a_packet_that_it_stores) {
  play_memory(*b, {{false, false, 1}, {false, false, 2}, {true, false, 3}}, 2);
  expect_silence();
}
TEST_P(feedback_checker_on, FL1_finds_a_whole_packet_that_is_not_shown) {
  play_memory(*b, {{false, false, 2}, {false, false, 3}, {true, false, 3}}, 2);
  expect_only("FL1");
}
TEST_P(feedback_checker_on, FL1_finds_a_length_that_falls_without_a_transfer) {
  play_memory(*b, {{true, false, 3}, {true, false, 2}, {true, false, 2}, {true, true, 2}});
  expect_only("FL1", "the queue says that it holds 2 flits, 3 or more were left");
}
TEST_P(feedback_checker_on, FL1_finds_a_request_that_is_not_counted) {
  play_memory(*b, {{false, true, 0}, {true, true, 0}, {false, true, 0}});
  expect_only("FL1", "the queue says that it holds 0 flits, but valid is high");
}
TEST_P(feedback_checker_on, FL1_finds_a_queue_that_shows_nothing) {
  play_memory(*b, {{false, true, 0}, {false, true, 2}, {true, true, 2}, {true, true, 1}, {false, true, 0}});
  expect_only("FL1", "the queue says that it holds 2 flits, but valid is low");
}
TEST_P(feedback_checker_on, FL1_finds_after_a_reset_what_it_has_found_before_it) {
  play_memory(*b, {{false, true, 0}, {false, true, 2}, {false, true, 2, true}, {false, true, 2}});
  EXPECT_EQ(b->broken(), "FL1 FL1 ");
}

namespace {

// Twin of a memory_monitor: `wrong` cycles show the opposite.
class bent_monitor : public clocked {
public:
  input<std::uint16_t> length{"length"};
  output<bool> hot{"hot"};
  std::uint64_t wrong = 0;
  explicit bent_monitor(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { hot.write(false); }
  void tick() override {
    wake_at(cycle() + 1);
    hot_ = temperature_rule{4, 2}.next(hot_, length.read());
    hot.write(hot_ != (cycle() == wrong));
  }
  bool hot_ = false;
};

void play_monitor(bench& b, std::uint64_t wrong) {
  auto& lines = b.keep<feedback_lines>(place("lines"), 70);
  auto& monitor = b.make<bent_monitor>("monitor");
  auto& check = b.make<line_checker>("check", 66u, temperature_rule{4, 2}, std::string{}, b.collect());
  any_wire<std::uint16_t> length(b, "length");
  length.connect(monitor.length), length.connect(check.length);
  lines.connect_line(66, monitor.hot), lines.connect_word_of(66, check.line);
  monitor.wrong = wrong;
  b.reset();
  for (const unsigned value : {0, 3, 4, 3, 2, 1, 3, 9, 1}) {
    length.write(static_cast<std::uint16_t>(value));
    run(3);
  }
}

}  // namespace

TEST_P(feedback_checker_on, line_is_silent_about_an_honest_monitor) {
  play_monitor(*b, 0);
  expect_silence();
}
TEST_P(feedback_checker_on, FL2_finds_a_line_that_is_high_when_the_queue_is_short) {
  play_monitor(*b, 6);
  expect_only("FL2", "the line is high, the queue held 3 requests 1 cycle ago");
}
TEST_P(feedback_checker_on, FL2_finds_a_line_that_falls_too_early) {
  play_monitor(*b, 12);
  expect_only("FL2", "the line is low, the queue held 3 requests 1 cycle ago");
}
TEST_P(feedback_checker_on, FL2_finds_a_line_that_tells_too_soon) {
  auto& lines = b->keep<feedback_lines>(place("lines"), 70);
  auto& monitor = b->make<bent_monitor>("monitor");
  temperature_rule late{4, 2};
  late.delay = 3;
  auto& check = b->make<line_checker>("check", 66u, late, std::string{}, b->collect());
  any_wire<std::uint16_t> length(*b, "length");
  length.connect(monitor.length), length.connect(check.length);
  lines.connect_line(66, monitor.hot), lines.connect_word_of(66, check.line);
  b->reset();
  length.write(6);
  run(8);
  expect_only("FL2", "the line is high, the queue held 0 requests 3 cycles ago");
}
TEST_P(feedback_checker_on, FL2_finds_a_line_that_is_high_after_reset) {
  auto& lines = b->keep<feedback_lines>(place("lines"), 70);
  auto& check = b->make<lines_checker>("check", 70u, std::string{}, b->collect());
  auto& driver = b->make<puppet<row<output<bool>>>>("driver", 70u, "line");
  for (unsigned m = 0; m < 70; ++m) lines.connect_line(m, driver.pins[m]);
  lines.connect_words(check.lines);
  driver.act = [&](std::uint64_t cycle) { driver.pins[69].write(cycle >= 20); };
  b->reset();
  run(30);
  expect_silence();
  b->reset();  // which the driver takes no notice of
  run(5);
  expect_only("FL2", "a line of word 1 is high at the first edge after reset");
}

namespace {

// A bus with two modules whose lines and announcements a test gives by cycle.
void play_bus(bench& b, const std::function<bool(std::uint64_t, unsigned)>& hot,
              const std::map<std::uint64_t, announcement>& says, std::uint64_t patience = 5) {
  auto& lines = b.keep<feedback_lines>(place("lines"), 2);
  auto& driver = b.make<line_puppet>("driver", 2u);
  auto& check = b.make<bus_checker>("check", 2u, patience, std::string{}, b.collect());
  auto& link = b.keep<feedback_bus_link>(place("bus"));
  auto& speaker = b.make<puppet<feedback_bus_out>>("speaker", "out");
  driver.bind(lines), driver.hot = hot;
  lines.connect_words(check.lines);
  link.connect(check.bus), link.connect(speaker.pins);
  speaker.act = [&speaker, says](std::uint64_t cycle) {
    const auto found = says.find(cycle);
    speaker.pins.said.write(found == says.end() ? announcement{} : found->second);
  };
  b.reset();
  run(40);
}

constexpr announcement hot_0{true, true, 0}, cool_0{true, false, 0}, hot_7{true, true, 7};
bool turns(std::uint64_t cycle, unsigned m) { return m == 0 && cycle >= 10 && cycle < 20; }

}  // namespace

TEST_P(feedback_checker_on, bus_is_silent_about_true_changes) {
  play_bus(*b, turns, {{12, hot_0}, {24, cool_0}});
  expect_silence();
}
TEST_P(feedback_checker_on, FL3_finds_an_announcement_that_is_no_news) {
  play_bus(*b, turns, {{12, hot_0}, {14, hot_0}, {21, cool_0}});
  expect_only("FL3", "the bus says \"hot 0\", which is no news");
}
TEST_P(feedback_checker_on, FL3_finds_a_module_that_does_not_exist) {
  play_bus(*b, turns, {{12, hot_0}, {14, hot_7}, {21, cool_0}});
  expect_only("FL3", "the bus says \"hot 7\", there are 2 modules");
}
TEST_P(feedback_checker_on, FL4_finds_an_announcement_that_is_not_true) {
  play_bus(*b, [](std::uint64_t, unsigned) { return false; }, {{12, hot_0}, {14, cool_0}});
  expect_only("FL4");
}
TEST_P(feedback_checker_on, FL4_finds_that_a_module_is_called_cool_which_is_hot) {
  play_bus(*b, turns, {{12, hot_0}, {14, cool_0}, {16, hot_0}, {21, cool_0}});
  expect_only("FL4", "the bus says \"cool 0\", the line said the opposite");
}
TEST_P(feedback_checker_on, FL5_finds_a_change_that_is_told_too_late) {
  play_bus(*b, turns, {{18, hot_0}, {21, cool_0}});
  expect_only("FL5", "module 0 turned hot at cycle 11, and the bus has not announced it");
}

// The line shows the change in cycle 11, which a patience of 5 lets be told in cycle 17.
TEST_P(feedback_checker_on, FL5_lets_a_change_be_told_at_the_last_moment) {
  play_bus(*b, turns, {{16, hot_0}, {21, cool_0}});
  expect_silence();
}
TEST_P(feedback_checker_on, FL5_finds_a_change_that_is_told_a_cycle_too_late) {
  play_bus(*b, turns, {{17, hot_0}, {21, cool_0}});
  expect_only("FL5");
}
TEST_P(feedback_checker_on, FL5_has_patience_without_end) {
  play_bus(*b, turns, {}, ~std::uint64_t{0});
  expect_silence();
}

namespace {

// Four clients that wish for modules 0, 0, 1 and 1, and an arbiter that gives by cycle what a test says; one
// module is hot.
void play_admission(bench& b, const admission_limits& limits,
                    const std::function<bool(std::uint64_t, unsigned)>& grants, unsigned wishes = 2,
                    unsigned hot = 1, unsigned first_module = 0) {
  auto& lines = b.keep<feedback_lines>(place("lines"), 4);
  auto& driver = b.make<line_puppet>("driver", 4u);
  auto& check = b.make<admission_checker>("check", 4u, limits, std::string{}, b.collect());
  auto& clients = b.make<puppet<row<admission_client>>>("clients", 4u, "client");
  auto& arbiter = b.make<puppet<row<admission_server>>>("arbiter", 4u, "client");
  driver.bind(lines), driver.hot = [hot](std::uint64_t, unsigned m) { return m == hot; };
  lines.connect_words(check.lines);
  for (unsigned p = 0; p < 4; ++p) {
    auto& l = b.keep<admission_link>(place("admission_" + std::to_string(p)));
    l.connect(clients.pins[p]), l.connect(arbiter.pins[p]), l.connect(check.clients[p]);
  }
  clients.act = [&clients, wishes, first_module](std::uint64_t) {
    for (unsigned p = 0; p < 4; ++p) {
      const unsigned module = first_module + p / 2;
      clients.pins[p].wish.write({static_cast<std::uint8_t>(p == 3 ? 0 : wishes), module, module});
    }
  };
  arbiter.act = [&arbiter, grants](std::uint64_t cycle) {
    for (unsigned p = 0; p < 4; ++p) arbiter.pins[p].grant.write(grants(cycle, p));
  };
  b.reset();
  run(40);
}

}  // namespace

TEST_P(feedback_checker_on, admission_is_silent_about_grants_within_the_limits) {
  play_admission(*b, {0, 1, 2}, [](std::uint64_t c, unsigned p) { return c > 10 && p < 3; });
  expect_silence();
}
TEST_P(feedback_checker_on, FL6_finds_a_grant_without_a_wish) {
  play_admission(*b, {2, 0, 0}, [](std::uint64_t c, unsigned p) { return p == 3 && c == 20; });
  expect_only("FL6", "processor 3 has a grant and wished for none");
}
TEST_P(feedback_checker_on, FL6_finds_two_grants_for_one_wish) {
  play_admission(
      *b, {2, 0, 0}, [](std::uint64_t c, unsigned p) { return p == 0 && (c == 20 || c == 21); }, 1);
  expect_only("FL6");
}
TEST_P(feedback_checker_on, FL6_finds_a_grant_for_a_module_that_does_not_exist) {
  play_admission(
      *b, {0, 1, 2}, [](std::uint64_t c, unsigned p) { return c == 20 && p == 2; }, 2, 1, 3);
  expect_only("FL6", "processor 2 has a grant for module 4, there are 4");
}
TEST_P(feedback_checker_on, FL7_finds_too_many_grants_in_all) {
  play_admission(*b, {1, 0, 0}, [](std::uint64_t c, unsigned p) { return c == 20 && p < 2; });
  expect_only("FL7", "2 requests were granted in a cycle, 1 may be");
}
TEST_P(feedback_checker_on, FL7_finds_too_many_grants_for_a_cold_module) {
  play_admission(*b, {0, 1, 1}, [](std::uint64_t c, unsigned p) { return c == 20 && p < 2; });
  expect_only("FL7", "2 requests to module 0 were granted in a cycle, 1 may be");
}
TEST_P(feedback_checker_on, FL7_finds_too_many_grants_for_a_hot_module) {
  play_admission(
      *b, {0, 1, 2}, [](std::uint64_t c, unsigned p) { return c == 20 && p < 2; }, 2, 0);
  expect_only("FL7");
}

namespace {

// A request of two flits to module 1 is shown first in that cycle, and taken late; the line is read hot in
// cycle 12.
void play_late_request(bench& b, std::uint64_t shown) {
  feedback_interface_config config;
  config.terminals = 2;
  auto& lines = b.keep<feedback_lines>(place("lines"), 2);
  auto& driver = b.make<line_puppet>("driver", 2u);
  driver.bind(lines);
  driver.hot = [](std::uint64_t cycle, unsigned m) { return m == 1 && cycle >= 10; };
  auto& check = b.make<guard_checker>("check", config, std::string{}, b.collect());
  const any_link l = b.bare_link("l");
  check.bind(const_cast<any_link&>(l));
  lines.connect_words(check.lines);
  b.reset();
  for (std::uint64_t cycle = driver.cycle(); cycle < 30; cycle = driver.cycle()) {
    l.valid.write(cycle + 1 >= shown && cycle < 22);
    l.data.write(make_flit(0, 1, 0, cycle < 21 ? 0 : 1, 2));
    l.ready.write(cycle >= 20);
    run(1);
  }
}

// An interface that sends two requests, or `more`, to module 1, which is hot from cycle 10 to 30, as lines
// tell or the bus.
void play_guard(bench& b, bool honest, bleeding bleed = bleeding::none, bool granted = false,
                unsigned more = 0, bool by_bus = false) {
  feedback_interface_config config;
  config.terminals = 2;
  config.bleed = bleed;
  config.bus = by_bus;
  auto& lines = b.keep<feedback_lines>(place("lines"), 2);
  auto& driver = b.make<line_puppet>("driver", 2u);
  driver.bind(lines);
  driver.hot = [](std::uint64_t cycle, unsigned m) { return m == 1 && cycle >= 10 && cycle < 30; };
  auto& check = b.make<guard_checker>("check", config, std::string{}, b.collect());
  auto& from = b.make<sender>("from");
  auto& to = b.make<receiver>("to");
  const any_link l = b.link("l");
  from.out.bind(l), to.in.bind(l), check.bind(const_cast<any_link&>(l));
  lines.connect_words(check.lines);
  auto& bus = b.keep<feedback_bus_link>(place("bus"));
  auto& speaker = b.make<puppet<feedback_bus_out>>("speaker", "out");
  bus.connect(speaker.pins);
  speaker.act = [&speaker](std::uint64_t cycle) {
    speaker.pins.said.write({cycle == 10 || cycle == 30, cycle == 10, 1});
  };
  if (by_bus) bus.connect(check.bus[0]);
  any_wire<bool> grant(b, "grant");
  if (check.grant.size()) grant.connect(check.grant[0]);
  b.reset();
  run(4);
  from.add_packet(0, 1, 0, 2);
  run(10);
  if (granted) {
    grant.write(true);
    run(1);
    grant.write(false);
    run(1);
  }
  if (honest) run(20);
  for (unsigned packet = 1; packet < 2 + more; ++packet) from.add_packet(0, 1, packet, 2);
  run(30);
  EXPECT_EQ(to.got.size(), 4u + 2 * more);
}

}  // namespace

TEST_P(feedback_checker_on, guard_is_silent_about_requests_to_cool_modules) {
  play_guard(*b, true);
  expect_silence();
}
TEST_P(feedback_checker_on, guard_is_silent_about_a_request_that_was_granted) {
  play_guard(*b, false, bleeding::granted, true);
  expect_silence();
}
TEST_P(feedback_checker_on, FL8_lets_a_request_go_that_was_shown_before_the_line_could_be_known) {
  play_late_request(*b, 12);
  expect_silence();
}
TEST_P(feedback_checker_on, FL8_finds_a_request_that_is_shown_a_cycle_later) {
  play_late_request(*b, 13);
  expect_only("FL8");
}
TEST_P(feedback_checker_on, FL8_finds_a_request_to_a_hot_module) {
  play_guard(*b, false);
  expect_only("FL8", "0>1 #1 0/2 is shown, and its module is hot");
}
TEST_P(feedback_checker_on, guard_is_silent_about_requests_to_modules_that_the_bus_calls_cool) {
  play_guard(*b, true, bleeding::none, false, 0, true);
  expect_silence();
}
TEST_P(feedback_checker_on, FL8_finds_a_request_to_a_module_that_the_bus_calls_hot) {
  play_guard(*b, false, bleeding::none, false, 0, true);
  expect_only("FL8");
}
TEST_P(feedback_checker_on, FL8_finds_bleeding_without_a_grant) {
  play_guard(*b, false, bleeding::granted);
  expect_only("FL8");
}

TEST_P(feedback_checker_on, FL8_finds_a_second_request_for_one_grant) {
  play_guard(*b, false, bleeding::granted, true, 1);
  expect_only("FL8");
}

TEST_P(feedback_checker_on, FL8_finds_a_request_for_a_grant_of_before_a_reset) {
  feedback_interface_config config;
  config.terminals = 2;
  config.bleed = bleeding::granted;
  auto& lines = b->keep<feedback_lines>(place("lines"), 2);
  auto& driver = b->make<line_puppet>("driver", 2u);
  driver.bind(lines);
  driver.hot = [](std::uint64_t, unsigned m) { return m == 1; };
  auto& check = b->make<guard_checker>("check", config, std::string{}, b->collect());
  any_link l = b->bare_link("l");
  check.bind(l);
  lines.connect_words(check.lines);
  any_wire<bool> grant(*b, "grant");
  grant.connect(check.grant[0]);
  b->reset();
  run(5);
  grant.write(true);
  run(1);
  grant.write(false);
  run(3);
  b->reset();
  run(5);  // the line is known to be hot again
  expect_silence();
  l.ready.write(1);
  bench::cross(l, make_flit(0, 1, 0));
  run(3);
  expect_only("FL8");
}

INSTANTIATE_TEST_SUITE_P(kernels, feedback_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
