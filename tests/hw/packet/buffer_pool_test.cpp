#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <spillway/hw/switching/least_recently_served_arbiter.hpp>
#include <spillway/hw/switching/oldest_first_arbiter.hpp>
#include <support/refusal.hpp>

#include "pool_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct buffer_pool_test : sc_test {};

class buffer_pool_of : public sc_test, public testing::WithParamInterface<pool_kind> {};

constexpr const pool_kind& fifo = pool_kinds[0];
constexpr const pool_kind& voq = pool_kinds[1];
constexpr const pool_kind& output_queues = pool_kinds[2];
constexpr const pool_kind& shared_pool = pool_kinds[3];
constexpr const pool_kind& partition = pool_kinds[4];
constexpr const pool_kind& damq = pool_kinds[5];

// Input 0 sends one flit to a stopped output, then ten to a free one; how many of them arrive.
std::size_t get_past(const pool_kind& kind) {
  pool_bench t(kernel::fast, pool_config(kind, 2, 4));
  t.to[0]->rate = 0;
  t.send(0, 0);
  for (int n = 0; n < 10; ++n) t.send(0, 1);
  t.b.reset();
  run(60);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  return t.to[1]->got.size();
}

// Input 0 floods a stopped output; how many of the flits that input 1 sends to the other one arrive.
std::size_t get_past_flood(const pool_kind& kind) {
  pool_bench t(kernel::fast, pool_config(kind, 2, 4));
  t.to[0]->rate = 0;
  for (int n = 0; n < 50; ++n) t.send(0, 0);
  t.b.reset();
  run(60);
  for (int n = 0; n < 50; ++n) t.send(1, 1);
  run(60);
  return t.to[1]->got.size();
}

// Flits that each of four inputs gets through when all want output 0.
std::vector<std::size_t> shares(const pool_kind& kind, unsigned length) {
  pool_bench t(kernel::fast, pool_config(kind, 4, 4, length));
  for (unsigned i = 0; i < 4; ++i)
    for (int n = 0; n < 500; ++n) t.send(i, 0, length);
  t.b.reset();
  run(400);
  EXPECT_GE(t.to[0]->got.size(), 390u) << "the output is busy in every cycle";
  std::vector<std::size_t> share(4);
  for (const passage& p : t.to[0]->got) ++share[p.data.source];
  return share;
}

}  // namespace

TEST_P(buffer_pool_of, passes_a_flit_in_one_cycle) {
  pool_bench t(kernel::signals, pool_config(GetParam(), 4, 4));
  t.b.reset();
  run(5);
  for (unsigned i = 0; i < 4; ++i) t.send(i, (i + 1) % 4);
  run(10);
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_EQ(t.to[(i + 1) % 4]->got.size(), 1u);
    EXPECT_EQ(t.to[(i + 1) % 4]->got[0].cycle, t.from[i]->sent[0].cycle + 1);
  }
}

TEST_P(buffer_pool_of, passes_a_permutation_at_full_rate) {
  pool_bench t(kernel::fast, pool_config(GetParam(), 4, 8));
  for (int n = 0; n < 100; ++n)
    for (unsigned i = 0; i < 4; ++i) t.send(i, 3 - i);
  t.b.reset();
  run(120);
  for (unsigned o = 0; o < 4; ++o) {
    ASSERT_EQ(t.to[o]->got.size(), 100u);
    EXPECT_EQ(t.to[o]->got.back().cycle - t.to[o]->got.front().cycle, 99u);
  }
}

TEST_P(buffer_pool_of, cuts_through_or_waits_for_the_tail) {
  pool_bench cut(kernel::fast, pool_config(GetParam(), 2, 4, 4), "cut");
  pool_bench store(kernel::fast, pool_config(GetParam(), 2, 4, 4, switching::store_and_forward), "store");
  for (pool_bench* t : {&cut, &store}) t->b.rst(true);
  run(2);
  for (pool_bench* t : {&cut, &store}) t->b.rst(false), t->send(0, 1, 4);
  run(20);
  ASSERT_EQ(cut.to[1]->got.size(), 4u);
  ASSERT_EQ(store.to[1]->got.size(), 4u);
  EXPECT_EQ(cut.to[1]->got[0].cycle, cut.from[0]->sent[0].cycle + 1);
  EXPECT_EQ(store.to[1]->got[0].cycle, store.from[0]->sent[3].cycle + 1);
}

