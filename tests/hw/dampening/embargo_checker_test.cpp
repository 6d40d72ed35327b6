#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <spillway/hw/dampening/embargo_checker.hpp>
#include <sstream>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Drives all wires of an embargo link by a list: what they show from an edge to the next. `ready` is high. A
/// message for which no place is listed names the edge at which it is shown, so that all are different.
class player : public clocked {
public:
  output<bool> valid{"valid"};
  output<flit> data{"data"};
  output<lane_mask> ready{"ready"};
  output<std::uint16_t> place{"place"};
  output<control_message> control{"control"};
  output<bool> interdict{"interdict"};
  std::map<std::uint64_t, flit> shows;
  std::map<std::uint64_t, std::uint16_t> places;
  std::map<std::uint64_t, control_message> tells;
  std::map<std::uint64_t, bool> interdicts;  // changes
  bool in_reset = false;                     // plays during reset too

  explicit player(const sc_core::sc_module_name& name) : clocked(name) {}
  template <class Bundle>
  void bind(Bundle& link) {
    valid(link.valid), data(link.data), ready(link.ready);
    place(link.place), control(link.control), interdict(link.interdict);
  }

private:
  void reset() override {
    valid.write(false), ready.write(0);
    if (in_reset) play();
  }
  void tick() override {
    wake_at(cycle() + 1);
    const auto flits = shows.find(cycle());
    valid.write(flits != shows.end());
    if (flits != shows.end()) data.write(flits->second);
    const auto listed = places.find(cycle());
    place.write(listed == places.end() ? static_cast<std::uint16_t>(cycle()) : listed->second);
    ready.write(1);
    play();
  }
  void play() {
    const auto told = tells.find(cycle());
    control.write(told == tells.end() ? control_message{} : told->second);
    if (const auto change = interdicts.find(cycle()); change != interdicts.end())
      interdict.write(change->second);
  }
};

control_message embargo(std::uint32_t terminal, bool by_source = false) {
  control_message m;
  m.terminal = terminal;
  m.by_source = by_source;
  m.embargo = true;
  return m;
}
control_message release(std::uint32_t terminal) {
  control_message m;
  m.terminal = terminal;
  m.release = true;
  return m;
}
control_message report(std::uint32_t terminal, std::uint16_t place, bool by_source = false) {
  control_message m;
  m.place = place;
  m.terminal = terminal;
  m.by_source = by_source;
  m.report = true;
  return m;
}
flit to(std::uint32_t destination, std::uint32_t packet = 0, std::uint32_t source = 1) {
  return make_flit(source, destination, packet);
}

class embargo_checker_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  embargo_checker_on() : b(GetParam()), wires(b.keep<embargo_link>(link_place{"l"}, true)) {}

  player& prepare(embargo_checker_config rules = {}) {
    check =
        &b.make<embargo_checker>("check", rules, [this](const violation& v) { b.violations.push_back(v); });
    auto& p = b.make<player>("player");
    wires.connect(*check), wires.connect(p);
    return p;
  }
  /// Reset is over at edge 3.
  void play() {
    b.reset(3);
    run(60);
  }
  void expect_only(const std::string& rule, std::uint64_t cycle, const std::string& what = {}) {
    ASSERT_EQ(b.violations.size(), 1u) << b.first_violation();
    const violation& v = b.violations.front();
    EXPECT_EQ(v.rule, rule) << v.message;
    EXPECT_EQ(v.cycle, cycle) << v.message;
    EXPECT_NE(v.message.find(rule + " broken on " + v.link), std::string::npos) << v.message;
    EXPECT_NE(v.message.find(what), std::string::npos) << v.message;
  }
  void expect_silence() { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }

  template <class Rule>
  static embargo_checker_config without(Rule embargo_checker_config::*rule) {
    embargo_checker_config c;
    c.*rule = false;
    return c;
  }

  bench b;
  embargo_link& wires;
  embargo_checker* check = nullptr;
};

}  // namespace

