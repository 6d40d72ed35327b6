#include <gtest/gtest.h>

#include <spillway/hw/packet/fifo_queue.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct queue_under_test {
  bench b;
  any_link l_in, l_out;
  fifo_queue& queue;
  sender& from;
  receiver& to;

  queue_under_test(kernel k, unsigned depth, unsigned send_rate, unsigned take_rate,
                   const std::string& name = "b", std::uint32_t seed = 3)
      : b(k, name),
        l_in(b.link("l_in")),
        l_out(b.link("l_out")),
        queue(b.make<fifo_queue>("queue", depth)),
        from(b.make<sender>("from", send_rate, seed)),
        to(b.make<receiver>("to", take_rate, seed + 100)) {
    from.out.bind(l_in), queue.in.bind(l_in);
    queue.out.bind(l_out), to.in.bind(l_out);
  }
  void send(unsigned packets, unsigned length = 1) {
    for (unsigned p = 0; p < packets; ++p) from.add_packet(1, 2, p, length);
  }
  void expect_all_in_order() const {
    ASSERT_EQ(to.got.size(), from.sent.size());
    for (std::size_t i = 0; i < to.got.size(); ++i) {
      ASSERT_EQ(to.got[i].data, from.sent[i].data) << i;
      ASSERT_GT(to.got[i].cycle, from.sent[i].cycle) << i;
    }
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  }
};

class fifo_queue_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(fifo_queue_on, takes_one_cycle_from_input_to_output) {
  queue_under_test t(GetParam(), 4, 100, 100);
  t.b.reset();
  run(5);
  t.send(1);
  run(10);
  ASSERT_EQ(t.to.got.size(), 1u);
  EXPECT_EQ(t.to.got[0].cycle, t.from.sent[0].cycle + 1);
}

TEST_P(fifo_queue_on, runs_at_full_rate_with_two_places) {
  queue_under_test t(GetParam(), 2, 100, 100);
  t.send(100);
  t.b.reset();
  run(110);
  ASSERT_EQ(t.to.got.size(), 100u);
  EXPECT_EQ(t.to.got.back().cycle - t.to.got.front().cycle, 99u);
  t.expect_all_in_order();
}

TEST_P(fifo_queue_on, runs_at_half_rate_with_one_place) {
  queue_under_test t(GetParam(), 1, 100, 100);
  t.send(100);
  t.b.reset();
  run(210);
  ASSERT_EQ(t.to.got.size(), 100u);
  EXPECT_EQ(t.to.got.back().cycle - t.to.got.front().cycle, 2 * 99u);
  t.expect_all_in_order();
}

TEST_P(fifo_queue_on, holds_as_many_flits_as_it_has_places) {
  queue_under_test t(GetParam(), 5, 100, 0);
  t.send(20);
  t.b.reset();
  run(20);
  EXPECT_EQ(t.queue.level(), 5u);
  EXPECT_EQ(t.from.sent.size(), 5u);
  t.to.rate = 100;
  run(40);
  EXPECT_EQ(t.to.got.size(), 20u);
  t.expect_all_in_order();
}

TEST_P(fifo_queue_on, keeps_order_whatever_stalls) {
  std::vector<std::unique_ptr<queue_under_test>> all;
  for (const unsigned depth : {1u, 2u, 3u, 8u, 64u})
    for (const unsigned send_rate : {20u, 60u, 100u})
      for (const unsigned take_rate : {20u, 60u, 100u}) {
        const auto n = static_cast<std::uint32_t>(all.size());
        all.push_back(std::make_unique<queue_under_test>(GetParam(), depth, send_rate, take_rate,
                                                         "b" + std::to_string(n), n));
        all.back()->send(100, 1 + n % 4);
      }
  for (auto& t : all) t->b.rst(true);
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(6000);
  for (auto& t : all) {
    EXPECT_TRUE(t->from.todo.empty());
    EXPECT_EQ(t->queue.level(), 0u);
    t->expect_all_in_order();
  }
}

TEST_P(fifo_queue_on, is_emptied_by_a_reset_and_counts_the_loss) {
  queue_under_test t(GetParam(), 4, 100, 0);
  t.send(10);
  t.b.reset();
  run(20);
  ASSERT_EQ(t.queue.level(), 4u);
  EXPECT_EQ(t.queue.lost_in_reset(), 0u);
  t.from.todo.clear();
  t.b.rst(true);
  sc_core::sc_start(4, sc_core::SC_NS);
  EXPECT_EQ(t.queue.level(), 4u) << "the reset is synchronous";
  sc_core::sc_start(6, sc_core::SC_NS);
  EXPECT_EQ(t.queue.level(), 0u);
  EXPECT_EQ(t.queue.lost_in_reset(), 4u);
  EXPECT_FALSE(t.l_out.valid.read());
  EXPECT_EQ(t.l_in.ready.read(), 0u) << "what is sent to a block in reset would be lost uncounted";
  run(3);
  t.b.rst(false);
  t.to.rate = 100;
  t.from.sent.clear();
  t.send(10);
  run(30);
  EXPECT_EQ(t.to.got.size(), 10u);
  EXPECT_EQ(t.queue.lost_in_reset(), 4u);
  t.expect_all_in_order();
}

TEST_P(fifo_queue_on, takes_no_flit_of_a_lane_that_it_has_not) {
  queue_under_test t(GetParam(), 4, 100, 100);
  t.from.add_packet(1, 2, 0, 1, 3);
  t.b.reset();
  run(20);
  EXPECT_TRUE(t.from.sent.empty());
  EXPECT_TRUE(t.to.got.empty());
}

INSTANTIATE_TEST_SUITE_P(kernels, fifo_queue_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

TEST(fifo_queue_depth, is_1_to_65535) {
  for (const unsigned wrong : {0u, 65536u}) EXPECT_THROW(fifo_queue("queue", wrong), std::invalid_argument);
}
