#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <spillway/hw/ecn/ecn_checker.hpp>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/ecn/ecn_reflector.hpp>
#include <spillway/hw/ecn/ecn_throttle.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

flit unmarked(std::uint32_t source, std::uint32_t destination, std::uint32_t packet, unsigned index = 0,
              unsigned length = 1) {
  flit f = make_flit(source, destination, packet, index, length);
  f.marks = 0;
  return f;
}

flit marked_packet(std::uint32_t source, std::uint32_t destination, std::uint32_t packet) {
  flit f = unmarked(source, destination, packet);
  f.marks = ecn::forward;
  return f;
}

flit notification(std::uint32_t from, std::uint32_t to) {
  flit f;
  f.kind = flit_kind::acknowledge;
  f.source = from;
  f.destination = to;
  f.network = 1;
  f.marks = ecn::backward;
  return f;
}

ecn_delays_config delays(unsigned limit, unsigned step, unsigned increase, unsigned timer) {
  return {ecn_delays_config::linear(limit, step), increase, timer};
}

/// A throttle and a reflector of terminal 1, as at a terminal, with a checker of their rules.
struct terminal_bench {
  bench b;
  ecn_throttle& throttle;
  ecn_reflector& reflector;
  sender& processor;
  sender& packets;        // from the network
  sender& notifications;  // from the network
  receiver& network;
  receiver& taken;
  receiver& returned;
  ecn_checker& rules;

  explicit terminal_bench(kernel k, const ecn_delays_config& d, unsigned pool = 16, unsigned length = 1,
                          unsigned pending = 4, ecn_choice choice = ecn_choice::oldest)
      : b(k),
        throttle(b.make<ecn_throttle>("throttle", ecn_throttle_config{8, length, pool, d, choice})),
        reflector(b.make<ecn_reflector>("reflector", ecn_reflector_config{1, 1, pending})),
        processor(b.make<sender>("processor")),
        packets(b.make<sender>("packets")),
        notifications(b.make<sender>("notifications")),
        network(b.make<receiver>("network")),
        taken(b.make<receiver>("taken")),
        returned(b.make<receiver>("returned")),
        rules(b.make<ecn_checker>("rules", ecn_checker_config{"", 1, 8, d}, b.collect())) {
    const any_link in = b.link("in"), out = b.link("out"), from = b.link("from"), to = b.link("to"),
                   heard = b.link("heard"), told = b.link("told");
    processor.out.bind(in), throttle.in.bind(in);
    throttle.out.bind(out), network.in.bind(out), rules.sent.bind(out);
    packets.out.bind(from), reflector.in.bind(from), rules.arrived.bind(from);
    reflector.out.bind(to), taken.in.bind(to);
    notifications.out.bind(heard), throttle.notices.bind(heard), rules.returned.bind(heard);
    reflector.reflected.bind(told), returned.in.bind(told), rules.reflected.bind(told);
  }
  void send(std::uint32_t destination, unsigned packets_, unsigned length = 1) {
    for (unsigned p = 0; p < packets_; ++p, ++number)
      for (unsigned i = 0; i < length; ++i)
        processor.todo.push_back(unmarked(1, destination, number, i, length));
  }
  void notify(std::uint32_t from, unsigned times = 1) {
    for (unsigned n = 0; n < times; ++n) notifications.todo.push_back(notification(from, 1));
  }
  /// Cycles at which the heads of packets to a destination crossed.
  std::vector<std::uint64_t> heads_to(std::uint32_t destination) const {
    std::vector<std::uint64_t> all;
    for (const passage& p : network.got)
      if (p.data.destination == destination && p.data.head()) all.push_back(p.cycle);
    return all;
  }
  std::uint32_t number = 0;
};

class ecn_blocks : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST(ecn_delays, rise_by_notifications_and_fall_by_the_timer) {
  ecn_delays d(delays(10, 5, 4, 100), 2);
  d.clear(7);
  EXPECT_EQ(d.delay(1, 50), 0u);
  d.raise(1, 50);
  EXPECT_EQ(d.at(1, 106), 4u);
  EXPECT_EQ(d.delay(1, 106), 20u);
  EXPECT_EQ(d.at(1, 107), 3u);  // the timer runs from the reset on
  EXPECT_EQ(d.next_expiry(107), 207u);
  d.raise(1, 107);
  EXPECT_EQ(d.at(1, 107), 7u);  // from what the timer has left of it
  d.raise(1, 108);
  EXPECT_EQ(d.at(1, 108), 10u);  // no further than the table
  EXPECT_EQ(d.at(1, 7 + 100 * 11), 0u);
  EXPECT_EQ(d.at(0, 108), 0u);
  EXPECT_EQ(ecn_delays_config::linear(2, 3), (std::vector<std::uint32_t>{0, 3, 6}));
}

