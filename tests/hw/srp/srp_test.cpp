#include <gtest/gtest.h>

#include <spillway/hw/srp/srp_checker.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/hw/srp/srp_receiver.hpp>
#include <spillway/hw/srp/srp_sender.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;
using srp::make_message;
using srp::message;

namespace {

constexpr unsigned self = 1, terminals = 8;

/// A sender and a receiver of terminal 1, as at a terminal, with a checker of their rules.
struct srp_terminal {
  bench b;
  srp_sender& out;
  srp_receiver& in;
  sender& software;                                // of the terminal
  sender &guesses, &data, &requests, &answers;     // from the network
  receiver &speculative, &reserved, &asks, &says;  // to the network
  receiver& taken;                                 // to the terminal
  srp_checker& rules;
  std::uint32_t number = 0;

  explicit srp_terminal(kernel k, unsigned smallest = 1, unsigned largest = 64, unsigned length = 4,
                        unsigned pool = 16, unsigned overhead = 1050, unsigned control = 1,
                        srp_reserve reserve = srp_reserve::first)
      : b(k),
        out(b.make<srp_sender>("sender",
                               srp_sender_config{self, terminals, length, pool, smallest, largest, reserve})),
        in(b.make<srp_receiver>("receiver",
                                srp_receiver_config{self, terminals, overhead, control, reserve})),
        software(b.make<sender>("software")),
        guesses(b.make<sender>("guesses")),
        data(b.make<sender>("data")),
        requests(b.make<sender>("requests")),
        answers(b.make<sender>("answers")),
        speculative(b.make<receiver>("speculative")),
        reserved(b.make<receiver>("reserved")),
        asks(b.make<receiver>("asks")),
        says(b.make<receiver>("says")),
        taken(b.make<receiver>("taken")),
        rules(b.make<srp_checker>("rules", srp_checker_config{"", terminals, smallest, overhead, reserve},
                                  b.collect())) {
    const any_link sent = b.link("sent"), s = b.link("s"), r = b.link("r"), q = b.link("q"), a = b.link("a");
    software.out.bind(sent), out.in.bind(sent);
    out.speculative.bind(s), speculative.in.bind(s), rules.speculates.bind(s);
    out.reserved.bind(r), reserved.in.bind(r), rules.sends.bind(r);
    out.requests.bind(q), asks.in.bind(q), rules.asks.bind(q);
    in.answers.bind(a), says.in.bind(a), rules.answers.bind(a);
    const any_link fs = b.link("fs"), fr = b.link("fr"), fq = b.link("fq"), fa = b.link("fa"),
                   to = b.link("to");
    guesses.out.bind(fs), in.speculative.bind(fs), rules.guessed.bind(fs);
    data.out.bind(fr), in.reserved.bind(fr);
    requests.out.bind(fq), in.requests.bind(fq), rules.asked.bind(fq);
    answers.out.bind(fa), out.answers.bind(fa), rules.answered.bind(fa);
    in.out.bind(to), taken.in.bind(to);
  }
  void send(std::uint32_t to, unsigned packets, unsigned length = 4) {
    for (unsigned p = 0; p < packets; ++p) software.add_packet(self, to, number++, length);
  }
  void answer(message what, std::uint32_t from, std::uint32_t packet, std::uint64_t content = 0) {
    answers.todo.push_back(make_message(what, from, {self, packet}, content));
  }
  /// The numbers of the packets whose heads crossed.
  static std::vector<std::uint32_t> heads(const receiver& r) {
    std::vector<std::uint32_t> all;
    for (const passage& p : r.got)
      if (p.data.head()) all.push_back(p.data.packet);
    return all;
  }
  std::vector<message> said() const {
    std::vector<message> all;
    for (const passage& p : says.got) all.push_back(srp::message_of(p.data));
    return all;
  }
  std::string broken() const {
    std::string all;
    for (const violation& v : b.violations) all += v.message + "\n";
    return all;
  }
};

using numbers = std::vector<std::uint32_t>;

class srp_blocks : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

/// Reservation first; what comes while it is speculative is the next message.
TEST_P(srp_blocks, a_message_goes_speculatively_and_is_done_when_all_has_come) {
  srp_terminal t(GetParam());
  t.send(2, 2);
  t.b.reset();
  run(20);
  ASSERT_EQ(t.asks.got.size(), 1u);  // for the packet that was there
  EXPECT_EQ(srp::message_of(t.asks.got[0].data), message::reservation);
  EXPECT_EQ(t.asks.got[0].data.payload, 4u);
  EXPECT_EQ(t.asks.got[0].cycle - t.software.sent[3].cycle, 1u);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0}));
  EXPECT_EQ(t.speculative.got[0].cycle - t.software.sent[3].cycle, 2u);
  EXPECT_EQ(t.out.held_flits(), 8u);
  t.answer(message::delivered, 2, 0);
  run(10);
  EXPECT_EQ(t.out.held_flits(), 4u);
  EXPECT_EQ(t.asks.got.size(), 1u);  // not before the answer to the first
  t.answer(message::grant, 2, 0, srp::grant_times(1000000, 10));
  run(10);
  EXPECT_EQ(t.asks.got.size(), 2u);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 1}));
  t.answer(message::grant, 2, 1), t.answer(message::delivered, 2, 1);
  run(10);
  EXPECT_EQ(t.out.held_flits(), 0u);
  EXPECT_TRUE(t.reserved.got.empty());
  EXPECT_EQ(t.broken(), "");
}