TEST_P(embargo_checker_on, el1_lets_pass_what_was_sent_before_the_embargo_could_be_known) {
  auto& p = prepare();
  p.tells[10] = embargo(7);
  p.shows[9] = to(7, 0), p.shows[10] = to(7, 1);  // chosen at the latest when the message is on its way
  p.shows[12] = to(8);
  p.tells[20] = release(7);
  p.shows[21] = to(7, 2);
  play();
  expect_silence();
  EXPECT_EQ(check->transfers(), 4u);
  EXPECT_EQ(check->messages(), 2u);
}
TEST_P(embargo_checker_on, el1_fires_in_the_first_cycle_after) {
  auto& p = prepare();
  p.tells[10] = embargo(7);
  p.shows[11] = to(7);  // the sender saw the message at edge 11
  play();
  expect_only("EL1", 12, text(to(7)) + " is sent under embargo");
}
TEST_P(embargo_checker_on, el1_knows_embargoes_by_source) {
  auto& p = prepare();
  p.tells[10] = embargo(7, true);
  p.shows[12] = to(7), p.shows[14] = to(3, 0, 7);
  play();
  expect_only("EL1", 15);
}
// On the fast kernel nothing but its own alarm wakes the checker for what the pins show once more.
TEST_P(embargo_checker_on, el2_fires_for_the_same_message_in_the_next_cycle) {
  auto& p = prepare();
  for (std::uint64_t edge = 5; edge < 30; ++edge) p.places[edge] = 0;
  p.tells[10] = p.tells[11] = embargo(7);
  play();
  expect_only("EL2", 12);
}
TEST_P(embargo_checker_on, el1_can_be_off) {
  auto& p = prepare(without(&embargo_checker_config::embargoes));
  p.tells[10] = embargo(7);
  p.shows[12] = to(7);
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, el2_fires_on_a_release_without_embargo) {
  prepare().tells[10] = release(7);
  play();
  expect_only("EL2", 11, "release 7, which is not under embargo");
}
TEST_P(embargo_checker_on, el2_fires_on_a_second_embargo_also_right_after_the_first) {
  auto& p = prepare();
  p.tells[10] = p.tells[11] = embargo(7);
  play();
  expect_only("EL2", 12, "embargo 7, which is under embargo already");
}
TEST_P(embargo_checker_on, el2_can_be_off) {
  prepare(without(&embargo_checker_config::releases)).tells[10] = release(7);
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, el3_fires_on_two_messages_at_once) {
  auto& p = prepare();
  p.tells[10] = embargo(7);
  p.tells[10].report = true;
  play();
  expect_only("EL3", 11, "embargo+report 7 at 0 are announced at once");
}
TEST_P(embargo_checker_on, el3_can_be_off) {
  auto& p = prepare(without(&embargo_checker_config::one_message));
  p.tells[10] = embargo(7);
  p.tells[10].release = true;
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, el4_fires_under_interdiction_and_not_before_it_could_be_known) {
  auto& p = prepare();
  p.interdicts[10] = true, p.interdicts[20] = false;
  p.shows[10] = to(1), p.shows[15] = to(2), p.shows[21] = to(3);
  play();
  expect_only("EL4", 16, text(to(2)) + " is sent under interdiction");
}
TEST_P(embargo_checker_on, el4_can_be_off) {
  auto& p = prepare(without(&embargo_checker_config::interdicts));
  p.interdicts[10] = true;
  p.shows[15] = to(2);
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, el5_knows_who_is_where) {
  auto& p = prepare();
  p.shows[10] = to(7, 0), p.shows[11] = to(7, 1), p.shows[12] = to(9, 2, 5);
  p.tells[14] = report(7, 11), p.tells[15] = report(7, 10);  // in any order
  p.tells[16] = report(5, 12, true);
  p.tells[17] = report(7, 11);
  play();
  expect_only("EL5", 18);
}
TEST_P(embargo_checker_on, el5_fires_on_the_place_of_another) {
  auto& p = prepare();
  p.shows[10] = to(7), p.shows[11] = to(8);
  p.tells[14] = report(7, 11);
  play();
  expect_only("EL5", 15, "report 7 at 11, of which no message is there");
}
TEST_P(embargo_checker_on, el5_can_be_off) {
  prepare(without(&embargo_checker_config::reports)).tells[10] = report(7, 3);
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, el7_lets_a_place_be_used_again_once_it_is_reported) {
  auto& p = prepare();
  p.shows[10] = to(7), p.shows[20] = to(8);
  p.places[10] = p.places[20] = 3;
  p.tells[19] = report(7, 3);  // seen at edge 20
  play();
  expect_silence();
}
TEST_P(embargo_checker_on, el7_fires_on_an_occupied_place) {
  auto& p = prepare();
  p.shows[10] = to(7), p.shows[20] = to(8);
  p.places[10] = p.places[20] = 3;
  play();
  expect_only("EL7", 21, text(to(8)) + " is sent to place 3, which " + text(to(7)) + " has not left");
}
TEST_P(embargo_checker_on, el7_fires_on_a_place_that_the_pool_does_not_have) {
  embargo_checker_config rules;
  rules.pool = 13;
  auto& p = prepare(rules);
  p.shows[20] = to(7), p.shows[21] = to(8);
  p.places[20] = 12, p.places[21] = 13;
  play();
  expect_only("EL7", 22, text(to(8)) + " is sent to place 13 of 13");
}
TEST_P(embargo_checker_on, el7_can_be_off) {
  auto& p = prepare(without(&embargo_checker_config::places));
  p.shows[10] = to(7), p.shows[20] = to(8);
  p.places[10] = p.places[20] = 3;
  play();
  expect_silence();
}
TEST_P(embargo_checker_on, el7_is_for_senders_that_calculate) {
  embargo_checker_config rules;
  rules.sender_calculates = false;
  auto& p = prepare(rules);
  p.shows[10] = to(7), p.shows[20] = to(8);
  p.places[10] = p.places[20] = 3;
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, el6_fires_when_control_or_interdict_is_not_silent_in_reset) {
  auto& p = prepare();
  p.in_reset = true;
  p.tells[0] = p.tells[1] = release(4);
  play();
  expect_only("EL6", 1);
}
TEST_P(embargo_checker_on, el6_fires_right_after_reset) {
  auto& p = prepare();
  p.in_reset = true;
  p.interdicts[2] = true;
  play();
  expect_only("EL6", 3);
}
TEST_P(embargo_checker_on, el6_can_be_off) {
  auto& p = prepare(without(&embargo_checker_config::quiet));
  p.in_reset = true;
  p.tells[0] = p.tells[1] = embargo(4);
  play();
  expect_silence();
}

