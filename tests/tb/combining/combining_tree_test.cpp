#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <spillway/tb/combining/combining_tree.hpp>
#include <tuple>

using namespace spillway;

namespace {

unsigned distance(std::uint32_t a, std::uint32_t b) {
  return static_cast<unsigned>(__builtin_popcount(a ^ b));
}

using cube_case = std::tuple<unsigned, unsigned, std::uint32_t, std::uint64_t>;
class cube_trees : public testing::TestWithParam<cube_case> {};

}  // namespace

TEST_P(cube_trees, are_shortest_trees_of_links_within_clusters_and_between_their_roots) {
  const auto [dimension, cluster, root, seed] = GetParam();
  const terminal_tree tree = cube_tree(dimension, cluster, root, seed);
  ASSERT_EQ(tree.terminals(), 1u << dimension);
  const std::uint32_t low = (1u << cluster) - 1;
  EXPECT_EQ(tree.parent[root], root);
  for (std::uint32_t n = 0; n < tree.terminals(); ++n) {
    if (n == root) continue;
    const std::uint32_t p = tree.parent[n], head = (n & ~low) | (root & low);
    EXPECT_EQ(distance(n, p), 1u) << "a link of the cube";
    EXPECT_EQ(distance(p, n == head ? root : head) + 1, distance(n, n == head ? root : head));
    EXPECT_EQ((n & ~low) == (p & ~low), n != head) << "only roots of clusters have parents elsewhere";
    EXPECT_EQ(tree.depth(n), distance(n, root));
    EXPECT_TRUE(std::binary_search(tree.children[p].begin(), tree.children[p].end(), n));
  }
}

// Of a level of `level` choose `dimension` nodes every one of the level above has the same number of
// children, or one more.
TEST_P(cube_trees, share_out_every_level_as_evenly_as_its_size_allows) {
  const auto [dimension, cluster, root, seed] = GetParam();
  const terminal_tree tree = cube_tree(dimension, cluster, root, seed);
  const std::uint32_t low = (1u << cluster) - 1;
  std::map<std::tuple<std::uint32_t, unsigned>, std::pair<unsigned, unsigned>> spread;  // fewest and most
  for (std::uint32_t n = 0; n < tree.terminals(); ++n) {
    const std::uint32_t head = (n & ~low) | (root & low);
    unsigned within = 0, between = 0;
    for (const std::uint32_t c : tree.children[n]) ((c ^ n) & low ? within : between) += 1;
    const auto note = [&](std::uint32_t group, unsigned level, unsigned children) {
      auto& [fewest, most] = spread.try_emplace({group, level}, children, children).first->second;
      fewest = std::min(fewest, children);
      most = std::max(most, children);
    };
    note(n & ~low, distance(n, head), within);
    if (n == head) note(~0u, distance(n, root), between);
    EXPECT_TRUE(n == head || between == 0);
  }
  for (const auto& [where, children] : spread)
    EXPECT_LE(children.second, children.first + 1) << "level " << std::get<1>(where);
}

INSTANTIATE_TEST_SUITE_P(sizes, cube_trees,
                         testing::Values(cube_case{3, 3, 0, 1}, cube_case{3, 0, 5, 1}, cube_case{6, 3, 0, 1},
                                         cube_case{8, 3, 0, 1}, cube_case{8, 3, 0, 2}, cube_case{8, 3, 77, 3},
                                         cube_case{7, 7, 0, 4}, cube_case{8, 8, 255, 5},
                                         cube_case{9, 9, 3, 6}, cube_case{0, 0, 0, 1}));

// Root 8 of three dimensions: children 9, 10 and 12; 11, 13 and 14 are grandchildren, one of each; 15 is
// below one of those (section 3.3.2).
TEST(cube_tree, is_that_of_the_papers_example) {
  const terminal_tree tree = cube_tree(4, 3, 8, 9);
  EXPECT_EQ(tree.children[8], (std::vector<std::uint32_t>{0, 9, 10, 12}));
  for (const std::uint32_t n : {9u, 10u, 12u}) EXPECT_EQ(tree.children[n].size(), 1u);
  EXPECT_EQ(tree.depth(15), 3u);
}

TEST(cube_tree, draws_what_is_open) {
  EXPECT_EQ(cube_tree(8, 3, 0, 1).parent, cube_tree(8, 3, 0, 1).parent);
  EXPECT_NE(cube_tree(8, 3, 0, 1).parent, cube_tree(8, 3, 0, 2).parent);
}

TEST(fan_in_tree, has_so_many_children_each) {
  const terminal_tree tree = fan_in_tree(1000, 10, 0);
  unsigned inner = 0;
  for (const auto& children : tree.children) {
    EXPECT_LE(children.size(), 10u);
    inner += !children.empty();
  }
  EXPECT_EQ(inner, 100u) << "999 terminals have a parent";
  EXPECT_EQ(tree.depth(999), 3u);
  const terminal_tree turned = fan_in_tree(7, 2, 5);
  EXPECT_EQ(turned.children[5], (std::vector<std::uint32_t>{0, 6}));
  EXPECT_EQ(turned.children[6], (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(turned.depth(5), 0u);
}

TEST(combining_trees, refuse_what_is_no_tree) {
  EXPECT_THROW(cube_tree(3, 4, 0, 1), std::invalid_argument);
  EXPECT_THROW(cube_tree(3, 2, 8, 1), std::invalid_argument);
  EXPECT_THROW(fan_in_tree(4, 0, 0), std::invalid_argument);
  EXPECT_THROW(fan_in_tree(4, 2, 4), std::invalid_argument);
}