/// Until the granted time nothing goes; then what was dropped and what is left, and no more of it
/// speculatively.
TEST_P(srp_blocks, what_was_dropped_goes_again_at_the_granted_time) {
  srp_terminal t(GetParam());
  t.speculative.rate = 0;
  t.send(2, 3), t.send(5, 1);
  t.b.reset();
  run(30);  // the first to 2 alone is a message; the other two wait
  t.speculative.rate = 100;
  run(20);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 3}));  // 5 has a message of its own
  t.answer(message::refused, 2, 0);
  const std::uint64_t now = t.speculative.got.back().cycle + 20;
  t.answer(message::grant, 2, 0, srp::grant_times(now + 200, now));
  run(150);
  EXPECT_TRUE(t.reserved.got.empty());
  run(200);
  // After its time it goes, and what waited is the next message.
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{0}));
  EXPECT_EQ(t.asks.got.back().data.payload, 8u);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 3, 1, 2}));
  EXPECT_EQ(t.out.held_flits(), 12u);
  EXPECT_EQ(t.broken(), "");
}

/// The exact cycle, without the time that the grant was under way.
TEST_P(srp_blocks, the_granted_time_is_kept_to_the_cycle) {
  srp_terminal t(GetParam());
  t.speculative.rate = 0;
  t.send(2, 1, 1), t.send(2, 3, 4);
  t.b.reset();
  run(30);
  t.answer(message::grant, 2, 0, 0);
  run(10);
  EXPECT_EQ(t.asks.got.size(), 1u) << "its speculative packet has no answer";
  t.speculative.rate = 100;
  run(4);
  t.answer(message::delivered, 2, 0);
  t.speculative.rate = 0;
  run(20);
  ASSERT_EQ(t.asks.got.size(), 2u);
  EXPECT_EQ(t.asks.got[1].data.payload, 12u);
  t.answers.sent.clear();
  t.answer(message::grant, 2, 1, srp::grant_times(500, 90));
  run(1000);
  // One of the three was shown as speculative and goes on as such.
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{2, 3}));
  const std::uint64_t came = t.answers.sent[0].cycle;
  EXPECT_EQ(t.reserved.got[0].cycle, 500 - (came - 90) + 1);  // chosen at that edge, across at the next
  EXPECT_EQ(t.reserved.got.back().cycle - t.reserved.got[0].cycle, 7u);
  EXPECT_EQ(t.broken(), "");
}

