// What the scoreboard says of the order of arrivals, against a model that remembers all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <spillway/tb/measure/scoreboard.hpp>
#include <tuple>
#include <vector>

using namespace spillway;

namespace {

flit packet(std::uint32_t source, std::uint32_t destination, std::uint32_t number,
            flit_kind kind = flit_kind::data) {
  flit f;
  f.source = source, f.destination = destination, f.packet = number;
  f.index = 0, f.length = 1, f.kind = kind;
  f.payload = check_value(f);
  return f;
}

struct board_bench {
  scoreboard board{4, overtaking::fault};
  void make(const flit& f) { board.created(1, f), board.injected(2, f); }
  void arrive(const flit& f, unsigned at) { board.delivered(3, at, f); }
  void arrive(const flit& f) { arrive(f, f.destination); }
  void pass(const flit& f) { make(f), arrive(f); }
  std::uint64_t overtaken() const { return board.counts().overtaken; }
};

}  // namespace

TEST(scoreboard, packets_to_other_terminals_overtake_nobody) {
  board_bench b;
  for (std::uint32_t n = 0; n < 4; ++n) b.make(packet(0, n % 2, n));
  for (const std::uint32_t n : {1u, 3u, 0u, 2u}) b.arrive(packet(0, n % 2, n));
  EXPECT_EQ(b.overtaken(), 0u);
  EXPECT_EQ(b.board.outstanding(), 0u);
}

TEST(scoreboard, hears_of_no_packet_to_a_terminal_that_there_is_not) {
  board_bench b;
  EXPECT_THROW(b.make(packet(0, 4, 0)), std::out_of_range);
}

TEST(scoreboard, what_was_combined_is_outstanding_until_its_packet_arrives) {
  board_bench b;
  const flit survivor = packet(0, 1, 0, flit_kind::combinable),
             merged = packet(2, 1, 0, flit_kind::combinable);
  b.make(survivor), b.make(merged);
  b.board.combined(2, survivor, merged);
  EXPECT_EQ(b.board.outstanding_flits(), 2u);
  b.arrive(survivor);
  EXPECT_EQ(b.board.outstanding(), 0u);
  EXPECT_EQ(b.board.outstanding_flits(), 0u);
}

TEST(scoreboard, each_packet_behind_a_later_one_of_its_way_is_overtaken) {
  board_bench b;
  for (std::uint32_t n = 0; n < 5; ++n) b.make(packet(0, n == 2, n));
  for (const std::uint32_t n : {4u, 2u, 0u, 1u, 3u}) b.arrive(packet(0, n == 2, n));
  EXPECT_EQ(b.overtaken(), 3u) << "0, 1 and 3 by 4; 2 goes elsewhere";
  EXPECT_EQ(b.board.counts().misordered, 3u);
}

TEST(scoreboard, a_misrouted_packet_counts_where_it_arrived) {
  board_bench b;
  for (std::uint32_t n = 0; n < 3; ++n) b.make(packet(0, 1, n));
  b.arrive(packet(0, 1, 2), 3);
  b.arrive(packet(0, 1, 0));
  EXPECT_EQ(b.overtaken(), 0u) << "2 came to terminal 3, 0 to terminal 1";
  EXPECT_EQ(b.board.counts().misrouted, 1u);
}

TEST(scoreboard, a_flit_with_other_data_or_from_nowhere_is_corrupted_and_arrives_nowhere) {
  board_bench b;
  const flit sent = packet(0, 1, 0);
  b.make(sent);
  flit other = sent;
  other.payload ^= 1;
  b.arrive(other);
  other = sent;
  other.source = 4;
  b.arrive(other, 1);
  other = sent;
  other.destination = 4;
  b.arrive(other, 1);
  EXPECT_EQ(b.board.counts().corrupted, 3u);
  ASSERT_EQ(b.board.faults().size(), 3u);
  EXPECT_EQ(b.board.faults()[0].substr(0, 37), "cycle 3, terminal 1: corrupted flit: ");
  EXPECT_EQ(b.board.counts().flits, 0u);
  EXPECT_EQ(b.board.outstanding(), 1u);
  b.arrive(sent);
  EXPECT_EQ(b.board.outstanding(), 0u);
}

TEST(scoreboard, a_flit_before_its_turn_is_out_of_its_place) {
  board_bench b;
  flit f = packet(0, 1, 0);
  f.length = 3;
  b.make(f);
  for (const unsigned index : {0u, 2u, 1u}) {
    f.index = static_cast<std::uint16_t>(index);
    f.payload = check_value(f);
    b.arrive(f);
  }
  EXPECT_EQ(b.board.counts().misordered, 2u);
  ASSERT_EQ(b.board.faults().size(), 2u);
  EXPECT_EQ(b.board.faults()[0].substr(0, 56), "cycle 3, terminal 1: flit out of its place in the packet");
  EXPECT_EQ(b.board.counts().delivered, 1u) << "it has all its flits";
}

