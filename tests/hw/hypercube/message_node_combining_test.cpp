// Combining in message nodes: a chain of them, whose terminals all have messages for the one in the middle.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <support/message_bench.hpp>
#include <tuple>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr unsigned nodes = 5, hot = 2, each = 120;

flit request(unsigned source, unsigned packet, unsigned destination, flit_kind kind) {
  flit f = make_flit(source, destination, packet);
  f.kind = kind;
  f.payload = check_value(f);
  return f;
}

flit reply_to(const flit& asked) {
  flit f = request(asked.destination, asked.packet, asked.source, flit_kind::reply);
  f.network = 1;
  f.interface_word = asked.interface_word;
  return f;
}

message_node_config draw_node(dice& d) {
  message_node_config config = node_of(3, d.percent(50) ? 0 : d.between(nodes, 8));
  config.rule = buffer_rule::hops;
  config.service.length = message_length::drawn;
  config.combining.emplace();
  config.combining->degree = d.below(4);
  config.combining->records = d.below(4);
  config.combining->in_service = d.percent(30);
  config.combining->data_tell = false;
  config.combining->ordered = false;
  return config;
}

struct counting_observer : endpoint_observer {
  std::uint64_t merges = 0, splits = 0;
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
  void combined(std::uint64_t, const flit&, const flit&) override { ++merges; }
  void split(std::uint64_t, const flit&, const flit&) override { ++splits; }
};

/// A chain whose terminals answer what comes.
struct answering_chain {
  counting_observer book;
  chain net;
  std::vector<std::size_t> seen = std::vector<std::size_t>(nodes);
  std::vector<std::unique_ptr<clocked>> checkers;

  answering_chain(kernel k, const message_node_config& config, dice& d, const std::string& name = "bench")
      : net(k, config, nodes, 100, d.between(40, 100), name) {
    for (message_node* const n : net.node) {
      n->observe(book);
      for (auto& checker : net.b.checkers_of(*n)) checkers.push_back(std::move(checker));
    }
    for (unsigned n = 0; n < nodes; ++n)
      for (unsigned p = 0; p < each; ++p) {
        const bool combinable = d.percent(70);
        net.from[n]->todo.push_back(request(n, p, combinable ? hot : d.below(nodes),
                                            combinable ? flit_kind::combinable : flit_kind::data));
      }
  }
  void answer() {
    for (unsigned n = 0; n < nodes; ++n)
      for (; seen[n] < net.to[n]->got.size(); ++seen[n]) {
        const flit& f = net.to[n]->got[seen[n]].data;
        if (f.kind != flit_kind::reply) net.from[n]->todo.push_back(reply_to(f));
      }
  }
  void step(unsigned cycles) {
    for (; cycles; --cycles) {
      run(1);
      answer();
    }
  }
  std::size_t level() const {
    std::size_t held = 0;
    for (const message_node* n : net.node) held += n->level();
    return held;
  }
  std::size_t lost() const {
    std::size_t lost = 0;
    for (const message_node* n : net.node) lost += n->lost_in_reset();
    return lost;
  }
  /// Replies, each of which must be to a request that is sent and not yet answered.
  std::size_t check_replies() const {
    std::set<std::pair<unsigned, unsigned>> sent, answered;
    for (unsigned n = 0; n < nodes; ++n)
      for (const passage& p : net.from[n]->sent)
        if (p.data.kind != flit_kind::reply) {
          EXPECT_TRUE(sent.insert({n, p.data.packet}).second);
        }
    for (unsigned n = 0; n < nodes; ++n)
      for (const passage& p : net.to[n]->got) {
        EXPECT_EQ(p.data.destination, n);
        EXPECT_EQ(p.data.payload, check_value(p.data));
        if (p.data.kind != flit_kind::reply) continue;
        EXPECT_EQ(p.data.interface_word, 0u) << "its way is over";
        EXPECT_TRUE(sent.count({n, p.data.packet}));
        EXPECT_TRUE(answered.insert({n, p.data.packet}).second) << p.data << " a second time";
      }
    return answered.size();
  }
};

using draw_case = std::tuple<kernel, unsigned>;
class message_node_combining : public sc_test, public testing::WithParamInterface<draw_case> {};

}  // namespace