/// SMSRP: no reservation unless something is dropped, and then for what is not known to have come.
TEST_P(srp_blocks, a_reservation_can_wait_until_a_packet_is_dropped) {
  srp_terminal t(GetParam(), 1, 64, 4, 16, 1050, 1, srp_reserve::after_drop);
  t.speculative.rate = 0;
  t.send(2, 4);
  t.b.reset();
  run(30);
  t.speculative.rate = 100;
  run(10);
  t.answer(message::delivered, 2, 0);  // the first was a message of its own, and is done
  run(30);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 1, 2, 3}));
  EXPECT_TRUE(t.asks.got.empty());
  t.answer(message::delivered, 2, 2), t.answer(message::refused, 2, 1);
  run(20);
  ASSERT_EQ(t.asks.got.size(), 1u);
  EXPECT_EQ(t.asks.got[0].data.payload, 8u);
  t.send(2, 1);
  t.answer(message::refused, 2, 3);
  run(20);
  EXPECT_EQ(t.asks.got.size(), 1u);
  EXPECT_TRUE(t.reserved.got.empty());
  t.answer(message::grant, 2, 0, 0);
  run(30);
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{1, 3}));
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 1, 2, 3, 4}));  // the next message
  EXPECT_EQ(t.asks.got.size(), 1u);
  EXPECT_EQ(t.broken(), "");
}

/// LHRP: no request at all; each packet is a message, and word of its drop bears its time.
TEST_P(srp_blocks, the_last_switch_can_reserve) {
  srp_terminal t(GetParam(), 1, 64, 4, 16, 1050, 1, srp_reserve::last_switch);
  t.send(2, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 1, 2, 3}));
  t.answer(message::delivered, 2, 0);
  run(10);
  EXPECT_EQ(t.out.held_flits(), 12u);
  const std::uint64_t now = t.answers.sent.back().cycle + 10;
  t.answer(message::deferred, 2, 2, srp::grant_times(now + 100, now - 5));
  t.answer(message::deferred, 2, 1, srp::grant_times(now + 60, now - 5));
  t.send(2, 1);
  run(30);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0, 1, 2, 3, 4})) << "drops hold up no other";
  EXPECT_TRUE(t.reserved.got.empty());
  run(200);
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{1, 2})) << "each at its own time";
  EXPECT_EQ(t.reserved.got[4].cycle - t.reserved.got[0].cycle, 41u) << "the second answer came a cycle later";
  EXPECT_EQ(t.out.held_flits(), 8u);
  EXPECT_TRUE(t.asks.got.empty());
  EXPECT_EQ(t.broken(), "");
}

TEST(last_switch_schedule, grants_one_time_after_the_other_for_each_terminal) {
  srp::last_switch_schedule s(8, 1500, 4);
  const flit head = make_flit(5, 3, 7, 0, 4);
  EXPECT_EQ(s.life(srp::speculative, head, {false, 0, 100}), drop_rule::never);
  EXPECT_EQ(s.life(srp::reserved, head, {true, 0, 100}), drop_rule::never);
  EXPECT_EQ(s.life(srp::speculative, head, {true, 0, 8}), drop_rule::lasting);
  EXPECT_EQ(s.life(srp::speculative, head, {true, 0, 9}), 0u);
  const auto start = [&](unsigned output, std::uint64_t now) {
    return s.remains(head, {true, output, 9}, now).data.payload & 0xffffffff;
  };
  EXPECT_EQ(start(1, 100), 100u);
  EXPECT_EQ(start(1, 101), 106u);
  EXPECT_EQ(start(2, 101), 101u);
  EXPECT_EQ(start(1, 200), 200u);
  const dropped_remains left = s.remains(head, {true, 1, 9}, 201);
  EXPECT_EQ(left.network, srp::answers);
  EXPECT_TRUE(left.returns);
  EXPECT_EQ(srp::message_of(left.data), message::deferred);
  EXPECT_EQ(left.data.payload >> 32, 201u);
  EXPECT_EQ(left.data.source, 3u);
  EXPECT_EQ(left.data.destination, 5u);
  EXPECT_EQ(left.data.packet, 7u);
  s.clear();
  EXPECT_EQ(start(1, 10), 10u);
}

TEST_P(srp_blocks, small_messages_go_without_reservation) {
  srp_terminal t(GetParam(), 6);
  t.send(2, 1);
  t.b.reset();
  run(20);
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{0}));
  EXPECT_TRUE(t.asks.got.empty());
  t.reserved.rate = 0;
  t.send(2, 4);
  run(40);
  t.reserved.rate = 100;
  run(20);
  ASSERT_EQ(t.asks.got.size(), 1u);  // for what had come while another was on its way
  EXPECT_EQ(t.asks.got[0].data.payload, 12u);
  EXPECT_EQ(t.broken(), "");
}

