// The switch that reduces, at its pins: values, waiting for all children, bounds, resets, both kernels.
#include <gtest/gtest.h>

#include <spillway/hw/reduction/contributor.hpp>
#include <spillway/hw/reduction/reduction_switch.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

#include "contributions.hpp"

using namespace spillway;
using namespace spillway::testing_support;
using spillway::testing_support::kernel;

namespace {

/// A switch with children before it and, unless it is the root, a parent, which adds `extra` to the partial
/// result and answers in order.
struct reducing_bench {
  bench b;
  reduction_switch& node;
  std::vector<sender*> children;
  std::vector<receiver*> results;
  sender* answers = nullptr;
  receiver* up = nullptr;
  std::size_t seen = 0;
  std::vector<std::unique_ptr<clocked>> checkers;
  static constexpr std::uint32_t extra = 1000;

  static reduction_switch_config config_of(unsigned children, bool root, unsigned rounds) {
    reduction_switch_config c;
    c.inputs = children + 1;  // the first is not in the tree
    c.outputs = 2;
    c.groups[0].children = (port_mask{2} << children) - 2;
    if (!root) c.groups[0].parent = 1;
    c.terminals = c.groups[0].children;
    c.rounds = rounds;
    return c;
  }

  reducing_bench(kernel k, unsigned n, bool root, unsigned rounds = 4, unsigned send = 100,
                 unsigned take = 100, const std::string& name = "bench")
      : b(k, name), node(b.make<reduction_switch>("node", config_of(n, root, rounds))) {
    std::uint32_t seed = 1;
    const auto tie = [&](const std::string& wires, auto& pins) {
      const any_link l = b.bare_link(wires);
      pins.bind(l);
    };
    tie("open_in", node.in[0]), tie("open_back", node.return_out[0]);
    tie("open_out", node.out[0]), tie("open_answer", node.return_in[0]);
    auto& checker =
        b.make<reduction_checker>("rules", reduction_checker_config{"node", n, rounds, root}, b.collect());
    const auto join = [&](const std::string& wires, auto& from, auto& to, packet_watch& watch) {
      const any_link l = b.link(wires);
      from.bind(l), to.bind(l), watch.bind(l);
    };
    for (unsigned i = 0; i < n; ++i) {
      const std::string number = std::to_string(i);
      children.push_back(&b.make<sender>("child" + number, send, ++seed));
      results.push_back(&b.make<receiver>("result" + number, take, ++seed));
      join("in" + number, children[i]->out, node.in[i + 1], checker.contributions[i]);
      join("back" + number, node.return_out[i + 1], results[i]->in, checker.results[i]);
    }
    if (root) {
      tie("up", node.out[1]), tie("answer", node.return_in[1]);
      return;
    }
    up = &b.make<receiver>("up", take, ++seed);
    answers = &b.make<sender>("answers", send, ++seed);
    join("up", node.out[1], up->in, checker.up[0]);
    join("answer", answers->out, node.return_in[1], checker.answer[0]);
  }

