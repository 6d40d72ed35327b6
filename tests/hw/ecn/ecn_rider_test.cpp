#include <gtest/gtest.h>

#include <algorithm>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/ecn/ecn_rider.hpp>
#include <spillway/hw/ecn/ecn_rider_checker.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class ecn_riders : public sc_test, public testing::WithParamInterface<kernel> {};

flit notification(std::uint32_t from, std::uint32_t to) { return ecn::notification(from, to, 1); }

/// An acknowledgement, marked or not: its head and `length` - 1 more flits.
std::vector<flit> ack(unsigned source, unsigned destination, bool marked = false, unsigned length = 2) {
  std::vector<flit> all;
  for (unsigned i = 0; i < length; ++i) {
    flit f = make_flit(source, destination, 0, i, length);
    f.kind = flit_kind::acknowledge;
    f.network = 1;
    f.marks = marked && i == 0 ? ecn::backward : 0;
    all.push_back(f);
  }
  return all;
}

/// A rider of terminal 1 with checkers of its links and of its rules.
struct rider_bench {
  bench b;
  ecn_rider& rider;
  sender &reflector, &interface, &from_network;
  receiver &to_network, &acks_in, &throttle;

  explicit rider_bench(kernel k, unsigned rate = 100)
      : b(k),
        rider(b.make<ecn_rider>("rider", 8u)),
        reflector(b.make<sender>("reflector", rate, 1u)),
        interface(b.make<sender>("interface", rate, 2u)),
        from_network(b.make<sender>("from_network", rate, 3u)),
        to_network(b.make<receiver>("to_network", rate, 4u)),
        acks_in(b.make<receiver>("acks_in", rate, 5u)),
        throttle(b.make<receiver>("throttle")) {
    auto& rules = b.make<ecn_rider_checker>("rules", "", 8u, b.collect());
    const any_link noted = b.link("noted"), acks = b.link("acks"), out = b.link("out"), in = b.link("in"),
                   taken = b.link("taken"), told = b.link("told");
    reflector.out.bind(noted), rider.notifications.bind(noted), rules.notifications.bind(noted);
    interface.out.bind(acks), rider.acks.bind(acks), rules.acks.bind(acks);
    rider.reflected.bind(out), to_network.in.bind(out), rules.reflected.bind(out);
    from_network.out.bind(in), rider.returned.bind(in), rules.returned.bind(in);
    rider.acks_in.bind(taken), acks_in.in.bind(taken);
    rider.notices.bind(told), throttle.in.bind(told), rules.notices.bind(told);
    b.reset();
    run(2);
  }
  static void send(sender& from, const std::vector<flit>& flits) {
    from.todo.insert(from.todo.end(), flits.begin(), flits.end());
  }
  void expect_no_violation() const { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }
};

/// The marks of what has crossed, a digit a flit.
std::string marks_of(const receiver& r) {
  std::string all;
  for (const passage& p : r.got) all += std::to_string(p.data.marks);
  return all;
}

}  // namespace

TEST_P(ecn_riders, a_mark_rides_once_on_the_next_acknowledgement_to_there) {
  rider_bench t(GetParam());
  t.reflector.todo = {notification(1, 5), notification(1, 5), notification(1, 6)};
  run(6);
  for (const unsigned to : {4u, 5u, 5u, 6u}) rider_bench::send(t.interface, ack(1, to));
  run(12);
  EXPECT_EQ(marks_of(t.to_network), "00200020");  // heads alone bear marks
  counters counted;
  t.rider.count(counted);
  EXPECT_EQ(counted["ecn.marks_on_acknowledgements"], 2);
  // Full rate, from the first flit to the last.
  EXPECT_EQ(t.to_network.got.back().cycle - t.to_network.got.front().cycle, 7u);
  t.expect_no_violation();
}

TEST_P(ecn_riders, a_mark_that_comes_too_late_waits_for_the_next_acknowledgement) {
  rider_bench t(GetParam());
  rider_bench::send(t.interface, ack(1, 5));
  run(3);  // the head is in the rider, or through
  t.reflector.todo = {notification(1, 5)};
  run(50);
  EXPECT_EQ(marks_of(t.to_network), "00");
  rider_bench::send(t.interface, ack(1, 5));
  run(5);
  EXPECT_EQ(marks_of(t.to_network), "0020");
  t.expect_no_violation();
}

TEST_P(ecn_riders, a_notification_is_made_of_a_mark_a_register_later) {
  rider_bench t(GetParam());
  for (const bool marked : {false, true, true})
    rider_bench::send(t.from_network, ack(marked ? 3 : 2, 1, marked));
  run(12);
  ASSERT_EQ(t.throttle.got.size(), 2u);
  ASSERT_EQ(t.acks_in.got.size(), 6u);
  for (unsigned n = 0; n < 2; ++n) {
    EXPECT_EQ(t.throttle.got[n].data, notification(3, 1));
    EXPECT_EQ(t.throttle.got[n].cycle, t.acks_in.got[2 + 2 * n].cycle)
        << "as the head itself, a register later";
  }
  t.expect_no_violation();
}