TEST_P(srp_blocks, a_small_message_does_not_wait_for_the_time_of_the_one_before) {
  srp_terminal t(GetParam(), 3);
  t.send(2, 1, 4);
  t.b.reset();
  run(20);
  // Granted from long after on, and all of it has come before.
  t.answer(message::grant, 2, 0, srp::grant_times(1000000, 10)), t.answer(message::delivered, 2, 0);
  run(10);
  EXPECT_EQ(t.out.held_flits(), 0u);
  t.send(2, 1, 2);
  run(20);
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{1}));
  EXPECT_EQ(t.broken(), "");
}

TEST_P(srp_blocks, a_message_has_the_largest_size_and_a_full_pool_stops_the_terminal) {
  srp_terminal t(GetParam(), 1, 8, 4, 6);
  t.asks.rate = 0;
  t.send(2, 9);
  t.b.reset();
  run(60);
  EXPECT_EQ(t.out.held_flits(), 24u);
  t.asks.rate = 100;
  run(20);
  ASSERT_EQ(t.asks.got.size(), 1u);
  EXPECT_EQ(srp_terminal::heads(t.speculative), (numbers{0}));
  t.answer(message::refused, 2, 0), t.answer(message::grant, 2, 0, 0);
  run(40);
  EXPECT_EQ(srp_terminal::heads(t.reserved), (numbers{0}));
  ASSERT_EQ(t.asks.got.size(), 2u);
  EXPECT_EQ(t.asks.got[1].data.payload, 8u);
  EXPECT_EQ(t.out.held_flits(), 24u);
  EXPECT_EQ(t.broken(), "");
}

/// Times follow each other; requests and overhead are charged.
// Of lengths 4, 4 and 1 a message of up to 6 flits has the first alone: the third may not overtake the
// second.
TEST_P(srp_blocks, a_message_ends_before_the_first_packet_that_does_not_fit) {
  srp_terminal t(GetParam(), 1, 6);
  for (const unsigned length : {1u, 4u, 4u, 1u}) t.send(3, 1, length);
  t.b.reset();
  run(20);
  ASSERT_EQ(t.asks.got.size(), 1u);
  EXPECT_EQ(t.asks.got[0].data.payload, 1u);
  t.answer(message::grant, 3, 0, srp::grant_times(0, 0));
  t.answer(message::delivered, 3, 0);
  run(20);
  ASSERT_EQ(t.asks.got.size(), 2u);
  EXPECT_EQ(t.asks.got[1].data.payload, 4u);
  EXPECT_EQ(t.broken(), "");
}

TEST_P(srp_blocks, reservations_are_granted_one_after_the_other) {
  srp_terminal t(GetParam());
  for (const unsigned from : {3u, 4u, 5u})
    t.requests.todo.push_back(make_message(message::reservation, from, {self, 0}, 40));
  t.b.reset();
  run(20);
  ASSERT_EQ(t.says.got.size(), 3u);
  const std::uint64_t first = t.says.got[0].data.payload & 0xffffffff;
  EXPECT_EQ(first, t.requests.sent[0].cycle);
  for (unsigned n = 0; n < 3; ++n) {
    EXPECT_EQ(t.says.got[n].data.destination, 3 + n);
    EXPECT_EQ(t.says.got[n].data.network, srp::answers);
    EXPECT_EQ((t.says.got[n].data.payload & 0xffffffff) - first,
              n * 43);  // 42 for 40 flits, 1 for the request
  }
  run(300);
  t.requests.todo.push_back(make_message(message::reservation, 3, {self, 1}, 10));
  run(10);
  EXPECT_EQ(t.says.got.back().data.payload & 0xffffffff, t.requests.sent.back().cycle);
  // What was reserved for is not answered, and takes no other time; what was not does.
  const std::uint64_t free_from = t.in.free_from();
  t.data.add_packet(3, self, 1, 10);
  run(15);
  EXPECT_EQ(t.says.got.size(), 4u);
  EXPECT_EQ(t.in.free_from(), free_from);
  t.data.add_packet(6, self, 0, 4);
  run(10);
  EXPECT_EQ(t.says.got.size(), 4u);
  EXPECT_GE(t.in.free_from(), free_from + 4);
  EXPECT_EQ(t.broken(), "");
}

