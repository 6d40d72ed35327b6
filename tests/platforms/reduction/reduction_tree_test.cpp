// Trees of contributions on graphs whose trees can be drawn by hand.
#include <gtest/gtest.h>

#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/reduction/reduction_tree.hpp>
#include <spillway/platforms/tree/xgft.hpp>

extern "C" int sc_main(int, char**) { return 0; }  // SystemC's library wants one

using namespace spillway;

namespace {

/// Every terminal's contribution comes to the root by parents and children that know of each other, and
/// nobody waits for anything else.
void expect_tree(const topology& shape, const reduction_tree& tree, unsigned group = 0, unsigned groups = 1) {
  const graph& g = shape.g;
  std::vector<port_mask> awaited(shape.switches.size());
  unsigned deepest = 0;
  for (std::size_t n = group; n < shape.terminals.size(); n += groups) {
    auto at = shape.terminals[n];
    for (unsigned hops = 0;; ++hops) {
      ASSERT_LE(hops, shape.switches.size()) << "a circle";
      const unsigned output = g[at].role == vertex::terminal ? 0 : *tree.switches[g[at].index].parent;
      auto next = at;
      for (auto [e, end] = out_edges(at, g); e != end; ++e)
        if (g[*e].from_port == output) {
          next = target(*e, g);
          awaited[g[next].index] |= port_mask{1} << g[*e].to_port;
        }
      ASSERT_NE(next, at) << "no link at the output";
      at = next;
      if (tree.switches[g[at].index].parent) continue;
      EXPECT_EQ(g[at].index, tree.root);
      deepest = std::max(deepest, hops + 1);
      break;
    }
  }
  EXPECT_EQ(deepest, tree.depth);
  for (std::size_t s = 0; s < awaited.size(); ++s) EXPECT_EQ(tree.switches[s].children, awaited[s]) << s;
}

unsigned in_tree(const reduction_tree& tree) {
  unsigned n = 0;
  for (const auto& s : tree.switches) n += s.children != 0;
  return n;
}

TEST(reduction_tree_test, of_a_fat_tree_has_its_root_at_the_top) {
  const topology shape = make_xgft(xgft_shape({4, 2, 3}, {2, 3}));
  const reduction_tree tree(shape, std::nullopt);
  expect_tree(shape, tree);
  EXPECT_EQ(tree.depth, 3u);
  EXPECT_EQ(in_tree(tree), 6u + 3u + 1u) << "one copy of the switches of each level";
  EXPECT_EQ(tree.switches[0].children, 0xfu);
}

TEST(reduction_tree_test, of_an_omega_network_has_its_root_in_the_last_stage) {
  const topology shape = make_omega(multistage_shape{2, 4});
  const reduction_tree tree(shape, std::nullopt);
  expect_tree(shape, tree);
  EXPECT_EQ(tree.depth, 4u);
  EXPECT_EQ(in_tree(tree), 8u + 4u + 2u + 1u);
}

TEST(reduction_tree_test, of_a_mesh_has_it_where_one_says) {
  const topology shape = make_mesh({5, 3});
  for (const unsigned root : {0u, 7u}) {
    const reduction_tree tree(shape, root);
    expect_tree(shape, tree);
    EXPECT_EQ(tree.root, root);
    EXPECT_EQ(tree.depth, root ? 4u : 7u);
    EXPECT_EQ(in_tree(tree), 15u);
  }
}

TEST(reduction_tree_test, of_a_group_has_its_terminals_alone_and_another_root) {
  const topology shape = make_xgft(xgft_shape({4, 2, 3}, {2, 3}));
  for (const unsigned groups : {2u, 3u, 24u})
    for (unsigned g = 0; g < groups; ++g) {
      const reduction_tree tree(shape, std::nullopt, g, groups);
      expect_tree(shape, tree, g, groups);
    }
  EXPECT_NE(reduction_tree(shape, std::nullopt, 0, 2).root, reduction_tree(shape, std::nullopt, 1, 2).root);
}

TEST(reduction_tree_test, is_refused_where_contributions_never_meet) {
  topology apart;
  for (unsigned i = 0; i < 2; ++i) apart.join(apart.add_terminal(), 0, apart.add_switch(0), 0);
  EXPECT_THROW(reduction_tree(apart, std::nullopt), std::invalid_argument);
  EXPECT_THROW(reduction_tree(apart, 1), std::invalid_argument);
  const topology omega = make_omega(multistage_shape{2, 2});
  EXPECT_THROW(reduction_tree(omega, 0), std::invalid_argument) << "a switch of the first stage";
  EXPECT_THROW(reduction_tree(omega, 4), std::invalid_argument) << "no such switch";
}

}  // namespace