TEST(scoreboard, what_was_combined_and_comes_alone_all_the_same_has_come_twice) {
  for (const bool alone_first : {true, false}) {
    board_bench b;
    const flit survivor = packet(0, 1, 0, flit_kind::combinable),
               merged = packet(2, 1, 0, flit_kind::combinable);
    b.make(survivor), b.make(merged);
    b.board.combined(2, survivor, merged);
    b.arrive(alone_first ? merged : survivor);
    b.arrive(alone_first ? survivor : merged);
    EXPECT_EQ(b.board.counts().duplicated, 1u);
    EXPECT_EQ(b.board.counts().delivered, 2u);
    EXPECT_EQ(b.board.outstanding_flits(), 0u);
  }
}

TEST(scoreboard, tells_of_the_first_20_faults_and_counts_all) {
  board_bench b;
  for (std::uint32_t n = 0; n < 25; ++n) b.make(packet(0, 1, n)), b.arrive(packet(0, 1, n), 3);
  EXPECT_EQ(b.board.counts().misrouted, 25u);
  ASSERT_EQ(b.board.faults().size(), 20u);
  EXPECT_EQ(b.board.faults()[19].substr(0, 46), "cycle 3, terminal 3: flit for another terminal");
}

// As of replies, which have the numbers of what they answer.
TEST(scoreboard, packets_may_be_made_in_any_order_of_their_numbers) {
  board_bench b;
  for (const std::uint32_t n : {5u, 2u, 9u}) b.make(packet(0, n % 3, n));
  EXPECT_EQ(b.board.outstanding(), 3u);
  b.arrive(packet(0, 1, 4));
  EXPECT_EQ(b.board.counts().duplicated, 1u) << "there is no 4";
  for (const std::uint32_t n : {2u, 5u, 9u}) b.arrive(packet(0, n % 3, n));
  EXPECT_EQ(b.board.outstanding(), 0u);
  EXPECT_EQ(b.board.counts().duplicated, 1u);
}

TEST(scoreboard, a_reply_is_overtaken_by_one_that_was_made_and_forgotten_before_it) {
  board_bench b;
  const flit second = packet(2, 0, 5, flit_kind::reply), first = packet(2, 0, 3, flit_kind::reply);
  b.pass(second);
  b.pass(first);
  EXPECT_EQ(b.overtaken(), 1u);
  const flit other = packet(1, 0, 4, flit_kind::reply);
  b.pass(other);
  EXPECT_EQ(b.overtaken(), 1u) << "of another terminal";
}

TEST(scoreboard, replies_go_on_where_the_numbers_of_what_they_answer_begin_again) {
  board_bench b;
  const flit last = packet(2, 0, 0xfffffffe, flit_kind::reply), next = packet(2, 0, 1, flit_kind::reply);
  b.pass(last);
  b.pass(next);
  EXPECT_EQ(b.overtaken(), 0u);
  const flit between = packet(2, 0, 0xffffffff, flit_kind::reply);
  b.pass(between);
  EXPECT_EQ(b.overtaken(), 1u);
}

TEST(scoreboard, what_was_written_off_overtakes_nobody) {
  board_bench b;
  for (std::uint32_t n = 0; n < 3; ++n) b.make(packet(0, 1, n));
  b.arrive(packet(0, 1, 2));
  b.board.write_off();
  EXPECT_EQ(b.board.counts().reset_dropped, 2u);
  for (std::uint32_t n = 3; n < 5; ++n) b.make(packet(0, 1, n));
  b.arrive(packet(0, 1, 3)), b.arrive(packet(0, 1, 4));
  EXPECT_EQ(b.overtaken(), 0u);
}

TEST(scoreboard, counts_as_one_who_remembers_every_arrival) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 200; ++round) {
    board_bench b;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> latest;  // by source and terminal
    std::uint64_t overtaken = 0;
    std::vector<flit> under_way;
    std::vector<std::uint32_t> made(4);
    for (unsigned step = 0; step < 300; ++step) {
      if (random() % 2 || under_way.empty()) {
        const std::uint32_t source = random() % 4;
        under_way.push_back(packet(source, random() % 4, made[source]++));
        b.make(under_way.back());
        continue;
      }
      // Near the front: most arrive in order.
      const std::size_t at = std::min<std::size_t>(random() % 4, under_way.size() - 1);
      const flit f = under_way[at];
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(at));
      const auto [entry, first] = latest.try_emplace({f.source, f.destination}, f.packet);
      overtaken += !first && entry->second > f.packet;
      entry->second = std::max<std::uint32_t>(entry->second, f.packet);
      b.arrive(f);
    }
    ASSERT_EQ(b.overtaken(), overtaken) << "round " << round;
    ASSERT_EQ(b.board.outstanding(), under_way.size());
  }
}