TEST_P(srp_blocks, the_last_packet_of_a_reservation_takes_no_more_time) {
  srp_terminal t(GetParam());
  t.requests.todo.push_back(make_message(message::reservation, 3, {self, 0}, 8));
  t.b.reset();
  run(10);
  const std::uint64_t free_from = t.in.free_from();
  for (std::uint32_t p = 0; p < 2; ++p) t.data.add_packet(3, self, p, 4);
  run(30);
  ASSERT_EQ(t.taken.got.size(), 8u);
  EXPECT_EQ(t.in.free_from(), free_from);
}

TEST_P(srp_blocks, what_comes_before_a_reservation_takes_nothing_from_it) {
  srp_terminal t(GetParam());
  t.guesses.add_packet(3, self, 0, 4);
  t.b.reset();
  run(20);
  ASSERT_EQ(t.taken.got.size(), 4u);
  t.requests.todo.push_back(make_message(message::reservation, 3, {self, 1}, 4));
  run(10);
  const std::uint64_t free_from = t.in.free_from();
  t.data.add_packet(3, self, 1, 4);
  run(20);
  ASSERT_EQ(t.taken.got.size(), 8u);
  EXPECT_EQ(t.in.free_from(), free_from);
}

/// What comes goes to the terminal whole, reserved packets first; sources hear what became of the others.
TEST_P(srp_blocks, a_receiver_tells_of_speculative_packets) {
  srp_terminal t(GetParam());
  t.says.rate = 0;
  for (unsigned p = 0; p < 6; ++p) t.guesses.add_packet(3, self, p, 3);
  for (unsigned p = 0; p < 6; ++p) t.data.add_packet(4, self, p, 3);
  flit left = make_flit(5, self, 9, 0, 4);
  left = srp::time_of_life(7).remains(left, {}, 0).data;
  EXPECT_EQ(left.length, 1);
  EXPECT_EQ(srp::time_of_life(7).life(srp::speculative, left, {}), 7u);
  EXPECT_EQ(srp::time_of_life(7).life(srp::reserved, left, {}), drop_rule::never);
  t.requests.todo.push_back(left);
  t.b.reset();
  run(60);
  EXPECT_EQ(t.taken.got.size(), 18u + 2 * 3 + 2);  // two receipts wait, and so does the next one's tail
  t.says.rate = 100;
  run(60);
  ASSERT_EQ(t.taken.got.size(), 36u);
  for (unsigned n = 0; n < 36; ++n) EXPECT_EQ(t.taken.got[n].data.index, n % 3);
  ASSERT_EQ(t.says.got.size(), 7u);
  EXPECT_EQ(srp::message_of(t.says.got[0].data), message::refused);
  EXPECT_EQ(t.says.got[0].data.destination, 5u);
  EXPECT_EQ(t.says.got[0].data.packet, 9u);
  for (unsigned n = 1; n < 7; ++n) {
    EXPECT_EQ(srp::message_of(t.says.got[n].data), message::delivered);
    EXPECT_EQ(t.says.got[n].data.packet, n - 1);
  }
  EXPECT_EQ(t.in.held_flits(), 0u);
  EXPECT_EQ(t.broken(), "");
}