TEST(ecn_configurations, of_no_use_are_refused) {
  const auto said_of = [](const ecn_delays_config& c) {
    return refusal<std::invalid_argument>([&] { c.check(); });
  };
  EXPECT_EQ(said_of({{0}, 1, 1}), "");
  EXPECT_EQ(said_of({{}, 1, 1}), "a table of delays begins with 0");
  EXPECT_EQ(said_of({{1, 2}, 1, 1}), "a table of delays begins with 0");
  EXPECT_EQ(said_of({{0, 5, 4}, 1, 1}), "a table of delays ascends");
  EXPECT_EQ(said_of({{0}, 0, 1}), "a notification raises an index by at least 1");
  EXPECT_EQ(said_of({{0}, 1, 0}), "a timer has at least 1 cycle");
  EXPECT_THROW((ecn_throttle_config{8, 1, 0, {}}.check()), std::invalid_argument);
  EXPECT_THROW((ecn_throttle_config{8, 1, 65536, {}}.check()), std::invalid_argument);
  EXPECT_NO_THROW((ecn_throttle_config{8, 1, 65535, {}}.check()));
  EXPECT_THROW((ecn_throttle_config{8, 1, 4, {{0, 5, 4}, 1, 1}}.check()), std::invalid_argument)
      << "its table does not ascend";
  EXPECT_THROW((ecn_reflector_config{0, 1, 0}.check()), std::invalid_argument);
  EXPECT_THROW((ecn_reflector_config{0, 4, 1}.check()), std::invalid_argument);
  EXPECT_NO_THROW((ecn_reflector_config{0, 3, 1}.check()));
}

