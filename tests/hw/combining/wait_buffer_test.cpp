// The wait buffer and its checker by themselves.
#include <gtest/gtest.h>

#include <spillway/hw/combining/wait_buffer.hpp>
#include <spillway/hw/combining/wait_buffer_checker.hpp>

#include "requests.hpp"

using namespace spillway;
using namespace spillway::testing_support;

TEST(wait_buffer_test, splits_a_reply_into_one_for_each_merged_request) {
  wait_buffer buffer(3);
  const flit survivor = request(1, 7), second = request(2, 9), third = request(3, 4), other = request(1, 8);
  buffer.merge(survivor, second, 1);
  buffer.merge(survivor, third, 0);
  EXPECT_FALSE(buffer.full());
  buffer.merge(other, request(5, 0), 2);
  EXPECT_TRUE(buffer.full());
  EXPECT_THROW(buffer.merge(other, request(6, 0), 2), std::logic_error);
  std::deque<reply_branch> branches;
  buffer.split(reply_to(survivor), branches);
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[0].reply, branch_for(second, survivor));
  EXPECT_EQ(branches[1].reply, branch_for(third, survivor));
  EXPECT_EQ(branches[0].port, 1u);
  EXPECT_EQ(branches[1].port, 0u);
  EXPECT_EQ(branches[0].word, second.interface_word);
  EXPECT_EQ(branches[1].word, third.interface_word);
  EXPECT_TRUE(buffer.full()) << "they have no place yet";
  buffer.leave();
  EXPECT_FALSE(buffer.full());
  buffer.leave();
  EXPECT_EQ(buffer.records(), 1u);
  EXPECT_EQ(buffer.most_records(), 3u);
  buffer.split(reply_to(survivor), branches);
  EXPECT_EQ(branches.size(), 2u) << "they have been answered";
}

namespace {

/// Rules that the checker names, each followed by a space, and what it said last.
struct checked_buffer {
  std::string broken, said;
  combining_config config = [] {
    combining_config c;
    c.records = 2;
    return c;
  }();
  wait_buffer_checker checker{"checker", "node", config,
                              [this](const violation& v) { broken += v.rule + " ", said = v.message; }};
  void expect_said(const std::string& what) const { EXPECT_NE(said.find(what), std::string::npos) << said; }
};

}  // namespace

TEST(wait_buffer_checker_test, is_silent_where_all_is_well) {
  checked_buffer t;
  t.checker.passed(request(1, 0), 0);
  t.checker.merged(request(1, 0), request(2, 0), 1);
  t.checker.merged(request(1, 0), request(3, 0), 2);
  t.checker.split(reply_to(request(1, 0)), reply_to(request(2, 0)), 1);
  t.checker.split(reply_to(request(1, 0)), reply_to(request(3, 0)), 2);
  t.checker.turned_back(reply_to(request(1, 0)), 0);
  for (unsigned n = 0; n < 2; ++n) t.checker.placed();
  t.checker.passed(request(1, 0), 2);
  t.checker.turned_back(reply_to(request(1, 0)), 2);
  EXPECT_EQ(t.broken, "");
  EXPECT_EQ(t.checker.violations(), 0u);
}

TEST(wait_buffer_checker_test, names_one_record_more_than_the_bound) {
  checked_buffer t;
  t.checker.passed(request(1, 0), 0);
  for (unsigned source = 2; source < 4; ++source) t.checker.merged(request(1, 0), request(source, 0), 1);
  t.checker.split(reply_to(request(1, 0)), reply_to(request(2, 0)), 1);
  t.checker.placed();
  t.checker.merged(request(1, 0), request(2, 1), 1);
  t.checker.split(reply_to(request(1, 0)), reply_to(request(3, 0)), 1);
  EXPECT_EQ(t.broken, "");
  t.checker.merged(request(1, 0), request(4, 0), 1);
  EXPECT_EQ(t.broken, "WB1 ") << "a reply that is split off has a record until it has a place";
  t.expect_said("is one of 3 merged requests, of at most 2");
}

TEST(wait_buffer_checker_test, names_replies_that_are_wrong_missing_or_too_many) {
  checked_buffer t;
  t.checker.turned_back(reply_to(request(1, 0)), 0);
  EXPECT_EQ(t.broken, "WB2 ") << "no such request has passed";
  t.checker.passed(request(1, 0), 0);
  t.checker.passed(request(1, 0), 0);
  EXPECT_EQ(t.broken, "WB2 WB2 ") << "twice";
  t.checker.merged(request(1, 0), request(2, 0), 1);
  t.checker.passed(request(5, 0), 0);
  t.checker.split(reply_to(request(5, 0)), reply_to(request(2, 0)), 1);
  EXPECT_EQ(t.broken, "WB2 WB2 WB2 ") << "split from another's reply";
  t.checker.turned_back(reply_to(request(1, 0)), 0);
  EXPECT_EQ(t.broken, "WB2 WB2 WB2 WB2 ") << "leaves one without";
  t.expect_said("leaves 1 requests merged into its own without a reply");
  EXPECT_EQ(t.checker.violations(), 4u);
}

TEST(wait_buffer_checker_test, names_a_request_that_is_merged_a_second_time) {
  checked_buffer t;
  t.checker.passed(request(1, 0), 0);
  t.checker.passed(request(3, 0), 0);
  t.checker.merged(request(1, 0), request(2, 0), 1);
  EXPECT_EQ(t.broken, "");
  t.checker.merged(request(3, 0), request(2, 0), 1);
  EXPECT_EQ(t.broken, "WB2 ");
}

TEST(wait_buffer_checker_test, names_a_reply_of_its_own_to_a_request_that_was_merged) {
  checked_buffer t;
  t.checker.passed(request(1, 0), 0);
  t.checker.merged(request(1, 0), request(2, 0), 1);
  t.checker.turned_back(reply_to(request(2, 0)), 1);
  EXPECT_EQ(t.broken, "WB2 ");
}

TEST(wait_buffer_checker_test, names_a_reply_that_leaves_by_another_port) {
  checked_buffer t;
  t.checker.passed(request(1, 0), 0);
  t.checker.merged(request(1, 0), request(2, 0), 1);
  t.checker.split(reply_to(request(1, 0)), reply_to(request(2, 0)), 0);
  EXPECT_EQ(t.broken, "WB3 ");
  t.expect_said("leaves by port 0, its request came by 1");
  t.checker.turned_back(reply_to(request(1, 0)), 1);
  EXPECT_EQ(t.broken, "WB3 WB3 ");
  t.expect_said("leaves by port 1, its request came by 0");
}

TEST(wait_buffer_checker_test, names_a_request_that_becomes_part_of_one_for_something_else) {
  checked_buffer t;
  t.checker.passed(read_of(7, 1, 0), 0);
  t.checker.merged(read_of(7, 1, 0), read_of(7, 2, 0), 1);
  EXPECT_EQ(t.broken, "");
  t.checker.merged(read_of(7, 1, 0), read_of(8, 3, 0), 1);
  EXPECT_EQ(t.broken, "WB4 ") << "another line";
}

TEST(wait_buffer_checker_test, knows_no_request_of_before_a_reset) {
  bench b(kernel::signals);
  auto& checker = b.make<wait_buffer_checker>("checker", "node", combining_config{}, b.collect());
  checker.passed(request(1, 0), 0);
  b.reset();
  checker.turned_back(reply_to(request(1, 0)), 0);
  EXPECT_EQ(b.broken(), "WB2 ");
}
