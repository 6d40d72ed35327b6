// Several groups in one switch that reduces: lanes of their own on the same links.
#include <gtest/gtest.h>

#include <spillway/hw/reduction/contribution.hpp>
#include <spillway/hw/reduction/reduction_switch.hpp>

#include "../wormhole/router_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;
using spillway::testing_support::kernel;

namespace {

std::uint32_t group_data(unsigned child, unsigned group, std::uint64_t round) {
  return static_cast<std::uint32_t>((child + 1) * 0x9e3779b9u + (group + 1) * 0x27d4eb2fu +
                                    round * 0x85ebca6bu);
}

/// Two children and a parent, in all of whose links each group has a lane. The parent adds 1000.
struct groups_bench {
  static constexpr unsigned children = 2;
  bench b;
  const unsigned groups;
  reduction_switch& node;
  std::vector<lane_sender*> from;
  std::vector<lane_receiver*> to;
  lane_receiver* up = nullptr;
  lane_sender* answers = nullptr;
  std::size_t seen = 0;

  static reduction_switch_config config_of(unsigned groups, unsigned rounds) {
    reduction_switch_config c;
    c.groups.assign(groups, {3, 1});
    c.rounds = rounds;
    return c;
  }
  groups_bench(kernel k, unsigned n, unsigned rounds, unsigned send = 100, unsigned take = 100)
      : b(k), groups(n), node(b.make<reduction_switch>("node", config_of(n, rounds))) {
    std::vector<reduction_checker*> rules;
    for (unsigned g = 0; g < n; ++g)
      rules.push_back(&b.make<reduction_checker>("rules" + std::to_string(g),
                                                 reduction_checker_config{"node", children, rounds, false, g},
                                                 b.collect()));
    const auto join = [&](const std::string& name, auto& sends, auto& takes, auto&& watch_of) {
      packet_checker_config lanes;
      lanes.lanes = n;
      const any_link l = b.link(name, lanes);
      sends.bind(l), takes.bind(l);
      for (reduction_checker* const r : rules) watch_of(*r).bind(l);
    };
    const any_link open_out = b.bare_link("open_out"), open_answer = b.bare_link("open_answer");
    node.out[0].bind(open_out), node.return_in[0].bind(open_answer);
    for (unsigned c = 0; c < children; ++c) {
      from.push_back(&b.make<lane_sender>("from" + std::to_string(c), send, 10 + c));
      to.push_back(&b.make<lane_receiver>("to" + std::to_string(c), n, take, 20 + c));
      join("in" + std::to_string(c), from[c]->out, node.in[c],
           [c](reduction_checker& r) -> packet_watch& { return r.contributions[c]; });
      join("back" + std::to_string(c), node.return_out[c], to[c]->in,
           [c](reduction_checker& r) -> packet_watch& { return r.results[c]; });
    }
    up = &b.make<lane_receiver>("up", n, take, 30);
    answers = &b.make<lane_sender>("answers", send, 31);
    join("up", node.out[1], up->in, [](reduction_checker& r) -> packet_watch& { return r.up[0]; });
    join("answer", answers->out, node.return_in[1],
         [](reduction_checker& r) -> packet_watch& { return r.answer[0]; });
  }
  void contribute(unsigned child, unsigned group, unsigned rounds, std::uint64_t first = 0) {
    for (std::uint64_t r = first; r < first + rounds; ++r) {
      flit f = make_flit(child, child, static_cast<std::uint32_t>(100 * group + r), 0, 1, group);
      f.kind = flit_kind::combinable;
      f.interface_word = word_of(reduction::sum);
      from[child]->todo[group].push_back(with_data(in_round(f, r), group_data(child, group, r)));
    }
  }
  void step(unsigned cycles) {
    for (; cycles; --cycles) {
      run(1);
      for (; seen < up->got.size(); ++seen) {
        const flit& f = up->got[seen].data;
        answers->todo[f.lane].push_back(with_data(f, data_of(f) + 1000));
      }
    }
  }
  /// Results of the group that have come to the child, each of which must be right.
  unsigned results(unsigned child, unsigned group) const {
    unsigned n = 0;
    for (const passage& p : to[child]->got)
      if (p.data.lane == group) {
        EXPECT_EQ(round_of(p.data), n);
        EXPECT_EQ(data_of(p.data), group_data(0, group, n) + group_data(1, group, n) + 1000) << group;
        ++n;
      }
    return n;
  }
};

class reduction_groups : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

// Group 0 of child 0 fills its place and its register, and waits for child 1.
TEST_P(reduction_groups, do_not_wait_for_each_other) {
  groups_bench t(GetParam(), 2, 1);
  t.contribute(0, 0, 3);
  t.b.reset();
  t.step(20);
  EXPECT_EQ(t.node.level(), 2u);
  for (unsigned c = 0; c < 2; ++c) t.contribute(c, 1, 5);
  t.step(120);
  for (unsigned c = 0; c < 2; ++c) {
    EXPECT_EQ(t.results(c, 0), 0u);
    EXPECT_EQ(t.results(c, 1), 5u);
  }
  t.contribute(1, 0, 3);
  t.step(80);
  for (unsigned c = 0; c < 2; ++c) EXPECT_EQ(t.results(c, 0), 3u);
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// A parent, and a child, that takes nothing of one group leaves the links to the other.
TEST_P(reduction_groups, pass_each_other_on_the_links) {
  groups_bench t(GetParam(), 2, 2);
  t.up->stopped = 1;
  for (unsigned g = 0; g < 2; ++g)
    for (unsigned c = 0; c < 2; ++c) t.contribute(c, g, 60);
  t.b.reset();
  t.step(60);
  EXPECT_EQ(t.results(0, 0), 0u);
  const unsigned before = t.results(0, 1);
  EXPECT_GT(before, 8u);
  t.up->stopped = 0, t.to[0]->stopped = 2;
  t.step(60);
  EXPECT_GT(t.results(0, 0), 8u);
  EXPECT_LE(t.results(0, 1), before + 1);
  EXPECT_LT(before, 50u);
  t.to[0]->stopped = 0;
  t.step(600);
  for (unsigned g = 0; g < 2; ++g)
    for (unsigned c = 0; c < 2; ++c) EXPECT_EQ(t.results(c, g), 60u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(reduction_groups, have_a_link_by_turns) {
  groups_bench t(GetParam(), 3, 8);
  for (unsigned g = 0; g < 3; ++g)
    for (unsigned c = 0; c < 2; ++c) t.contribute(c, g, 200);
  t.b.reset();
  t.step(200);
  std::vector<unsigned> sent(3);
  for (const passage& p : t.up->got) ++sent[p.data.lane];
  for (const unsigned n : sent) EXPECT_NEAR(n, t.up->got.size() / 3.0, 5) << t.up->got.size();
  EXPECT_GT(t.up->got.size(), 60u);
}

TEST_P(reduction_groups, with_few_places_and_who_stalls_give_every_result) {
  groups_bench t(GetParam(), 5, 2, 60, 50);
  for (unsigned g = 0; g < 5; ++g)
    for (unsigned c = 0; c < 2; ++c) t.contribute(c, g, 60);
  t.b.reset();
  t.step(3000);
  for (unsigned g = 0; g < 5; ++g)
    for (unsigned c = 0; c < 2; ++c) EXPECT_EQ(t.results(c, g), 60u) << g;
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  counters all;
  t.node.count(all);
  EXPECT_EQ(all["reduction.merged"], 300.0);
}

TEST_P(reduction_groups, all_forget_in_a_reset_and_begin_at_round_0) {
  groups_bench t(GetParam(), 3, 4);
  for (unsigned g = 0; g < 3; ++g) t.contribute(0, g, 2);
  t.b.reset();
  t.step(20);
  EXPECT_EQ(t.node.level(), 6u);
  t.b.reset();
  EXPECT_EQ(t.node.level(), 0u);
  for (unsigned g = 0; g < 3; ++g)
    for (unsigned c = 0; c < 2; ++c) t.contribute(c, g, 5);
  t.step(120);
  for (unsigned g = 0; g < 3; ++g)
    for (unsigned c = 0; c < 2; ++c) EXPECT_EQ(t.results(c, g), 5u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// Both groups are complete in one cycle, when their second contributions come. The turn was the second's.
TEST_P(reduction_groups, have_turns_from_the_first_on_after_a_reset) {
  groups_bench t(GetParam(), 2, 4);
  for (unsigned c = 0; c < 2; ++c) t.contribute(c, 0, 1);
  t.b.reset();
  t.step(20);
  ASSERT_EQ(t.up->got.size(), 1u);
  t.b.reset();
  t.contribute(0, 0, 1), t.contribute(1, 1, 1);
  t.step(4);
  t.contribute(0, 1, 1), t.contribute(1, 0, 1);
  t.step(20);
  ASSERT_EQ(t.up->got.size(), 3u);
  EXPECT_EQ(t.up->got[1].data.lane, 0u);
  EXPECT_EQ(t.up->got[2].data.lane, 1u);
}

TEST_P(reduction_groups, take_contributions_of_children_alone) {
  bench b(GetParam());
  reduction_switch_config config = groups_bench::config_of(2, 2);
  config.groups[1].children = 1;
  auto& node = b.make<reduction_switch>("node", config);
  std::vector<any_link> links;
  const auto tie = [&](auto& row, const std::string& name) {
    for (unsigned p = 0; p < 2; ++p) {
      links.push_back(b.bare_link(name + std::to_string(p)));
      row[p].bind(links.back());
    }
  };
  tie(node.in, "in"), tie(node.out, "out"), tie(node.return_in, "answer"), tie(node.return_out, "back");
  b.reset();
  run(3);
  EXPECT_EQ(links[0].ready.read(), 3u);
  EXPECT_EQ(links[1].ready.read(), 1u) << "input 1 is no child of group 1";
  EXPECT_EQ(links[5].ready.read(), 3u) << "the parent answers both";
}

TEST_P(reduction_groups, have_no_checkers_before_their_ports_are_connected) {
  bench b(GetParam());
  auto& node = b.make<reduction_switch>("node", groups_bench::config_of(2, 2));
  EXPECT_THROW(b.checkers_of(node), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(kernels, reduction_groups, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