TEST_P(ecn_blocks, without_notifications_all_goes_at_full_rate_and_in_order) {
  terminal_bench t(GetParam(), delays(64, 1, 8, 40));
  for (unsigned round = 0; round < 20; ++round) t.send(round % 3, 5);
  for (unsigned p = 0; p < 100; ++p) t.packets.todo.push_back(unmarked(p % 5, 1, p));
  t.b.reset();
  run(110);
  ASSERT_EQ(t.network.got.size(), 100u);
  for (unsigned n = 0; n < 100; ++n) EXPECT_EQ(t.network.got[n].data.packet, n);
  EXPECT_EQ(t.network.got[99].cycle - t.network.got[0].cycle, 99u);
  EXPECT_EQ(t.network.got[0].cycle - t.processor.sent[0].cycle, 1u);
  ASSERT_EQ(t.taken.got.size(), 100u);
  EXPECT_EQ(t.taken.got[99].cycle - t.taken.got[0].cycle, 99u);
  for (unsigned n = 0; n < 100; ++n) EXPECT_EQ(t.taken.got[n].data, t.packets.sent[n].data);
  EXPECT_TRUE(t.returned.got.empty());
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(ecn_blocks, destinations_have_turns_if_told) {
  terminal_bench t(GetParam(), delays(64, 1, 8, 40), 16, 2, 4, ecn_choice::round_robin);
  t.network.rate = 0;
  t.send(5, 4, 2), t.send(2, 3, 2), t.send(7, 1, 2), t.send(5, 1, 2);
  t.b.reset();
  run(40);
  t.network.rate = 100;
  run(40);
  std::vector<std::uint32_t> order;
  for (const passage& p : t.network.got)
    if (p.data.head()) order.push_back(p.data.destination);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{5, 7, 2, 5, 2, 5, 2, 5, 5}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// Two destinations that may go at the same time, as they are delayed alike; the last to have had a turn is 2.
TEST_P(ecn_blocks, after_a_reset_turns_begin_as_at_first) {
  terminal_bench t(GetParam(), delays(100, 50, 1, 100000), 16, 1, 4, ecn_choice::round_robin);
  std::vector<std::uint32_t> order;
  for (unsigned round = 0; round < 2; ++round) {
    t.network.got.clear();
    t.b.reset();
    t.notify(6), t.notify(2);
    t.send(6, 1), t.send(2, 1);
    run(100);
    t.send(2, 1);
    run(100);
    for (const passage& p : t.network.got) order.push_back(p.data.destination);
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{2, 6, 2, 2, 6, 2}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// The spacing is the table's entry, from the last flit to the next head, for as long as the timer leaves it.
TEST_P(ecn_blocks, a_notification_spaces_packets_to_its_terminal_and_to_no_other) {
  terminal_bench t(GetParam(), delays(100, 3, 4, 1000));
  t.notify(2);
  t.b.reset();
  run(20);
  EXPECT_EQ(t.throttle.index(2), 4u);
  t.send(2, 6, 1);
  t.send(5, 10);
  run(100);
  const auto hot = t.heads_to(2), cool = t.heads_to(5);
  ASSERT_EQ(hot.size(), 6u);
  for (unsigned n = 1; n < 6; ++n) EXPECT_EQ(hot[n] - hot[n - 1], 13u) << n;  // a cycle, and 12 between
  ASSERT_EQ(cool.size(), 10u);
  EXPECT_LT(cool.back(), hot[2]);
  run(4000);
  EXPECT_EQ(t.throttle.index(2), 0u);
  const std::size_t before = t.network.got.size();
  t.send(2, 5);
  run(20);
  const auto after = t.heads_to(2);
  ASSERT_EQ(after.size(), 11u);
  EXPECT_EQ(after[10] - after[6], 4u);
  EXPECT_EQ(t.network.got.size(), before + 5);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(ecn_blocks, the_timer_lowers_the_delay_of_a_packet_that_waits) {
  terminal_bench t(GetParam(), delays(100, 1, 60, 1));
  t.b.reset();
  t.send(2, 2, 1);
  t.notify(2);
  run(200);
  const auto heads = t.heads_to(2);
  ASSERT_EQ(heads.size(), 2u);
  // The second may already have been chosen when the notification came; else at time s the delay is 60 - s.
  EXPECT_LE(heads[1] - heads[0], 35u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(ecn_blocks, a_full_pool_stops_the_terminal_and_packets_stay_whole) {
  terminal_bench t(GetParam(), delays(100, 50, 1, 100000), 3, 4);
  t.notify(2);
  t.b.reset();
  run(5);
  t.send(2, 5, 4);
  t.send(5, 1, 4);
  run(120);
  // Two have gone, three wait; the cool one behind them is outside.
  EXPECT_EQ(t.heads_to(2).size(), 2u);
  EXPECT_EQ(t.throttle.held_flits(), 12u);
  EXPECT_EQ(t.heads_to(5).size(), 0u);
  run(400);
  EXPECT_EQ(t.heads_to(2).size(), 5u);
  EXPECT_EQ(t.heads_to(5).size(), 1u);
  EXPECT_EQ(t.network.got.size(), 24u);
  const auto hot = t.heads_to(2);
  for (unsigned n = 1; n < 5; ++n) EXPECT_EQ(hot[n] - hot[n - 1], 54u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(ecn_blocks, a_marked_packet_is_answered_once) {
  terminal_bench t(GetParam(), delays(64, 1, 8, 40));
  t.returned.rate = 0;
  std::vector<flit> come;
  const auto comes = [&](std::uint32_t source, bool marked) {
    come.push_back(unmarked(source, 1, static_cast<std::uint32_t>(come.size())));
    if (marked) come.back().marks = ecn::forward;
  };
  comes(3, true), comes(4, false), comes(3, true), comes(5, true), comes(6, true), comes(7, true),
      comes(0, true);
  for (const flit& f : come) t.packets.todo.push_back(f);
  t.b.reset();
  run(30);
  EXPECT_EQ(t.taken.got.size(), come.size());  // they do not wait for the way back
  t.returned.rate = 100;
  run(30);
  std::vector<std::uint32_t> told;
  for (const passage& p : t.returned.got) {
    told.push_back(p.data.destination);
    EXPECT_TRUE(ecn::is_notification(p.data));
    EXPECT_EQ(p.data.source, 1u);
    EXPECT_EQ(p.data.network, 1u);
  }
  EXPECT_EQ(told, (std::vector<std::uint32_t>{3, 5, 6, 7}));
  counters counted;
  t.reflector.count(counted);
  EXPECT_EQ(counted["ecn.packets_marked"], 6);
  EXPECT_EQ(counted["ecn.notifications"], 4);
  EXPECT_EQ(counted["ecn.notifications_merged"], 1);
  EXPECT_EQ(counted["ecn.notifications_dropped"], 1);
  t.packets.todo.push_back(come[0]);
  run(20);
  EXPECT_EQ(t.returned.got.size(), 5u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(ecn_blocks, a_reset_forgets_all) {
  terminal_bench t(GetParam(), delays(100, 50, 1, 100000));
  t.notify(2);
  t.b.reset();
  run(5);
  t.send(2, 4);
  run(20);
  EXPECT_EQ(t.throttle.held_flits(), 4u);
  t.processor.todo.clear();
  t.b.reset();
  EXPECT_EQ(t.throttle.held_flits(), 0u);
  EXPECT_EQ(t.throttle.lost_in_reset(), 4u);
  EXPECT_EQ(t.throttle.index(2), 0u);
  t.send(2, 3);
  run(10);
  EXPECT_EQ(t.heads_to(2).size(), 3u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

namespace {

/// Plays what crosses the links of terminal 1.
struct played_terminal {
  bench b;
  any_link sent, arrived, returned, reflected;
  ecn_checker& rules;

  explicit played_terminal(kernel k)
      : b(k),
        sent(b.bare_link("sent")),
        arrived(b.bare_link("arrived")),
        returned(b.bare_link("returned")),
        reflected(b.bare_link("reflected")),
        rules(b.make<ecn_checker>("rules", ecn_checker_config{"", 1, 8, delays(100, 10, 2, 1000)},
                                  b.collect())) {
    rules.sent.bind(sent), rules.arrived.bind(arrived);
    rules.returned.bind(returned), rules.reflected.bind(reflected);
    b.reset();
    for (any_link* const l : {&sent, &arrived, &returned, &reflected}) l->ready.write(1);
    run(1);
  }
  /// Of the last rule that was broken.
  void expect_said(const std::string& what) const {
    const std::string& said = b.violations.back().message;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  }
};

}  // namespace

TEST_P(ecn_blocks, the_checker_knows_the_delay) {
  played_terminal t(GetParam());
  bench::cross(t.sent, unmarked(1, 3, 0));
  bench::cross(t.sent, unmarked(1, 3, 1));
  EXPECT_EQ(t.b.broken(), "");
  bench::cross(t.returned, notification(3, 1));  // 20 cycles from here on
  bench::cross(t.sent, unmarked(1, 4, 2));
  EXPECT_EQ(t.b.broken(), "");
  run(18);
  bench::cross(t.sent, unmarked(1, 3, 3));  // seen 21 after the last one, chosen 20 after it
  EXPECT_EQ(t.b.broken(), "");
  run(19);
  bench::cross(t.sent, unmarked(1, 3, 4));  // a cycle too soon
  EXPECT_EQ(t.b.broken(), "EC1 ");
  t.expect_said("follows the last packet to 3 after 19 cycles, the delay at index 2 is 20");
  run(2000);  // the timer has expired twice
  bench::cross(t.sent, unmarked(1, 3, 5));
  bench::cross(t.sent, unmarked(1, 3, 6));
  EXPECT_EQ(t.b.broken(), "EC1 ");
}

TEST_P(ecn_blocks, the_checker_knows_what_was_marked) {
  played_terminal t(GetParam());
  bench::cross(t.arrived, marked_packet(5, 1, 0));
  bench::cross(t.reflected, notification(1, 5));
  EXPECT_EQ(t.b.broken(), "");
  bench::cross(t.reflected, notification(1, 5));
  EXPECT_EQ(t.b.broken(), "EC2 ");
  t.expect_said("no marked packet has come from there since the last one");
  bench::cross(t.arrived, unmarked(6, 1, 0));
  bench::cross(t.reflected, notification(1, 6));
  EXPECT_EQ(t.b.broken(), "EC2 EC2 ");
  bench::cross(t.arrived, marked_packet(5, 1, 0));
  bench::cross(t.reflected, notification(2, 5));
  flit plain = notification(1, 5);
  plain.marks = 0;
  bench::cross(t.reflected, plain);
  EXPECT_EQ(t.b.broken(), "EC2 EC2 EC3 EC3 ");
  t.expect_said("has kind " + std::to_string(static_cast<unsigned>(flit_kind::acknowledge)) + " and marks 0");
}

TEST_P(ecn_blocks, the_checker_owes_no_notification_of_what_came_before_a_reset) {
  played_terminal t(GetParam());
  bench::cross(t.arrived, marked_packet(5, 1, 0));
  t.b.reset();
  bench::cross(t.reflected, notification(1, 5));
  EXPECT_EQ(t.b.broken(), "EC2 ");
}

TEST_P(ecn_blocks, a_notification_about_a_terminal_that_does_not_exist_says_nothing) {
  terminal_bench t(GetParam(), delays(10, 5, 4, 1000));
  t.notify(8), t.notify(100000), t.notify(3);
  t.b.reset();
  run(10);
  t.send(2, 2), t.send(3, 2);
  run(60);
  EXPECT_EQ(t.network.got.size(), 4u);
  const auto heads = t.heads_to(3);
  ASSERT_EQ(heads.size(), 2u);
  EXPECT_EQ(heads[1] - heads[0], 21u) << "this one exists";
}

TEST_P(ecn_blocks, a_packet_for_a_terminal_that_does_not_exist_is_reported) {
  terminal_bench t(GetParam(), delays(10, 5, 4, 1000));
  t.send(7, 1), t.send(8, 1);
  t.b.reset();
  const std::string said = refusal<sc_core::sc_report>([] { run(10); });
  EXPECT_NE(said.find("throttle: a packet for terminal 8 has come to input 0, expected 0 to 7"),
            std::string::npos)
      << said;
}

INSTANTIATE_TEST_SUITE_P(kernels, ecn_blocks, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