TEST_P(message_node_combining, gives_every_request_exactly_one_reply) {
  const auto [k, seed] = GetParam();
  dice d(seed);
  const message_node_config config = draw_node(d);
  answering_chain t(k, config, d);
  t.net.b.reset();
  for (unsigned step = 0; step < 60 && t.check_replies() < nodes * each; ++step) t.step(200);
  EXPECT_EQ(t.check_replies(), nodes * each);
  EXPECT_EQ(t.level(), 0u);
  EXPECT_EQ(t.lost(), 0u);
  EXPECT_EQ(t.book.merges, t.book.splits);
  EXPECT_EQ(t.book.merges > 0, config.combining->degree != 1);
  counters all;
  for (const message_node* n : t.net.node) n->count(all);
  if (config.combining->records) {
    EXPECT_LE(all["combining.most_records"], config.combining->records);
  }
  EXPECT_TRUE(t.net.b.violations.empty()) << t.net.b.first_violation();
}

TEST_P(message_node_combining, counts_what_a_reset_throws_away) {
  const auto [k, seed] = GetParam();
  dice d(seed + 50);
  const message_node_config config = draw_node(d);
  answering_chain t(k, config, d);
  t.net.b.reset();
  t.step(200 + d.below(200));
  t.net.b.rst(true);
  run(1);
  std::size_t requests = 0, at_terminals = 0;
  for (unsigned n = 0; n < nodes; ++n) {
    std::size_t arrived = 0, replies_sent = 0;
    for (const passage& p : t.net.from[n]->sent)
      (p.data.kind == flit_kind::reply ? replies_sent : requests) += 1;
    for (const passage& p : t.net.to[n]->got) arrived += p.data.kind != flit_kind::reply;
    at_terminals += arrived - replies_sent;
    auto& todo = t.net.from[n]->todo;
    for (auto f = todo.begin(); f != todo.end();) f = f->kind == flit_kind::reply ? todo.erase(f) : f + 1;
    t.seen[n] = t.net.to[n]->got.size();
  }
  EXPECT_GT(t.lost(), 0u);
  EXPECT_EQ(t.level(), 0u);
  const std::size_t gone = t.lost() + at_terminals;
  EXPECT_EQ(requests, t.check_replies() + gone);
  t.net.b.rst(false);
  t.step(12000);
  EXPECT_EQ(t.check_replies() + gone, nodes * each);
  EXPECT_TRUE(t.net.b.violations.empty()) << t.net.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(draws, message_node_combining,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::Range(1u, 9u)));

class message_node_combining_kernels : public sc_test, public testing::WithParamInterface<unsigned> {};

TEST_P(message_node_combining_kernels, do_the_same_cycle_by_cycle) {
  dice one(GetParam()), other(GetParam());
  const message_node_config config = draw_node(one);
  draw_node(other);
  answering_chain signals(kernel::signals, config, one, "signals"), fast(kernel::fast, config, other, "fast");
  for (answering_chain* const t : {&signals, &fast}) t->net.b.rst(true);
  run(2);
  for (answering_chain* const t : {&signals, &fast}) t->net.b.rst(false);
  for (unsigned c = 0; c < 8000; ++c) {
    run(1);
    signals.answer();
    fast.answer();
  }
  EXPECT_GT(signals.check_replies(), nodes * each / 2);
  for (unsigned n = 0; n < nodes; ++n) EXPECT_EQ(signals.net.to[n]->got, fast.net.to[n]->got);
}

INSTANTIATE_TEST_SUITE_P(draws, message_node_combining_kernels, testing::Range(1u, 5u));

TEST(return_way_test, leads_back_through_the_nodes_by_the_ports_that_it_came_by) {
  dice d(3);
  for (unsigned trial = 0; trial < 200; ++trial) {
    std::vector<return_way> passed;
    std::vector<unsigned> came_by;
    flit f;
    return_way::begin(f);
    for (unsigned n = d.below(12); n > 0; --n) {
      std::vector<unsigned> ports;
      for (unsigned port = d.below(3); ports.size() < d.between(1, 8); ++port) ports.push_back(port);
      passed.emplace_back(ports);
      came_by.push_back(ports[d.below(static_cast<unsigned>(ports.size()))]);
      passed.back().add(f, came_by.back());
      EXPECT_FALSE(return_way::is_over(f));
    }
    for (; !passed.empty(); passed.pop_back(), came_by.pop_back())
      EXPECT_EQ(passed.back().take(f), came_by.back());
    EXPECT_TRUE(return_way::is_over(f));
  }
}

TEST(return_way_test, is_as_long_as_it_says) {
  for (const unsigned ports : {1u, 2u, 3u, 8u, 11u, 63u}) {
    std::vector<unsigned> all;
    for (unsigned port = 0; port < ports; ++port) all.push_back(port);
    const return_way node(all);
    flit f;
    return_way::begin(f);
    for (unsigned n = 0; n < return_way::longest(ports); ++n) node.add(f, ports - 1);
    EXPECT_THROW(node.add(f, ports - 1), std::logic_error) << ports;
  }
  EXPECT_EQ(return_way::longest(11), 11u) << "a hypercube of 2,048 passed";
}