/// A reply has the number of its request, which a packet of the terminal's own may have.
TEST_P(srp_blocks, answers_about_replies_are_not_for_packets_of_their_numbers) {
  const auto reply = [](sender& from, std::uint32_t source, std::uint32_t to) {
    from.add_packet(source, to, 7, 4);
    for (std::size_t i = from.todo.size() - 4; i < from.todo.size(); ++i)
      from.todo[i].kind = flit_kind::reply;
  };
  srp_terminal t(GetParam(), 1, 64, 4, 16, 1050, 1, srp_reserve::last_switch);
  t.software.add_packet(self, 2, 7, 4);
  reply(t.software, self, 2);
  reply(t.guesses, 3, self);
  t.guesses.add_packet(3, self, 7, 4);
  flit left = make_flit(5, self, 7, 0, 4);
  left.kind = flit_kind::reply;
  t.requests.todo.push_back(srp::time_of_life(7).remains(left, {}, 0).data);
  t.b.reset();
  run(40);
  // The reply is deferred, the other has come; it is the reply that goes again.
  t.answers.todo.push_back(make_message(message::deferred, 2, {self, 7, true}, srp::grant_times(0, 0)));
  t.answers.todo.push_back(make_message(message::delivered, 2, {self, 7, false}));
  run(40);
  ASSERT_EQ(t.reserved.got.size(), 4u);
  for (const passage& p : t.reserved.got) EXPECT_EQ(p.data.kind, flit_kind::reply);
  EXPECT_EQ(t.out.held_flits(), 0u);
  ASSERT_EQ(t.says.got.size(), 3u);
  EXPECT_EQ(srp::message_of(t.says.got[0].data), message::refused);
  EXPECT_EQ(srp::subject_of(t.says.got[0].data, 5), (srp::packet_name{5, 7, true}));
  for (unsigned n = 1; n < 3; ++n) {
    EXPECT_EQ(srp::message_of(t.says.got[n].data), message::delivered);
    EXPECT_EQ(srp::subject_of(t.says.got[n].data, 3), (srp::packet_name{3, 7, n == 1}));
  }
  EXPECT_EQ(t.broken(), "");
}

TEST_P(srp_blocks, a_receiver_has_two_places_for_what_comes_by_reservation) {
  srp_terminal t(GetParam());
  t.taken.rate = 0;
  for (unsigned p = 0; p < 4; ++p) t.data.add_packet(3, self, p, 1);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.in.held_flits(), 2u);
  t.taken.rate = 100;
  run(40);
  EXPECT_EQ(t.taken.got.size(), 4u);
}

TEST_P(srp_blocks, a_reset_forgets_all) {
  srp_terminal t(GetParam());
  t.send(2, 4);
  t.taken.rate = 0;
  t.guesses.add_packet(3, self, 0, 4);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.out.held_flits(), 16u);
  EXPECT_EQ(t.in.held_flits(), 2u);
  t.guesses.todo.clear();
  t.b.reset();
  EXPECT_EQ(t.out.held_flits() + t.in.held_flits(), 0u);
  EXPECT_EQ(t.out.lost_in_reset(), 16u);
  EXPECT_EQ(t.in.lost_in_reset(), 2u);
  t.asks.got.clear();
  t.send(2, 1);
  run(20);
  EXPECT_EQ(t.asks.got.size(), 1u);
  EXPECT_EQ(t.broken(), "");
}

TEST_P(srp_blocks, a_grant_of_a_terminal_that_does_not_exist_is_for_nothing) {
  srp_terminal t(GetParam());
  t.send(2, 1);
  t.b.reset();
  run(15);
  // As much too great a number as another would be right.
  t.answer(message::grant, terminals + 2, 0), t.answer(message::grant, 100002, 0);
  t.answer(message::refused, 2, 0);  // it is to go again once it is granted a time
  run(20);
  EXPECT_TRUE(t.reserved.got.empty());
  EXPECT_EQ(t.out.held_flits(), 4u);
}

TEST_P(srp_blocks, a_grant_is_for_nothing_where_the_last_switch_reserves) {
  srp_terminal t(GetParam(), 1, 64, 4, 2, 1050, 1, srp_reserve::last_switch);
  t.send(2, 1);
  t.b.reset();
  run(15);
  for (const std::uint32_t from : {0u, 1u, 7u, 100000u}) t.answer(message::grant, from, 0);
  run(10);
  EXPECT_TRUE(t.reserved.got.empty()) << "no packet is sent again that was not refused";
  EXPECT_EQ(t.out.held_flits(), 4u);
}

TEST_P(srp_blocks, a_packet_for_a_terminal_that_does_not_exist_is_reported) {
  srp_terminal t(GetParam());
  t.send(7, 1), t.send(8, 1);
  t.b.reset();
  const std::string said = refusal<sc_core::sc_report>([] { run(20); });
  EXPECT_NE(said.find("sender: a packet for terminal 8 has come to input 0, expected 0 to 7"),
            std::string::npos)
      << said;
}

INSTANTIATE_TEST_SUITE_P(kernels, srp_blocks, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