// Also of those that come behind another, with pauses between their flits.
TEST_P(buffer_pool_of, stores_each_packet_before_it_forwards_it) {
  pool_bench t(kernel::fast, pool_config(GetParam(), 2, 8, 4, switching::store_and_forward), "store", 40);
  for (unsigned n = 0; n < 60; ++n) t.send(n % 2, n / 2 % 2, 4);
  t.b.reset();
  run(1500);
  t.expect_all_delivered();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> whole;  // of a packet when its tail came
  for (const sender* const s : t.from)
    for (const passage& p : s->sent)
      if (p.data.tail()) whole[{p.data.source, p.data.packet}] = p.cycle;
  for (const receiver* const r : t.to)
    for (const passage& p : r->got)
      if (p.data.head()) {
        EXPECT_GT(p.cycle, whole.at({p.data.source, p.data.packet}));
      }
}

TEST_P(buffer_pool_of, is_emptied_by_a_reset_and_counts_the_loss) {
  pool_bench t(kernel::signals, pool_config(GetParam(), 2, 4, 2));
  for (receiver* r : t.to) r->rate = 0;
  for (int n = 0; n < 20; ++n) t.send(0, n % 2, 2), t.send(1, n % 2, 2);
  t.b.reset();
  run(30);
  const unsigned held = t.pool.level();
  ASSERT_GE(held, 4u);
  t.b.rst(true);
  run(1);
  EXPECT_EQ(t.pool.level(), 0u);
  EXPECT_EQ(t.pool.lost_in_reset(), held);
  for (unsigned p = 0; p < 2; ++p) {
    EXPECT_FALSE(t.out[p].valid.read());
    EXPECT_EQ(t.in[p].ready.read(), 0u);
    t.from[p]->todo.clear();
    t.from[p]->sent.clear();
    t.to[p]->rate = 100;
  }
  run(3);
  t.b.rst(false);
  for (int n = 0; n < 20; ++n) t.send(0, n % 2, 2), t.send(1, n % 2, 1);
  run(200);
  t.expect_all_delivered();
  EXPECT_EQ(t.pool.lost_in_reset(), held);
}

TEST(buffer_pool, tells_how_full_its_fullest_queue_is) {
  pool_bench t(kernel::fast, pool_config(pool_kinds[1], 2, 4));
  t.to[0]->rate = 0;
  for (int n = 0; n < 3; ++n) t.send(0, 0);
  t.b.reset();
  run(20);
  EXPECT_EQ(t.pool.fullest(), 0.75) << "three flits of one input's four places for that output";
  EXPECT_EQ(t.pool.level(), 3u);
  EXPECT_EQ(t.pool.capacity(), 16u);
}

TEST_P(buffer_pool_of, shares_an_output_fairly) {
  for (const std::size_t share : shares(GetParam(), 1)) EXPECT_NEAR(static_cast<double>(share), 100, 4);
}

TEST_P(buffer_pool_of, shares_an_output_fairly_between_long_packets) {
  for (const std::size_t share : shares(GetParam(), 2)) EXPECT_NEAR(static_cast<double>(share), 100, 6);
}

