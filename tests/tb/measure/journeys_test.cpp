// Packets that are followed from link to link, and flows: what is said of them, and of what nothing is said.
#include <gtest/gtest.h>

#include <optional>
#include <spillway/tb/measure/flow_meter.hpp>
#include <spillway/tb/measure/journeys.hpp>
#include <vector>

namespace {

using namespace spillway;

/// Terminal 0, switch 0, a link of several cycles, switch 1, terminal 1; and from switch 0 to terminal 2.
class following : public testing::Test {
protected:
  struct told {
    delivery d;
    std::optional<journey> way;
  };
  static flit head(std::uint32_t packet, flit_kind kind = flit_kind::data) {
    flit f;
    f.source = 0;
    f.destination = 1;
    f.packet = packet;
    f.kind = kind;
    return f;
  }
  static delivery arrival(std::uint64_t cycle, std::uint64_t created, std::uint64_t injected,
                          std::uint32_t packet) {
    delivery d;
    d.cycle = cycle;
    d.created = created;
    d.injected = injected;
    d.destination = 1;
    d.packet = packet;
    return d;
  }
  /// The cycles of four crossings in a row.
  void pass(std::uint32_t packet, std::vector<std::uint64_t> cycles, std::uint32_t from = 0) {
    for (std::uint32_t i = 0; i < cycles.size(); ++i) followed.crosses(cycles[i], from + i, head(packet));
  }

  std::vector<told> all;
  journeys followed{
      2,
      {{journeys::terminal(0), 0}, {0, 2}, {2, 1}, {1, journeys::terminal(1)}, {0, journeys::terminal(2)}},
      true,
      [this](const delivery& d, const journey* way) {
        all.push_back({d, way ? std::optional(*way) : std::nullopt});
      }};
};

TEST_F(following, every_cycle_is_somewhere) {
  pass(7, {12, 15, 18, 20});
  followed.delivered(arrival(28, 5, 10, 7));  // its last flit
  EXPECT_TRUE(all.empty()) << "the cycle is not over";
  followed.settle();
  ASSERT_EQ(all.size(), 1u);
  ASSERT_TRUE(all[0].way);
  const journey& way = *all[0].way;
  EXPECT_EQ(way.source, 5u);
  EXPECT_EQ(way.interface, 2u);
  EXPECT_EQ(way.hops, 2u);
  ASSERT_EQ(way.stays.size(), 3u);
  EXPECT_EQ(way.stays[0].node, 0);
  EXPECT_EQ(way.stays[0].cycles, 3u);
  EXPECT_EQ(way.stays[1].node, 2) << "the link";
  EXPECT_EQ(way.stays[1].cycles, 3u);
  EXPECT_EQ(way.stays[2].cycles, 2u);
  EXPECT_EQ(way.arrival, 8u);

  latency_breakdown where({0, 1}, 2);
  where.add(&way);
  where.add(nullptr);
  EXPECT_EQ(where.packets(), 1u);
  EXPECT_EQ(where.not_followed(), 1u);
  EXPECT_EQ(where.links(), 3u);
  EXPECT_EQ(where.rows(), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(where.source() + where.interface() + where.links() + where.arrival() + where.rows()[0] +
                where.rows()[1],
            28u - 5);
}

TEST_F(following, in_a_cycle_the_delivery_may_come_first) {
  pass(1, {2, 3, 4});
  followed.delivered(arrival(5, 0, 2, 1));
  pass(1, {5}, 3);
  followed.crosses(6, 0, head(2));
  ASSERT_EQ(all.size(), 1u);
  ASSERT_TRUE(all[0].way);
  EXPECT_EQ(all[0].way->arrival, 0u);
}

TEST_F(following, nothing_is_said_of_what_was_not_seen_all_the_way) {
  pass(1, {2, 3, 4});  // part of another from there on
  followed.delivered(arrival(9, 0, 2, 1));
  followed.crosses(10, 3, head(2));  // it begins within the network
  followed.delivered(arrival(10, 0, 2, 2));
  followed.delivered(arrival(11, 0, 2, 3));  // never seen
  followed.settle();
  ASSERT_EQ(all.size(), 3u);
  for (const told& t : all) EXPECT_FALSE(t.way) << t.d.packet;
}

TEST_F(following, a_packet_that_is_sent_again) {
  pass(1, {2});
  followed.crosses(3, 4, head(1));  // to a terminal that is not its own: dropped there
  pass(1, {10, 11, 12, 13});
  followed.delivered(arrival(13, 0, 2, 1));
  followed.settle();
  ASSERT_TRUE(all[0].way);
  EXPECT_EQ(all[0].way->hops, 2u);
  EXPECT_EQ(all[0].way->interface, 8u);

  pass(2, {20, 21, 22});
  pass(2, {23});  // a second copy while the first is under way
  pass(2, {24}, 3);
  followed.delivered(arrival(24, 19, 20, 2));
  followed.settle();
  EXPECT_FALSE(all[1].way);
}

// A copy that nobody takes arrives in the cycle in which the next one enters.
TEST_F(following, in_a_cycle_what_enters_comes_after_what_arrives) {
  for (const bool enters_first : {false, true}) {
    const std::uint32_t packet = enters_first;
    pass(packet, {20, 21, 22});
    if (enters_first) pass(packet, {23});
    pass(packet, {23}, 3);
    if (!enters_first) pass(packet, {23});
    pass(packet, {24, 25, 26}, 1);
    followed.delivered(arrival(26, 19, 20, packet));
    followed.settle();
    ASSERT_TRUE(all.at(packet).way) << enters_first;
    EXPECT_EQ(all[packet].way->interface, 3u);
    EXPECT_EQ(all[packet].way->hops, 2u);
  }
}

TEST_F(following, one_packet_says_nothing_of_another) {
  for (const std::uint32_t n : {1u, 2u}) {
    pass(n, {2, 4, 6, 8});
    followed.delivered(arrival(8, 0, 1, n));
    followed.settle();
    ASSERT_TRUE(all.at(n - 1).way);
    EXPECT_EQ(all[n - 1].way->stays.size(), 3u);
  }
}

// Of one number at the same time: a packet, the same of another network, and a reply.
TEST_F(following, numbers_are_of_a_network_and_replies_have_those_of_who_asked) {
  flit second = head(7), reply = head(7, flit_kind::reply);
  second.network = 1;
  reply.source = 5;  // whoever answers: terminal 1 has asked
  for (std::uint32_t link = 0; link < 4; ++link) {
    followed.crosses(10 + link, link, head(7));
    followed.crosses(10 + link, link, second);
    followed.crosses(10 + link, link, reply);
  }
  delivery d = arrival(13, 9, 9, 7);
  followed.delivered(d);
  d.network = 1;
  followed.delivered(d);
  d.network = 0, d.kind = flit_kind::reply, d.source = 5;
  followed.delivered(d);
  followed.settle();
  ASSERT_EQ(all.size(), 3u);
  for (const told& t : all) {
    ASSERT_TRUE(t.way) << unsigned{t.d.network};
    EXPECT_EQ(t.way->stays.size(), 3u);
  }
}

TEST_F(following, a_reply_is_neither_what_its_asker_sends_nor_a_reply_to_another) {
  flit own = head(7);
  own.source = 1, own.destination = 1;
  flit reply = head(7, flit_kind::reply), other = reply;
  other.destination = 2;
  for (const flit& f : {own, reply, other}) followed.crosses(10, 0, f);
  for (std::uint32_t link = 1; link < 4; ++link) followed.crosses(10 + link, link, reply);
  delivery d = arrival(13, 9, 9, 7);
  d.kind = flit_kind::reply;
  followed.delivered(d);
  followed.settle();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].way);
}