  void contribute(unsigned rounds, std::uint64_t first = 0, reduction how = reduction::sum) {
    for (unsigned c = 0; c < children.size(); ++c)
      for (std::uint64_t r = first; r < first + rounds; ++r)
        children[c]->todo.push_back(contribution(c, r, how));
  }
  void step(unsigned cycles) {
    for (; cycles; --cycles) {
      run(1);
      if (up)
        for (; seen < up->got.size(); ++seen)
          answers->todo.push_back(with_data(up->got[seen].data, data_of(up->got[seen].data) + extra));
    }
  }
  /// Every child has the results of so many rounds from `first` on, and no more after what it had before.
  void expect_results(std::size_t before, std::uint64_t first, unsigned rounds,
                      reduction how = reduction::sum) const {
    for (unsigned c = 0; c < children.size(); ++c) {
      ASSERT_EQ(results[c]->got.size(), before + rounds) << "child " << c;
      for (unsigned r = 0; r < rounds; ++r) {
        const std::uint64_t round = first + r;
        const std::uint32_t value =
            expected(how, static_cast<unsigned>(children.size()), round) + (up ? extra : 0);
        EXPECT_EQ(results[c]->got[before + r].data, with_data(contribution(c, round, how), value))
            << "child " << c << " round " << round;
      }
    }
  }
};

class reducing_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST(reduction_switch_config_test, names_what_is_wrong) {
  reduction_switch_config config;
  EXPECT_NO_THROW(config.check());
  config.groups[0].children = 4;
  EXPECT_THROW(config.check(), std::invalid_argument);
  config = {}, config.rounds = 0;
  EXPECT_THROW(config.check(), std::invalid_argument);
  config = {}, config.groups[0].parent = 2;
  EXPECT_THROW(config.check(), std::invalid_argument);
  for (const std::size_t groups : {0u, 65u}) {
    config = {}, config.groups.resize(groups);
    EXPECT_THROW(config.check(), std::invalid_argument) << groups;
  }
  for (unsigned reduction_switch_config::*const ports :
       {&reduction_switch_config::inputs, &reduction_switch_config::outputs})
    for (const unsigned wrong : {0u, 65u}) {
      config = {}, config.*ports = wrong;
      EXPECT_THROW(config.check(), std::invalid_argument) << wrong;
    }
}

TEST_P(reducing_on, the_root_waits_for_all_and_gives_all_the_result) {
  reducing_bench t(GetParam(), 3, true);
  for (unsigned c = 0; c < 2; ++c) t.children[c]->todo.push_back(contribution(c, 0));
  t.b.reset();
  t.step(20);
  for (const receiver* const r : t.results) EXPECT_TRUE(r->got.empty()) << "one is missing";
  EXPECT_EQ(t.node.level(), 2u);
  t.children[2]->todo.push_back(contribution(2, 0));
  t.step(10);
  t.expect_results(0, 0, 1);
  for (const receiver* const r : t.results)
    EXPECT_EQ(r->got[0].cycle, t.children[2]->sent[0].cycle + 1) << "one cycle after the last came";
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_EQ(t.b.first_violation(), "");
}

TEST_P(reducing_on, a_node_takes_a_cycle_up_and_a_cycle_down) {
  reducing_bench t(GetParam(), 4, false);
  t.contribute(1);
  t.b.reset();
  t.step(12);
  ASSERT_EQ(t.up->got.size(), 1u) << "one contribution for four";
  EXPECT_EQ(t.up->got[0].data, with_data(contribution(0, 0), expected(reduction::sum, 4, 0)));
  EXPECT_EQ(t.up->got[0].cycle, t.children[0]->sent[0].cycle + 1);
  t.expect_results(0, 0, 1);
  for (const receiver* const r : t.results) EXPECT_EQ(r->got[0].cycle, t.answers->sent[0].cycle + 1);
  EXPECT_EQ(t.b.first_violation(), "");
}

TEST_P(reducing_on, a_node_sends_nothing_before_all_have_contributed) {
  reducing_bench t(GetParam(), 3, false);
  for (unsigned c = 0; c < 2; ++c) t.children[c]->todo.push_back(contribution(c, 0));
  t.b.reset();
  t.step(20);
  EXPECT_TRUE(t.up->got.empty());
  t.children[2]->todo.push_back(contribution(2, 0));
  t.step(10);
  t.expect_results(0, 0, 1);
  EXPECT_EQ(t.b.first_violation(), "");
}

TEST_P(reducing_on, computes_minimum_and_maximum) {
  reducing_bench t(GetParam(), 5, true, 8);
  t.contribute(20, 0, reduction::minimum);
  t.contribute(20, 20, reduction::maximum);
  t.b.reset();
  t.step(100);
  for (unsigned c = 0; c < 5; ++c) {
    ASSERT_EQ(t.results[c]->got.size(), 40u);
    for (unsigned r = 0; r < 40; ++r) {
      const reduction how = r < 20 ? reduction::minimum : reduction::maximum;
      EXPECT_EQ(data_of(t.results[c]->got[r].data), expected(how, 5, r)) << r;
    }
  }
  EXPECT_EQ(t.b.first_violation(), "");
}

TEST_P(reducing_on, takes_a_round_a_cycle) {
  reducing_bench t(GetParam(), 3, true, 2);
  t.contribute(50);
  t.b.reset();
  t.step(60);
  t.expect_results(0, 0, 50);
  EXPECT_EQ(t.results[0]->got.back().cycle - t.results[0]->got.front().cycle, 49u);
}

TEST_P(reducing_on, what_has_no_place_waits_before_the_switch) {
  reducing_bench t(GetParam(), 2, true, 3);
  for (unsigned r = 0; r < 10; ++r) t.children[0]->todo.push_back(contribution(0, r));
  t.b.reset();
  t.step(40);
  EXPECT_EQ(t.children[0]->sent.size(), 4u) << "three in the table, one in the register";
  EXPECT_EQ(t.node.level(), 4u);
  EXPECT_LE(t.node.level(), t.node.capacity());
  for (unsigned r = 0; r < 10; ++r) t.children[1]->todo.push_back(contribution(1, r));
  t.step(60);
  t.expect_results(0, 0, 10);
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_EQ(t.b.first_violation(), "");
}

TEST_P(reducing_on, a_child_that_takes_no_results_holds_up_only_what_has_no_place) {
  reducing_bench t(GetParam(), 2, true, 3);
  t.results[1]->rate = 0;
  t.contribute(10);
  t.b.reset();
  t.step(60);
  EXPECT_EQ(t.results[0]->got.size(), 3u) << "as many as the table has places for";
  EXPECT_TRUE(t.results[1]->got.empty());
  t.results[1]->rate = 100;
  t.step(60);
  t.expect_results(0, 0, 10);
}

TEST_P(reducing_on, a_second_contribution_to_a_round_is_an_error) {
  reducing_bench t(GetParam(), 2, true, 3);
  t.children[0]->todo = {contribution(0, 0), contribution(0, 0)};
  t.b.reset();
  EXPECT_NE(refusal<sc_core::sc_report>([&] { t.step(20); }).find("a second contribution to a round"),
            std::string::npos);
}
TEST_P(reducing_on, a_contribution_to_a_round_that_is_over_is_an_error) {
  reducing_bench t(GetParam(), 2, true, 3);
  t.contribute(1);
  t.b.reset();
  t.step(20);
  t.expect_results(0, 0, 1);
  t.children[0]->todo = {contribution(0, 0)};
  EXPECT_NE(refusal<sc_core::sc_report>([&] { t.step(20); }).find("a contribution to a round that is over"),
            std::string::npos);
}

namespace {

void reset_in_the_middle(kernel k, bool root) {
  reducing_bench t(k, 3, root, 4, 100, 40);
  t.contribute(30);
  for (unsigned r = 0; r < 5; ++r) t.children[2]->todo.pop_back();
  t.b.reset();
  t.step(37);
  t.b.rst(true);
  run(1);
  std::size_t in = 0, out = 0;
  for (sender* const c : t.children) in += c->sent.size(), c->todo.clear();
  for (receiver* const r : t.results) out += r->got.size(), r->got.clear();
  if (!root) {
    in += t.answers->sent.size(), out += t.up->got.size();
    t.answers->todo.clear();
    t.seen = t.up->got.size();
  }
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_GT(t.node.lost_in_reset(), 0u);
  EXPECT_EQ(in, out + t.node.lost_in_reset());
  t.contribute(20);
  t.b.rst(false);
  t.step(300);
  t.expect_results(0, 0, 20);
  EXPECT_EQ(t.b.first_violation(), "");
}

}  // namespace

TEST_P(reducing_on, a_root_forgets_all_in_a_reset_and_begins_at_round_0) {
  reset_in_the_middle(GetParam(), true);
}
TEST_P(reducing_on, a_node_forgets_all_in_a_reset_and_begins_at_round_0) {
  reset_in_the_middle(GetParam(), false);
}

namespace {

/// Six contributions, one after the other; from that number on they are for another terminal, or of that
/// kind.
struct asked_supply final : packet_supply {
  unsigned made = 0, wrong_from;
  flit_kind wrong;
  asked_supply(unsigned from, flit_kind kind) : wrong_from(from), wrong(kind) {}
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    return made < 6 && !backlog ? now : never;
  }
  packet_order take(std::uint64_t) override {
    packet_order o;
    o.destination = made < wrong_from || wrong != flit_kind::combinable ? 3 : 4;
    o.kind = made < wrong_from ? flit_kind::combinable : wrong;
    o.interface_word = word_of(reduction::maximum);
    o.data = 7 * made++;
    return o;
  }
};

struct contributor_bench {
  struct nobody final : endpoint_observer {
    void created(std::uint64_t, const flit&) override {}
    void injected(std::uint64_t, const flit&) override {}
    void delivered(std::uint64_t, unsigned, const flit&) override {}
  } observer;
  bench b;
  contributor& from;
  receiver& to;
  contributor_bench(kernel k, unsigned wrong_from, flit_kind wrong = flit_kind::combinable)
      : b(k),
        from(b.make<contributor>("from", 0u, 1u, 3u, std::make_unique<asked_supply>(wrong_from, wrong),
                                 observer, nullptr, link_end{})),
        to(b.make<receiver>("to", 50)) {
    const any_link l = b.link("l");
    from.out.bind(l), to.in.bind(l);
    b.reset();
  }
};

}  // namespace