// With nobody else for its output, whichever input that is.
TEST_P(buffer_pool_of, takes_long_packets_one_after_the_other) {
  std::vector<std::unique_ptr<pool_bench>> all;
  for (unsigned i = 0; i < 3; ++i) {
    all.push_back(std::make_unique<pool_bench>(kernel::fast, pool_config(GetParam(), 3, 9, 3),
                                               "b" + std::to_string(i)));
    for (unsigned packet = 0; packet < 20; ++packet) all[i]->send(i, 2 - i, 3);
    all[i]->b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(100);
  for (unsigned i = 0; i < 3; ++i) {
    const auto& sent = all[i]->from[i]->sent;
    ASSERT_EQ(sent.size(), 60u);
    EXPECT_EQ(sent.back().cycle - sent.front().cycle, 59u) << "input " << i;
    all[i]->expect_all_delivered();
  }
}

TEST_P(buffer_pool_of, runs_alike_on_both_kernels) {
  pool_bench a(kernel::signals, pool_config(GetParam(), 4, 4, 2), "a", 50, 70);
  pool_bench f(kernel::fast, pool_config(GetParam(), 4, 4, 2), "f", 50, 70);
  for (pool_bench* t : {&a, &f}) {
    dice d(9);
    for (int n = 0; n < 200; ++n) t->send(d.below(4), d.below(4), 1 + d.below(2));
    t->b.rst(true);
  }
  run(2);
  for (pool_bench* t : {&a, &f}) t->b.rst(false);
  run(1000);
  a.expect_all_delivered();
  for (unsigned o = 0; o < 4; ++o) {
    EXPECT_FALSE(a.to[o]->got.empty());
    EXPECT_TRUE(a.to[o]->got == f.to[o]->got) << "output " << o;
  }
}

INSTANTIATE_TEST_SUITE_P(organisation, buffer_pool_of, testing::ValuesIn(pool_kinds),
                         [](const auto& i) { return std::string(i.param.name); });

TEST_F(buffer_pool_test, blocks_at_the_head_of_a_fifo) { EXPECT_EQ(get_past(fifo), 0u); }
TEST_F(buffer_pool_test, blocks_no_other_output_with_virtual_output_queues) { EXPECT_EQ(get_past(voq), 10u); }
TEST_F(buffer_pool_test, blocks_no_other_output_with_output_queues) {
  EXPECT_EQ(get_past(output_queues), 10u);
}

TEST_F(buffer_pool_test, blocks_no_other_output_with_dynamically_allocated_queues) {
  EXPECT_EQ(get_past(damq), 10u);
}
TEST_F(buffer_pool_test, leaves_other_inputs_their_room_with_dynamically_allocated_queues) {
  EXPECT_EQ(get_past_flood(damq), 50u);
}

// Three inputs: their rooms are not a power of two.
TEST_F(buffer_pool_test, lets_one_queue_take_all_the_room_of_its_input) {
  pool_bench t(kernel::fast, pool_config(damq, 3, 8));
  EXPECT_EQ(t.pool.capacity(), 24u);
  t.to[0]->rate = 0;
  for (int n = 0; n < 20; ++n) t.send(2, 0);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.pool.level(), 8u);
  EXPECT_EQ(t.pool.fullest(), 1);
  t.send(2, 1), t.send(1, 1);
  run(20);
  ASSERT_EQ(t.to[1]->got.size(), 1u) << "a full input takes nothing for others either";
  EXPECT_EQ(t.to[1]->got[0].data.source, 1u);
  t.to[0]->rate = 100;
  run(60);
  t.expect_all_delivered();
}

TEST_F(buffer_pool_test, holds_no_more_of_an_input_whatever_its_packets_are_for) {
  pool_bench t(kernel::fast, pool_config(damq, 3, 8));
  for (receiver* r : t.to) r->rate = 0;
  for (unsigned n = 0; n < 30; ++n) t.send(2, n % 3);
  t.b.reset();
  run(60);
  EXPECT_EQ(t.pool.level(), 8u);
  for (receiver* r : t.to) r->rate = 100;
  run(60);
  t.expect_all_delivered();
}