TEST_F(following, nothing_is_said_while_a_copy_is_in_the_network) {
  pass(1, {2});
  pass(1, {5, 6, 7, 8});  // which of them came out cannot be told
  followed.delivered(arrival(8, 0, 1, 1));
  followed.settle();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].way);
}

TEST_F(following, acknowledgements_and_what_a_reset_dropped_are_not_kept) {
  followed.crosses(1, 0, head(1, flit_kind::acknowledge));
  pass(1, {2, 3, 4});
  followed.write_off();
  pass(1, {10, 11, 12, 13});
  followed.delivered(arrival(13, 9, 10, 1));
  followed.settle();
  ASSERT_TRUE(all.at(0).way);
  EXPECT_EQ(all[0].way->interface, 0u);
}

TEST(flows, latency_from_each_terminal_to_each) {
  flow_meter flows;
  delivery d;
  d.source = 3;
  d.destination = 1;
  d.length = 2;
  for (const std::uint64_t latency : {4, 2, 9, 2}) {
    d.created = 100;
    d.cycle = 100 + latency;
    flows.add(d);
  }
  d.source = 2;
  d.cycle = 5100;  // 5,000 cycles lie in a bin of 32
  flows.add(d);
  const std::vector<flow_record> all = flows.report();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].source, 2u);
  EXPECT_EQ(all[0].max, 5000);
  EXPECT_NEAR(all[0].p99, 5000, 16);
  EXPECT_EQ(all[1].source, 3u);
  EXPECT_EQ(all[1].destination, 1u);
  EXPECT_EQ(all[1].packets, 4u);
  EXPECT_EQ(all[1].flits, 8u);
  EXPECT_EQ(all[1].mean, 17 / 4.0);
  EXPECT_EQ(all[1].p99, 9);
  EXPECT_EQ(all[1].max, 9);
}

}  // namespace