TEST_P(reducing_on, a_contributor_numbers_rounds_from_0_on_also_after_a_reset) {
  contributor_bench t(GetParam(), 6);
  while (t.to.got.size() < 3) run(1);
  t.b.reset();
  const std::size_t before = t.to.got.size();
  run(40);
  ASSERT_GE(t.to.got.size(), before + 2);
  for (std::size_t i = 0; i < t.to.got.size(); ++i) {
    const flit& f = t.to.got[i].data;
    EXPECT_EQ(round_of(f), i < before ? i : i - before);
    EXPECT_EQ(reduction_of(f), reduction::maximum);
    EXPECT_EQ(data_of(f) % 7, 0u);
    EXPECT_EQ(f.payload, check_value(f));
  }
}
TEST_P(reducing_on, a_contributor_refuses_what_is_no_contribution) {
  contributor_bench t(GetParam(), 4);
  EXPECT_THROW(run(60), sc_core::sc_report);
  EXPECT_LE(t.to.got.size(), 4u);
}
TEST_P(reducing_on, a_contributor_refuses_packets_of_another_kind) {
  contributor_bench t(GetParam(), 4, flit_kind::data);
  EXPECT_THROW(run(60), sc_core::sc_report);
  EXPECT_LE(t.to.got.size(), 4u);
}

