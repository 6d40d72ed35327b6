#include <gtest/gtest.h>

#include <array>
#include <spillway/hw/hypercube/message_node.hpp>
#include <support/message_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Everything may leave by outputs 1 and 2.
class either_routing final : public routing {
public:
  port_mask outputs(unsigned, unsigned, const flit&) const override { return 6; }
};

struct hop_case {
  kernel k;
  unsigned buffers, unit;
};
void PrintTo(const hop_case& c, std::ostream* os) {
  *os << name_of(c.k) << ", " << c.buffers << " buffers, " << c.unit << " cycles";
}
struct message_node_hop : sc_test, testing::WithParamInterface<hop_case> {};

TEST_P(message_node_hop, takes_its_service_time_and_one_cycle_at_the_end) {
  chain t(GetParam().k, node_of(GetParam().unit, GetParam().buffers), 4);
  t.from[0]->add_packet(0, 3, 1);
  t.b.reset();
  run(3 * GetParam().unit + 20);
  ASSERT_EQ(t.to[3]->got.size(), 1u);
  EXPECT_EQ(t.to[3]->got[0].cycle, t.from[0]->sent[0].cycle + 3 * GetParam().unit + 1);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(message_node_hop, keeps_a_busy_link_at_its_rate) {
  chain t(GetParam().k, node_of(GetParam().unit, GetParam().buffers), 2);
  for (unsigned p = 0; p < 8; ++p) t.from[0]->add_packet(0, 1, p);
  t.b.reset();
  run(9 * GetParam().unit + 20);
  ASSERT_EQ(t.to[1]->got.size(), 8u);
  for (unsigned p = 1; p < 8; ++p) {
    EXPECT_EQ(t.to[1]->got[p].data.packet, p);  // FIFO
    EXPECT_EQ(t.to[1]->got[p].cycle, t.to[1]->got[p - 1].cycle + GetParam().unit);
  }
  counters all;
  t.node[0]->count(all);
  EXPECT_DOUBLE_EQ(all["node.busiest_link"], 8.0 * GetParam().unit / t.node[0]->cycle());
}

INSTANTIATE_TEST_SUITE_P(timing, message_node_hop,
                         testing::Values(hop_case{kernel::fast, 0, 1}, hop_case{kernel::signals, 0, 1},
                                         hop_case{kernel::fast, 0, 10}, hop_case{kernel::signals, 0, 10},
                                         hop_case{kernel::fast, 8, 2}, hop_case{kernel::signals, 8, 2},
                                         hop_case{kernel::fast, 8, 10}, hop_case{kernel::signals, 8, 10}));

struct traffic_case {
  kernel k;
  unsigned buffers;
  buffer_rule rule;
};
void PrintTo(const traffic_case& c, std::ostream* os) {
  *os << name_of(c.k) << ", " << c.buffers << " buffers, rule " << static_cast<unsigned>(c.rule);
}
struct message_node_traffic : sc_test, testing::WithParamInterface<traffic_case> {};

TEST_P(message_node_traffic, delivers_everything_once_through_few_buffers) {
  message_node_config config = node_of(3, GetParam().buffers);
  config.service.length = message_length::drawn;
  config.rule = GetParam().rule;
  chain t(GetParam().k, config, 5, 60, 40);
  for (unsigned p = 0; p < 60; ++p)
    for (unsigned n = 0; n < 5; ++n) t.from[n]->add_packet(n, (n + p) % 5, p);
  t.b.reset();
  for (unsigned step = 0; step < 60 && t.delivered() < 300; ++step) {
    run(100);
    for (const message_node* n : t.node)
      ASSERT_LE(n->level(), GetParam().buffers ? GetParam().buffers : 300u);
  }
  ASSERT_EQ(t.delivered(), 300u);
  std::array<unsigned, 5> of_source{};
  for (unsigned n = 0; n < 5; ++n)
    for (const passage& p : t.to[n]->got) {
      EXPECT_EQ(p.data.destination, n);
      EXPECT_EQ(p.data.payload, check_value(p.data));
      ++of_source[p.data.source];
    }
  for (const unsigned count : of_source) EXPECT_EQ(count, 60u);
  for (const message_node* n : t.node) EXPECT_EQ(n->level(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(buffers, message_node_traffic,
                         testing::Values(traffic_case{kernel::fast, 0, buffer_rule::hops},
                                         traffic_case{kernel::signals, 0, buffer_rule::hops},
                                         traffic_case{kernel::fast, 5, buffer_rule::hops},
                                         traffic_case{kernel::signals, 5, buffer_rule::hops},
                                         traffic_case{kernel::fast, 7, buffer_rule::hops_new_lowest}));

struct message_node_test : sc_test {};

TEST_F(message_node_test, same_deliveries_on_both_kernels) {
  message_node_config config = node_of(4, 6);
  config.service.length = message_length::drawn;
  config.rule = buffer_rule::hops;
  chain fast(kernel::fast, config, 4, 70, 50), signals(kernel::signals, config, 4, 70, 50);
  for (chain* t : {&fast, &signals}) {
    for (unsigned p = 0; p < 40; ++p)
      for (unsigned n = 0; n < 4; ++n) t->from[n]->add_packet(n, 3 - n, p);
    t->b.rst(true);
  }
  run(2);
  fast.b.rst(false), signals.b.rst(false);
  run(1500);
  for (unsigned n = 0; n < 4; ++n) {
    ASSERT_GE(signals.to[n]->got.size(), 20u);
    EXPECT_EQ(signals.to[n]->got, fast.to[n]->got);
  }
}

TEST_F(message_node_test, counts_what_a_reset_throws_away) {
  chain t(kernel::fast, node_of(50), 2);
  for (unsigned p = 0; p < 5; ++p) t.from[0]->add_packet(0, 1, p);
  t.b.reset();
  run(40);
  EXPECT_EQ(t.node[0]->level() + t.node[1]->level(), 5u);
  t.b.reset();
  EXPECT_EQ(t.node[0]->lost_in_reset() + t.node[1]->lost_in_reset(), 5u);
  EXPECT_EQ(t.node[0]->level() + t.node[1]->level(), 0u);
}

/// A node whose messages may leave by outputs 1 and 2, of which the first takes nothing if `stuck`.
std::array<std::size_t, 2> shares(output_choice choice, bool stuck) {
  bench b(kernel::fast);
  message_node_config config = node_of(4);
  config.choice = choice;
  config.outputs[1].rate = config.outputs[2].rate = stuck ? 1 : 100;
  auto& node = b.make<message_node>("node", config, 0u, std::make_shared<either_routing>(), 3u);
  auto& from = b.make<sender>("from");
  std::array<receiver*, 2> to{&b.make<receiver>("to_1", stuck ? 0u : 100u), &b.make<receiver>("to_2")};
  any_link in = b.link("in");
  from.out.bind(in), node.in[0].bind(in);
  for (const unsigned o : {1u, 2u}) {
    any_link out = b.link("out" + std::to_string(o)), silent = b.bare_link("silent" + std::to_string(o));
    node.out[o].bind(out), to[o - 1]->in.bind(out), node.in[o].bind(silent);
  }
  any_link host = b.bare_link("host");
  node.out[0].bind(host);
  for (unsigned p = 0; p < 400; ++p) from.add_packet(0, 1, p);
  b.reset();
  run(1700);
  return {to[0]->got.size(), to[1]->got.size()};
}

TEST_F(message_node_test, random_choice_takes_both_ways_alike) {
  const auto [first, second] = shares(output_choice::random, false);
  EXPECT_EQ(first + second, 400u);
  EXPECT_NEAR(static_cast<double>(first), 200, 50);  // 5 standard deviations
}

TEST_F(message_node_test, random_choice_does_not_look_at_queues) {
  EXPECT_NEAR(static_cast<double>(shares(output_choice::random, true)[1]), 200, 50);
}

TEST_F(message_node_test, shortest_queue_evens_the_queues_out) {
  // One message a cycle comes, one of four leaves by the open way: the queues grow alike.
  const auto [none, open] = shares(output_choice::shortest_queue, true);
  EXPECT_EQ(none, 0u);
  EXPECT_NEAR(static_cast<double>(open), 250, 8);
}

TEST_F(message_node_test, shortest_queue_takes_either_of_two_that_are_as_short) {
  // Both ways take what comes at once, so that no queue is ever longer than the other.
  const auto [first, second] = shares(output_choice::shortest_queue, false);
  EXPECT_EQ(first + second, 400u);
  EXPECT_NEAR(static_cast<double>(first), 200, 50);  // 5 standard deviations
}

/// Messages that a node with one buffer has taken from its neighbour and from its host, both always with one.
std::array<std::size_t, 2> granted(grant_order order) {
  bench b(kernel::fast);
  message_node_config config = node_of(4, 1);
  config.grants = order;
  auto& node = b.make<message_node>("node", config, 0u, std::make_shared<chain_routing>(), 3u);
  auto& neighbour = b.make<sender>("neighbour");
  auto& host = b.make<sender>("host");
  auto& to = b.make<receiver>("to");
  any_link in = b.link("in"), up = b.link("up"), out = b.link("out");
  host.out.bind(in), node.in[0].bind(in);
  neighbour.out.bind(up), node.in[1].bind(up);
  node.out[0].bind(out), to.in.bind(out);
  for (const unsigned o : {1u, 2u}) {
    any_link silent = b.bare_link("silent" + std::to_string(o));
    node.out[o].bind(silent);
  }
  any_link quiet = b.bare_link("quiet");
  node.in[2].bind(quiet);
  for (unsigned p = 0; p < 3000; ++p) neighbour.add_packet(1, 0, p), host.add_packet(0, 0, p);
  b.reset();
  run(2500);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
  return {neighbour.sent.size(), host.sent.size()};
}

TEST_F(message_node_test, random_grants_favour_nobody) {
  const auto [neighbour, host] = granted(grant_order::random);
  EXPECT_GT(neighbour + host, 400u);
  EXPECT_NEAR(static_cast<double>(neighbour) / static_cast<double>(neighbour + host), 0.5, 0.1);
}

TEST_F(message_node_test, grants_keep_to_their_order) {
  const auto [neighbour, host] = granted(grant_order::neighbours_first);
  EXPECT_GT(neighbour, 10 * host);
}

TEST_F(message_node_test, grants_can_favour_the_host) {
  const auto [neighbour, host] = granted(grant_order::host_first);
  EXPECT_GT(host, 10 * neighbour);
}

TEST(message_node_config, is_checked) {
  message_node_config good;
  good.inputs.resize(64), good.outputs.resize(64);
  good.hops = {0, 64};
  EXPECT_NO_THROW(good.check());
  const auto refused = [&good](auto&& spoil) {
    message_node_config config = good;
    spoil(config);
    EXPECT_THROW(config.check(), std::invalid_argument);
  };
  refused([](auto& c) { c.inputs.emplace_back(); });
  refused([](auto& c) { c.inputs[3].rate = 0; });
  refused([](auto& c) { c.outputs[3].rate = 0; });
  refused([](auto& c) { c.service.unit = 0; });
  refused([](auto& c) { c.hops.push_back(65); });
  refused([](auto& c) { c.buffers = 64; });
  good.buffers = 64, good.rule = buffer_rule::any;
  EXPECT_NO_THROW(good.check());
}

TEST(class_buffers, leave_low_ones_to_messages_that_have_far_to_go) {
  class_buffers pool(4, buffer_rule::hops);
  EXPECT_EQ(pool.find(0, false), 3u);
  EXPECT_EQ(pool.find(3, false), 0u);
  EXPECT_EQ(pool.find(3, true), 0u);
  EXPECT_EQ(pool.find(4, false), class_buffers::none);
  EXPECT_EQ(pool.find(1, false), 2u);
  pool.take(2);
  EXPECT_EQ(pool.find(1, false), 1u);
  pool.take(1), pool.take(0);
  EXPECT_EQ(pool.find(1, false), class_buffers::none);
  EXPECT_EQ(pool.find(0, false), 3u);
  EXPECT_EQ(pool.in_use(), 3u);
  pool.give_back(0);
  EXPECT_EQ(pool.find(3, false), 0u);
}

TEST(class_buffers, are_all_free_when_cleared) {
  class_buffers pool(4, buffer_rule::hops);
  pool.take(3), pool.take(0);
  pool.clear();
  EXPECT_EQ(pool.in_use(), 0u);
  EXPECT_EQ(pool.find(0, false), 3u);
  EXPECT_EQ(pool.find(3, false), 0u);
  EXPECT_EQ(pool.size(), 4u);
}

TEST(class_buffers, may_keep_new_messages_to_the_lowest) {
  class_buffers pool(4, buffer_rule::hops_new_lowest);
  EXPECT_EQ(pool.find(0, true), 0u);
  pool.take(0);
  EXPECT_EQ(pool.find(0, true), class_buffers::none);
  EXPECT_EQ(pool.find(0, false), 3u);
}

TEST(class_buffers, without_rule_all_are_alike) {
  const class_buffers pool(2, buffer_rule::any);
  EXPECT_EQ(pool.find(17, true), 1u);
  EXPECT_THROW(class_buffers(0, buffer_rule::any), std::invalid_argument);
}

TEST(message_service, draws_exponential_lengths) {
  message_service s;
  s.unit = 1000;
  double sum = 0, squares = 0;
  constexpr unsigned messages = 20000;
  for (unsigned p = 0; p < messages; ++p) {
    flit f = make_flit(1, 2, p);
    s.enter(f);
    EXPECT_EQ(f.payload, check_value(f));
    const double time = static_cast<double>(s.cycles(f, 2, 1));
    sum += time, squares += time * time;
  }
  const double mean = sum / messages;
  EXPECT_NEAR(mean, 500, 500 * 0.03);  // 4 standard deviations
  EXPECT_NEAR(squares / messages / (mean * mean), 2, 0.2);
}

TEST(message_service, a_link_that_hardly_transmits_takes_for_ever) {
  flit f;
  message_service{}.enter(f);
  EXPECT_EQ(message_service{}.cycles(f, 1e-30, 2), std::uint64_t{1} << 62);
}

TEST(message_service, a_message_keeps_its_length_or_draws_it_anew) {
  message_service kept, anew;
  kept.unit = anew.unit = 1000;
  anew.length = message_length::redrawn;
  unsigned same = 0;
  for (unsigned p = 0; p < 100; ++p) {
    flit f = make_flit(1, 2, p), on_3 = f, on_4 = f;
    kept.enter(f);
    flit later = f;
    kept.leave(later, 3);
    EXPECT_EQ(later, f);
    EXPECT_NEAR(static_cast<double>(kept.cycles(f, 1, 1)), 2.0 * static_cast<double>(kept.cycles(f, 2, 1)),
                2);
    anew.leave(on_3, 3), anew.leave(on_4, 4);
    same += anew.cycles(on_3, 1, 1) == anew.cycles(on_4, 1, 1);
    anew.leave(on_4, 3);
    EXPECT_EQ(on_3, on_4);
  }
  EXPECT_LT(same, 5u);
}

}  // namespace