TEST_P(embargo_checker_on, the_packet_rules_hold_too) {
  auto& p = prepare();
  p.shows[10] = to(7);
  p.shows[10].index = 3;
  play();
  expect_only("PL5", 11);
}

TEST_P(embargo_checker_on, forgets_everything_in_a_reset) {
  auto& p = prepare();
  p.tells[10] = embargo(7);
  p.shows[70] = to(7);
  p.tells[72] = embargo(7);
  play();
  b.reset(3);
  run(20);
  expect_silence();
  EXPECT_EQ(check->transfers(), 1u);
}

TEST_P(embargo_checker_on, el6_fires_in_each_reset) {
  auto& p = prepare();
  p.in_reset = true;
  p.tells[0] = p.tells[63] = release(4);
  play();
  expect_only("EL6", 1);
  b.reset(3);  // from edge 63 on
  run(5);
  EXPECT_EQ(b.broken(), "EL6 EL6 ");
}

INSTANTIATE_TEST_SUITE_P(kernels, embargo_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

TEST(control_message, values_and_text) {
  control_message m = embargo(7);
  std::ostringstream os;
  os << m << ", " << release(3) << ", " << report(9, 4, true) << ", " << control_message{};
  EXPECT_EQ(os.str(), "embargo 7, release 3, report from 9 at 4, -");
  for (const auto& change : std::vector<std::function<void(control_message&)>>{
           [](auto& c) { c.terminal = 8; }, [](auto& c) { c.by_source = true; },
           [](auto& c) { c.embargo = false; }, [](auto& c) { c.release = true; },
           [](auto& c) { c.report = true; }, [](auto& c) { c.place = 1; }}) {
    control_message other = m;
    change(other);
    EXPECT_NE(other, m);
  }
}

// Fields are set one after the other, so that each changes in the waveform alone.
TEST(control_message, each_field_has_its_own_name_in_a_waveform) {
  const std::string file = testing::TempDir() + "control_waveform_" + std::to_string(::getpid());
  control_message m;
  const sc_core::sc_clock steps("steps", period());
  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file(file.c_str());
  sc_trace(waves, m, "m");
  run(2);
  for (const auto& set : std::vector<std::function<void()>>{
           [&] { m.terminal = 8; }, [&] { m.by_source = true; }, [&] { m.embargo = true; },
           [&] { m.release = true; }, [&] { m.report = true; }, [&] { m.place = 1; }})
    set(), run(2);
  sc_core::sc_close_vcd_trace_file(waves);
  std::ifstream is(file + ".vcd");
  std::map<std::string, std::string> names;
  std::string changed;
  for (std::string line; std::getline(is, line);) {
    std::istringstream words(line);
    std::string first, type, width, code, name;
    words >> first >> type >> width >> code >> name;
    if (first == "$var") names[code] = name;
    if (first == "$end") changed.clear();  // of the first values
    if (first.empty()) continue;
    if (first[0] == '#') changed += first + ' ';  // the time
    if (const auto of = names.find(first[0] == 'b' ? type : first.substr(1)); of != names.end())
      changed += of->second + ' ';
  }
  EXPECT_THAT(changed,
              testing::MatchesRegex("#[0-9]+ terminal #[0-9]+ by_source #[0-9]+ embargo #[0-9]+ release "
                                    "#[0-9]+ report #[0-9]+ place (#[0-9]+ )?"));
  std::remove((file + ".vcd").c_str());
}
