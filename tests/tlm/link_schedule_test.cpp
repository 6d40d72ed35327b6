// What the transaction level computes with, against what links and queues do flit by flit.
#include <gtest/gtest.h>

#include <set>
#include <spillway/tlm/calendar.hpp>
#include <spillway/tlm/link_schedule.hpp>
#include <spillway/tlm/outstanding_requests.hpp>

namespace spillway {
namespace {

TEST(link_schedule, packets_follow_each_other) {
  link_schedule link;
  EXPECT_EQ(link.take(10, 0, 4), 10u);
  EXPECT_EQ(link.take(10, 0, 4), 14u);
  EXPECT_EQ(link.take(30, 0, 4), 30u);
}

TEST(link_schedule, a_packet_slips_into_the_last_gap_if_it_fits) {
  link_schedule link;
  link.take(10, 0, 4);                  // 10-13
  link.take(20, 0, 4);                  // 20-23, and 14-19 are free
  EXPECT_EQ(link.take(0, 0, 7), 24u);   // too long
  EXPECT_EQ(link.take(0, 0, 4), 14u);   // 18 and 19 are left
  EXPECT_EQ(link.take(19, 0, 2), 31u);  // they end too early
  EXPECT_EQ(link.take(18, 0, 2), 18u);
}

TEST(link_schedule, a_packet_without_room_holds_the_link) {
  link_schedule link;
  EXPECT_EQ(link.take(5, 20, 4), 20u);
  EXPECT_EQ(link.take(6, 0, 1), 24u) << "cycles 5 to 19 were not free";
  link_schedule gap;
  gap.take(10, 0, 1);
  gap.take(30, 0, 1);
  EXPECT_EQ(gap.take(12, 28, 3), 31u) << "room comes too late for the gap";
  EXPECT_EQ(gap.take(12, 20, 3), 20u);
}

/// No two packets ever use a link in the same cycle, whatever they ask for.
TEST(link_schedule, carries_one_flit_a_cycle) {
  link_schedule link;
  std::set<std::uint64_t> used;
  std::uint32_t dice = 1;
  for (unsigned p = 0; p < 5000; ++p) {
    dice = dice * 1664525 + 1013904223;
    const std::uint64_t ready = p * 5 + (dice >> 24) % 64, room = ready + (dice >> 16) % 16,
                        flits = 1 + (dice >> 8) % 8;
    const std::uint64_t first = link.take(ready, room, flits);
    EXPECT_GE(first, room);
    for (std::uint64_t c = first; c < first + flits; ++c) EXPECT_TRUE(used.insert(c).second) << c;
  }
}

/// A queue of limited room beside one that counts flit by flit.
TEST(queue_schedule, is_drained_when_so_many_flits_have_left) {
  for (const std::uint64_t room : {0u, 1u, 3u, 8u, 40u}) {
    queue_schedule queue;
    std::vector<std::uint64_t> leaves;  // cycle, by flit
    std::uint32_t dice = 7;
    std::uint64_t came = 0;
    unsigned waited = 0;
    for (unsigned p = 0; p < 1000; ++p) {
      dice = dice * 1664525 + 1013904223;
      came += (dice >> 24) % (p % 100 < 50 ? 5 : 9);  // more and less than the queue can pass on
      const std::uint64_t exact = leaves.size() <= room ? 0 : leaves[leaves.size() - room - 1] + 1;
      const std::uint64_t enters = std::max(came, exact);
      ASSERT_EQ(std::max(came, queue.drained_to(room, came)), enters) << "packet " << p << ", room " << room;
      waited += enters > came;
      came = enters;
      const std::uint64_t flits = 1 + (dice >> 16) % 8;
      const std::uint64_t first = std::max(came + 1, queue.free_from()) + (dice >> 8) % 3;
      queue.remember(came, first, flits);
      queue.occupy(first + flits);
      for (std::uint64_t f = 0; f < flits; ++f) leaves.push_back(first + f);
      ASSERT_EQ(queue.free_from(), leaves.back() + 1);
    }
    EXPECT_GT(waited, 20u);
    EXPECT_LT(waited, 1000u);
  }
}

TEST(calendar, gives_back_everything_in_its_cycle) {
  basic_calendar<8> calendar;
  std::multiset<std::pair<std::uint64_t, std::uint32_t>> due;
  std::uint32_t dice = 3;
  std::uint64_t now = 0;
  calendar.take(0);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    dice = dice * 1664525 + 1013904223;
    const std::uint64_t cycle = now + 1 + (dice >> 24) % 30;
    calendar.add(cycle, i);
    due.emplace(cycle, i);
    if (i % 3) continue;
    ASSERT_EQ(calendar.next(), due.begin()->first);
    now = calendar.next();
    for (const std::uint32_t what : calendar.take(now)) ASSERT_EQ(due.erase({now, what}), 1u);
    ASSERT_TRUE(due.empty() || due.begin()->first > now);
  }
}

TEST(calendar, begins_with_cycle_0_and_can_forget) {
  basic_calendar<8> calendar;
  calendar.add(0, 1), calendar.add(8, 2);
  EXPECT_EQ(calendar.next(), 0u);
  EXPECT_EQ(calendar.take(0), std::vector<std::uint32_t>{1});
  EXPECT_EQ(calendar.next(), 8u);
  calendar.add(3, 4), calendar.add(40, 5);
  calendar.clear(2);
  EXPECT_EQ(calendar.next(), calendar.never);
  calendar.add(9, 6);  // within eight cycles of the one that counts as taken
  EXPECT_EQ(calendar.next(), 9u);
  EXPECT_EQ(calendar.take(9), std::vector<std::uint32_t>{6});
}

TEST(outstanding_requests, numbers_find_their_requests_until_they_are_removed) {
  outstanding_requests requests;
  tlm::tlm_generic_payload a, b, c;
  const std::uint32_t first = requests.add({&a, nullptr}), second = requests.add({&b, nullptr});
  EXPECT_NE(first, second);
  requests.remove(second);
  EXPECT_EQ(requests.find(first).transaction, &a);
  EXPECT_EQ(requests.find(second).transaction, nullptr);
  const std::uint32_t third = requests.add({&c, nullptr});
  EXPECT_NE(third, second) << "a late reply to the second must not find the third";
  requests.remove(first);
  EXPECT_EQ(requests.find(first).transaction, nullptr);
  EXPECT_EQ(requests.find(third).transaction, &c);
  EXPECT_EQ(requests.count(), 1u);
  std::vector<tlm::tlm_generic_payload*> left;
  requests.take_all([&](const outstanding_requests::request& r) { left.push_back(r.transaction); });
  EXPECT_EQ(left, std::vector<tlm::tlm_generic_payload*>{&c});
  EXPECT_EQ(requests.count(), 0u);
  EXPECT_EQ(requests.find(third).transaction, nullptr);
}

TEST(outstanding_requests, that_are_abandoned_stay_outstanding_until_they_are_removed) {
  outstanding_requests requests;
  tlm::tlm_generic_payload a, b;
  const std::uint32_t first = requests.add({&a, nullptr}), second = requests.add({&b, nullptr});
  requests.abandon(first);
  EXPECT_EQ(requests.find(first).transaction, nullptr);
  requests.remove(second);
  EXPECT_TRUE(requests.find(first).abandoned);
  EXPECT_EQ(requests.count(), 1u);
  requests.remove(first);
  EXPECT_FALSE(requests.find(first).abandoned);
  EXPECT_EQ(requests.count(), 0u);
}

}  // namespace
}  // namespace spillway
