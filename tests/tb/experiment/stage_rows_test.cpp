#include <gtest/gtest.h>

#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/tb/experiment/stage_rows.hpp>

namespace {

using namespace spillway;
using names = std::vector<std::string>;

TEST(stage_rows, are_the_stages_of_each_network_in_turn) {
  const stage_rows rows(make_butterfly(multistage_shape(2, 2)), 2, "level");
  EXPECT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows.names(), (names{"level 0", "level 1", "network 1 level 0", "network 1 level 1"}));
  EXPECT_EQ(rows.stage_of(), (std::vector<unsigned>{0, 0, 1, 1}));
  EXPECT_EQ(rows.of(0), 0u);
  EXPECT_EQ(rows.of(3), 1u);
  EXPECT_EQ(rows.of(4), 2u) << "the first switch of the second network";
  EXPECT_EQ(rows.of(7), 3u);
}

}  // namespace
