#include <gtest/gtest.h>

#include <spillway/tb/dampening/guarantee.hpp>

using namespace spillway;

namespace {

/// Terminals 0 to 3, of which 3 is hot; promised within 10 cycles.
class guarantee : public testing::TestWithParam<guarantee_kind> {
protected:
  guarantee() : checker({GetParam(), 10, true}, {false, false, false, true}) {}
  void inject(std::uint64_t cycle, std::uint32_t source, std::uint32_t destination, std::uint32_t packet) {
    flit f;
    f.source = source;
    f.destination = destination;
    f.packet = packet;
    at_[{source, packet}] = cycle;
    checker.injected(cycle, f);
  }
  void deliver(std::uint64_t cycle, std::uint32_t source, std::uint32_t destination, std::uint32_t packet) {
    delivery d;
    d.cycle = cycle;
    d.injected = at_[{source, packet}];
    d.source = source;
    d.destination = destination;
    d.packet = packet;
    checker.delivered(d);
  }
  double count(const std::string& name) {
    counters all;
    checker.count(all);
    return all.at(name);
  }
  guarantee_checker checker;

private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> at_;
};

}  // namespace

TEST_P(guarantee, is_kept_up_to_the_last_cycle) {
  inject(5, 0, 1, 0);
  deliver(15, 0, 1, 0);
  checker.finish(1000);
  EXPECT_EQ(checker.broken(), 0u);
  EXPECT_EQ(count("guarantee.covered"), 1);
  EXPECT_EQ(count("guarantee.worst"), 10);
  EXPECT_EQ(count("guarantee.coolspots"), 3);
}
TEST_P(guarantee, is_broken_by_a_late_message) {
  inject(5, 0, 1, 0);
  deliver(16, 0, 1, 0);
  EXPECT_EQ(checker.broken(), 1u);
  ASSERT_EQ(checker.findings().size(), 1u);
  EXPECT_NE(checker.findings()[0].find("packet 0 of terminal 0 to coolspot 1"), std::string::npos);
}
TEST_P(guarantee, is_broken_by_a_message_that_never_comes) {
  inject(5, 0, 1, 0);
  inject(95, 0, 2, 1);  // still has time
  checker.finish(100);
  EXPECT_EQ(checker.broken(), 1u);
  EXPECT_EQ(count("guarantee.stuck"), 1);
  EXPECT_EQ(count("guarantee.coolspots_blocked"), 1);
  EXPECT_EQ(count("guarantee.stuck_share"), 1);
  EXPECT_DOUBLE_EQ(count("guarantee.blocked_share"), 1. / 3);
}
TEST_P(guarantee, is_not_broken_by_a_reset) {
  inject(5, 0, 1, 0);
  inject(5, 2, 3, 0);
  checker.write_off(8);
  inject(20, 2, 1, 1);  // innocent again
  checker.finish(1000);
  EXPECT_EQ(checker.broken(), 1u) << "only what was sent after the reset can be stuck";
  EXPECT_EQ(count("guarantee.covered"), 1);
}
TEST_P(guarantee, tells_replies_with_the_numbers_of_their_requests_apart) {
  for (const std::uint32_t requester : {0, 2}) {
    flit reply;
    reply.source = 1;
    reply.destination = requester;
    reply.packet = 7;
    reply.kind = flit_kind::reply;
    checker.injected(5, reply);
  }
  inject(6, 1, 2, 7);
  checker.finish(1000);
  EXPECT_EQ(count("guarantee.stuck"), 3);
}
TEST_P(guarantee, says_nothing_of_messages_to_hotspots) {
  inject(5, 0, 3, 0);
  checker.finish(1000);
  EXPECT_EQ(checker.broken(), 0u);
}
TEST_P(guarantee, of_the_weak_kind_leaves_complicit_senders_out) {
  inject(5, 0, 3, 0);
  inject(6, 0, 1, 1);
  inject(6, 1, 2, 0);
  deliver(30, 0, 1, 1);
  deliver(30, 1, 2, 0);
  EXPECT_EQ(checker.broken(), GetParam() == guarantee_kind::strong ? 2u : 1u);
}
TEST_P(guarantee, of_the_weak_kind_wants_innocence_all_the_while) {
  inject(5, 0, 3, 0);
  inject(6, 0, 1, 1);
  deliver(8, 0, 3, 0);  // innocent from here on
  inject(9, 0, 2, 2);
  inject(10, 1, 2, 0);
  inject(12, 1, 3, 1);  // complicit while the message before is under way
  deliver(40, 0, 1, 1);
  deliver(40, 0, 2, 2);
  deliver(40, 1, 2, 0);
  EXPECT_EQ(checker.broken(), GetParam() == guarantee_kind::strong ? 3u : 1u);
}

INSTANTIATE_TEST_SUITE_P(kinds, guarantee, testing::Values(guarantee_kind::strong, guarantee_kind::weak),
                         [](const auto& i) { return i.param == guarantee_kind::strong ? "strong" : "weak"; });