// Alike on both kernels, otherwise with another seed.
TEST_F(buffer_pool_test, draws_one_of_several_outputs_for_each_packet) {
  struct any_of_three final : routing {
    port_mask outputs(unsigned, unsigned, const flit&) const override { return 0b1011; }
  };
  std::vector<std::unique_ptr<pool_bench>> all;
  for (const auto& [k, seed] : {std::pair{kernel::fast, 1u}, {kernel::signals, 1u}, {kernel::fast, 2u}}) {
    buffer_pool_config c = pool_config(damq, 4, 8, 2);
    c.seed = seed;
    all.push_back(std::make_unique<pool_bench>(k, c, "b" + std::to_string(all.size()), 100, 100,
                                               std::make_shared<any_of_three>()));
    for (unsigned n = 0; n < 300; ++n) all.back()->send(n % 4, 0, 2);
    all.back()->b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(800);
  bool seeds_differ = false;
  for (unsigned o = 0; o < 4; ++o) {
    const auto& got = all[0]->to[o]->got;
    EXPECT_NEAR(static_cast<double>(got.size()), o == 2 ? 0 : 200, o == 2 ? 0 : 50)
        << "five standard deviations: 41 packets";
    EXPECT_EQ(got, all[1]->to[o]->got);
    seeds_differ |= got != all[2]->to[o]->got;
  }
  EXPECT_TRUE(seeds_differ);
  for (auto& t : all) EXPECT_TRUE(t->b.violations.empty()) << t->b.first_violation();
}

TEST_F(buffer_pool_test, isolates_outputs_by_partition) { EXPECT_EQ(get_past_flood(partition), 50u); }
TEST_F(buffer_pool_test, lets_one_output_fill_a_shared_pool) { EXPECT_EQ(get_past_flood(shared_pool), 0u); }

TEST_F(buffer_pool_test, serves_the_oldest_flit_first_if_told) {
  buffer_pool_config config = pool_config(voq, 4, 4);
  config.arbiter = [](unsigned) { return std::make_unique<oldest_first_arbiter>(); };
  pool_bench t(kernel::fast, config);
  t.to[0]->rate = 0;
  t.b.reset();
  // One flit an input, in the order 2 0 3 1, and a second round 3 2 1 0.
  const unsigned order[] = {2, 0, 3, 1, 3, 2, 1, 0};
  for (const unsigned i : order) {
    t.send(i, 0);
    run(5);
  }
  ASSERT_EQ(t.pool.level(), 8u);
  t.to[0]->rate = 100;
  run(20);
  std::vector<unsigned> left;
  for (const passage& p : t.to[0]->got) left.push_back(p.data.source);
  EXPECT_EQ(left, std::vector<unsigned>(std::begin(order), std::end(order)));
}

TEST(oldest_first, goes_on_where_the_cycles_of_arrival_begin_anew) {
  struct : contenders {
    const flit& front(unsigned) const override { return nothing; }
    std::uint32_t arrived(unsigned requester) const override { return cycles[requester]; }
    flit nothing;
    std::uint32_t cycles[3] = {3, 0xfffffffe, 0xffffffff};
  } around;
  oldest_first_arbiter arbiter;
  EXPECT_EQ(arbiter.grant(0b111, around), 1u);
  EXPECT_EQ(arbiter.grant(0b101, around), 2u);
}

TEST_F(buffer_pool_test, serves_who_was_served_least_recently_if_told) {
  buffer_pool_config config = pool_config(voq, 4, 8);
  config.arbiter = [](unsigned n) { return std::make_unique<least_recently_served_arbiter>(n); };
  pool_bench t(kernel::fast, config);
  t.b.reset();
  // Served last to first: 1, 3, 0, 2. Then all at once.
  for (const unsigned i : {2u, 0u, 3u, 1u}) {
    t.send(i, 0);
    run(5);
  }
  t.to[0]->rate = 0;
  t.send(3, 1), run(5);  // of another output: it does not count
  for (unsigned i = 0; i < 4; ++i) t.send(i, 0), t.send(i, 0);
  run(20);
  t.to[0]->rate = 100;
  run(30);
  std::vector<unsigned> left;
  for (const passage& p : t.to[0]->got) left.push_back(p.data.source);
  ASSERT_EQ(left.size(), 12u);
  // The first of the second round had been chosen when it came.
  left.erase(left.begin(), left.begin() + 5);
  std::vector<unsigned> expected{2, 0, 3, 1, 2, 0, 3, 1};
  expected.erase(std::find(expected.begin(), expected.end(), t.to[0]->got[4].data.source));
  EXPECT_EQ(left, expected);
}

TEST_F(buffer_pool_test, forgets_in_a_reset_who_was_served_least_recently) {
  buffer_pool_config config = pool_config(voq, 4, 8);
  config.arbiter = [](unsigned n) { return std::make_unique<least_recently_served_arbiter>(n); };
  pool_bench t(kernel::fast, config);
  t.b.reset();
  for (const unsigned i : {0u, 1u, 2u}) {
    t.send(i, 0);
    run(5);
  }
  t.b.reset();
  t.to[0]->got.clear();
  run(5);
  for (unsigned i = 0; i < 4; ++i) t.send(i, 0);
  run(20);
  std::vector<unsigned> left;
  for (const passage& p : t.to[0]->got) left.push_back(p.data.source);
  EXPECT_EQ(left, (std::vector<unsigned>{0, 1, 2, 3})) << "of new ones the lowest goes first";
}

TEST_F(buffer_pool_test, names_an_arbiter_that_chooses_who_has_nothing_to_send) {
  struct wrong final : arbiter {
    unsigned grant(std::uint64_t, const contenders&) override { return 3; }
  };
  buffer_pool_config config = pool_config(voq, 4, 4);
  config.arbiter = [](unsigned) { return std::make_unique<wrong>(); };
  pool_bench t(kernel::fast, config);
  t.send(1, 2);
  t.b.reset();
  try {
    run(20);
    ADD_FAILURE() << "accepted";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.get_msg()).find("the arbiter of output 2 has chosen requester 3"),
              std::string::npos)
        << report.get_msg();
  }
}