TEST_P(ecn_riders, acknowledgements_and_marks_are_neither_lost_nor_made_under_backpressure) {
  rider_bench t(GetParam(), 60);
  constexpr unsigned rounds = 200;
  for (unsigned n = 0; n < rounds; ++n) {
    t.reflector.todo.push_back(notification(1, 2 + n % 5));
    rider_bench::send(t.interface, ack(1, 2 + n % 6, false, 1 + n % 3));
    rider_bench::send(t.from_network, ack(2 + n % 6, 1, n % 4 == 1, 1 + n % 3));
  }
  run(5000);
  const auto heads = [](const receiver& r) {
    return std::count_if(r.got.begin(), r.got.end(), [](const passage& p) { return p.data.head(); });
  };
  EXPECT_EQ(heads(t.to_network), rounds);
  EXPECT_EQ(heads(t.acks_in), rounds);
  EXPECT_EQ(t.throttle.got.size(), rounds / 4);
  const std::string marks = marks_of(t.to_network);
  EXPECT_GT(std::count(marks.begin(), marks.end(), '2'), rounds / 4);
  t.expect_no_violation();
}

TEST_P(ecn_riders, a_reset_forgets_marks_that_wait) {
  rider_bench t(GetParam());
  t.reflector.todo = {notification(1, 5)};
  run(6);
  t.b.reset();
  run(2);
  rider_bench::send(t.interface, ack(1, 5));
  run(6);
  EXPECT_EQ(marks_of(t.to_network), "00");
  t.expect_no_violation();
}

namespace {

/// Plays what crosses the links of a rider.
struct played_rider {
  bench b;
  any_link notifications, acks, reflected, returned, notices;

  explicit played_rider(kernel k)
      : b(k),
        notifications(b.bare_link("notifications")),
        acks(b.bare_link("acks")),
        reflected(b.bare_link("reflected")),
        returned(b.bare_link("returned")),
        notices(b.bare_link("notices")) {
    auto& rules = b.make<ecn_rider_checker>("rules", "", 8u, b.collect());
    rules.notifications.bind(notifications), rules.acks.bind(acks), rules.reflected.bind(reflected);
    rules.returned.bind(returned), rules.notices.bind(notices);
    b.reset();
    for (any_link* const l : {&notifications, &acks, &reflected, &returned, &notices}) l->ready.write(1);
    run(1);
  }
  void crosses(any_link& l, unsigned from, unsigned to, bool marked) {
    for (const flit& f : ack(from, to, marked)) bench::cross(l, f);
  }
  /// Of the last rule that was broken.
  void expect_said(const std::string& what) const {
    const std::string& said = b.violations.back().message;
    EXPECT_NE(said.find(what), std::string::npos) << said;
  }
};

}  // namespace

TEST_P(ecn_riders, the_checker_knows_on_which_acknowledgement_a_mark_rides) {
  played_rider t(GetParam());
  bench::cross(t.notifications, notification(1, 5));
  t.crosses(t.acks, 1, 4, false), t.crosses(t.acks, 1, 5, false), t.crosses(t.acks, 1, 5, false);
  t.crosses(t.reflected, 1, 4, false), t.crosses(t.reflected, 1, 5, true);
  EXPECT_EQ(t.b.broken(), "");
  t.crosses(t.reflected, 1, 5, true);  // once more than it was notified
  EXPECT_EQ(t.b.broken(), "EC4 ");
  t.expect_said("leaves with a mark that nobody notified");
  bench::cross(t.notifications, notification(1, 5));
  t.crosses(t.acks, 1, 5, false);
  t.crosses(t.reflected, 1, 5, false);  // lost
  EXPECT_EQ(t.b.broken(), "EC4 EC4 ");
  t.expect_said("leaves without the mark that it bears");
  t.crosses(t.reflected, 1, 6, true);  // of none that entered
  EXPECT_EQ(t.b.broken(), "EC4 EC4 EC4 ");
}

TEST_P(ecn_riders, the_checker_knows_which_marks_are_told) {
  played_rider t(GetParam());
  bench::cross(t.returned, ack(3, 1, true, 1)[0]);
  bench::cross(t.notices, notification(3, 1));
  bench::cross(t.returned, ack(3, 1, false, 1)[0]);
  run(2);
  EXPECT_EQ(t.b.broken(), "");
  bench::cross(t.returned, ack(3, 1, true, 1)[0]);
  run(3);  // lost
  EXPECT_EQ(t.b.broken(), "EC5 ");
  t.expect_said("nothing is said of the mark on the acknowledgement from 3");
  bench::cross(t.notices, notification(3, 1));  // too late
  EXPECT_EQ(t.b.broken(), "EC5 EC5 ");
  t.expect_said("no acknowledgement with a mark came from there just now");
  bench::cross(t.returned, ack(3, 1, true, 1)[0]);
  bench::cross(t.notices, notification(4, 1));  // another's
  EXPECT_EQ(t.b.broken(), "EC5 EC5 EC5 ");
  flit plain = notification(3, 1);
  plain.marks = 0;
  bench::cross(t.returned, ack(3, 1, true, 1)[0]);
  bench::cross(t.notices, plain);  // no notification
  EXPECT_EQ(t.b.broken(), "EC5 EC5 EC5 EC5 ");
}

TEST_P(ecn_riders, no_mark_rides_to_a_terminal_that_does_not_exist) {
  rider_bench t(GetParam());
  t.reflector.todo = {notification(1, 8), notification(1, 100000), notification(1, 6)};
  run(6);
  for (const unsigned to : {8u, 100000u, 6u}) rider_bench::send(t.interface, ack(1, to));
  run(12);
  EXPECT_EQ(marks_of(t.to_network), "000020");
}

INSTANTIATE_TEST_SUITE_P(kernels, ecn_riders, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