INSTANTIATE_TEST_SUITE_P(kernels, reducing_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

class reducing_random : public sc_test, public testing::WithParamInterface<std::tuple<kernel, unsigned>> {};

TEST_P(reducing_random, every_child_gets_every_result_once_and_in_order) {
  const auto [k, seed] = GetParam();
  dice d(seed);
  const unsigned children = d.between(1, 6), rounds = d.between(1, 9);
  reducing_bench t(k, children, d.percent(50), rounds, d.between(30, 100), d.between(30, 100));
  t.contribute(200);
  t.b.reset();
  t.step(4000);
  t.expect_results(0, 0, 200);
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_EQ(t.b.first_violation(), "");
  counters all;
  t.node.count(all);
  EXPECT_EQ(all["reduction.merged"], 200.0 * (children - 1));
  EXPECT_LE(all["reduction.most_rounds"], rounds);
}

INSTANTIATE_TEST_SUITE_P(draws, reducing_random,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::Range(1u, 9u)),
                         [](const auto& p) {
                           return name_of(std::get<0>(p.param)) + std::to_string(std::get<1>(p.param));
                         });

class reducing_kernels : public sc_test, public testing::WithParamInterface<unsigned> {};

TEST_P(reducing_kernels, both_do_the_same_cycle_by_cycle) {
  const bool root = GetParam() % 2;
  reducing_bench signals(kernel::signals, 3, root, 3, 70, 60, "signals"),
      fast(kernel::fast, 3, root, 3, 70, 60, "fast");
  for (reducing_bench* const t : {&signals, &fast}) t->contribute(100), t->b.rst(true);
  run(2);
  for (reducing_bench* const t : {&signals, &fast}) t->b.rst(false);
  for (unsigned c = 0; c < 1500; ++c) {
    fast.step(0);
    signals.step(1);
    if (fast.up)
      for (; fast.seen < fast.up->got.size(); ++fast.seen)
        fast.answers->todo.push_back(with_data(
            fast.up->got[fast.seen].data, data_of(fast.up->got[fast.seen].data) + reducing_bench::extra));
  }
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(signals.results[i]->got.size(), 100u);
    EXPECT_EQ(signals.results[i]->got, fast.results[i]->got);
  }
}

INSTANTIATE_TEST_SUITE_P(draws, reducing_kernels, testing::Range(0u, 4u));