TEST_F(buffer_pool_test, serves_inputs_by_turns) {
  pool_bench t(kernel::fast, pool_config(voq, 4, 4));
  for (unsigned i = 0; i < 4; ++i)
    for (int n = 0; n < 40; ++n) t.send(i, 0);
  t.b.reset();
  run(100);
  const auto& got = t.to[0]->got;
  ASSERT_GT(got.size(), 80u);
  for (std::size_t n = 20; n + 4 < 80; ++n) EXPECT_EQ((got[n].data.source + 1) % 4, got[n + 1].data.source);
}

class packet_of : public sc_test, public testing::WithParamInterface<unsigned> {};

TEST_P(packet_of, another_length_than_the_pool_is_made_for_is_reported) {
  pool_bench t(kernel::fast, pool_config(fifo, 2, 4, 2));
  t.to[0]->rate = 0;
  t.from[0]->todo.push_back(make_flit(0, 0, 0, 0, GetParam()));
  t.b.reset();
  try {
    run(20);
    ADD_FAILURE() << "accepted";
  } catch (const sc_core::sc_report& report) {
    const std::string words = "a packet of " + std::to_string(GetParam()) +
                              " flits has come to input 0, expected 1 to 2 (packet_length)";
    EXPECT_NE(std::string(report.get_msg()).find(words), std::string::npos) << report.get_msg();
  }
}

INSTANTIATE_TEST_SUITE_P(flits, packet_of, testing::Values(0u, 3u, 6u));

TEST_F(buffer_pool_test, reports_a_packet_for_which_the_routing_has_no_output) {
  pool_bench t(kernel::fast, pool_config(fifo, 2, 4));
  t.send(0, 1), t.send(0, 70);
  t.b.reset();
  try {
    run(20);
    ADD_FAILURE() << "accepted";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), "spillway/routing");
  }
  EXPECT_EQ(t.to[1]->got.size(), 1u);
}

TEST_F(buffer_pool_test, reports_an_output_that_the_routing_allows_and_the_switch_does_not_have) {
  struct beyond final : routing {
    port_mask outputs(unsigned, unsigned, const flit&) const override { return port_mask{1} << 40; }
  };
  bench b(kernel::fast);
  auto& pool = b.make<buffer_pool>("pool", pool_config(fifo, 2, 4), 3u, std::make_shared<beyond>(),
                                   std::vector<link_end>(2));
  auto& from = b.make<sender>("from");
  const any_link in = b.bare_link("in"), spare = b.bare_link("spare"), out = b.bare_link("out"),
                 other = b.bare_link("other");
  from.out.bind(in), pool.in[0].bind(in), pool.in[1].bind(spare), pool.out[0].bind(out),
      pool.out[1].bind(other);
  from.add_packet(1, 1, 0);
  b.reset();
  EXPECT_NE(refusal([] { run(20); })
                .find("spillway/routing: a packet from terminal 1 to terminal 1 comes to input 0 of "
                      "switch 3, and the routing allows output 40 of 2 there"),
            std::string::npos);
}

TEST_F(buffer_pool_test, has_no_other_ports_than_its_own) {
  bench b(kernel::fast);
  auto& pool = b.make<buffer_pool>("pool", pool_config(fifo, 2, 4), 0u, std::make_shared<straight_routing>(),
                                   std::vector<link_end>(2));
  packet_link link(link_place{});
  EXPECT_THROW(pool.connect_input(2, link), std::out_of_range);
  EXPECT_THROW(pool.connect_output(7, link), std::out_of_range);
  auto config = pool_config(fifo, 2, 4);
  config.arbiter = [](unsigned) { return nullptr; };
  EXPECT_THROW(
      buffer_pool("none", config, 0u, std::make_shared<straight_routing>(), std::vector<link_end>(2)),
      std::invalid_argument);
}

TEST_F(buffer_pool_test, refuses_what_cannot_work) {
  const auto expect_refusal = [](const buffer_pool_config& c, const std::string& words) {
    try {
      c.check();
      ADD_FAILURE() << "accepted; expected: " << words;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  expect_refusal(pool_config(voq, 65, 4), "1 to 64 inputs");
  expect_refusal(pool_config(voq, 0, 4), "1 to 64 inputs");
  expect_refusal(pool_config(fifo, 2, 3, 4), "must hold a whole packet");
  expect_refusal(pool_config(fifo, 2, 3, 0), "at least 1 flit");
  expect_refusal(pool_config(voq, 64, 1000), "at most 65535");
  expect_refusal(pool_config(fifo, 1, 65536), "at most 65535 flits, found 65536");
  pool_config(fifo, 1, 65535).check();
  buffer_pool_config wide = pool_config(voq, 2, 4);
  wide.outputs = 65;
  expect_refusal(wide, "1 to 64 inputs and outputs, found 2 and 65");
  buffer_pool_config memory = pool_config(output_queues, 2, 4, 4);
  memory.memory_depth = 3;
  expect_refusal(memory, "a memory queue holds a whole packet");
  memory.memory_depth = 32768;
  expect_refusal(memory, "the memory queues of a switch at most 65535 flits: found a depth of 32768");
  for (const unsigned depth : {4u, 32767u}) {
    memory.memory_depth = depth;
    memory.check();
  }
  struct none final : buffer_admission {
    unsigned allowed(const pool_view&, unsigned, unsigned) const override { return 0; }
  };
  for (const pool_kind& kind : {voq, partition}) {
    buffer_pool_config admission = pool_config(kind, 2, 4);
    admission.admission = std::make_shared<none>();
    expect_refusal(admission, "needs a pool that the queues of all outputs share");
  }
  pool_config(voq, 1, 4).check();
  pool_config(voq, 64, 4).check();
}

TEST_F(buffer_pool_test, sleeps_while_nothing_comes) {
  pool_bench t(kernel::fast, pool_config(voq, 2, 4));
  for (unsigned p = 0; p < 10; ++p) t.send(0, 1), t.send(1, 1);
  t.b.reset();
  run(100);
  t.expect_all_delivered();
  // Senders and receivers are called at each edge.
  const std::uint64_t before = t.b.domain().calls();
  run(100);
  EXPECT_EQ(t.b.domain().calls() - before, 400u);
}
