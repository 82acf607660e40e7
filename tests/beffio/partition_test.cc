#include "partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace beffio {
namespace {

std::vector<int> sizes(int ranks) {
  std::vector<int> all;
  for (const Partition& partition : three_partitions(ranks)) all.push_back(partition.ranks);
  return all;
}

// By hand: 2 ** round(log2(N) * 0.35), 2 ** round(log2(N) * 0.70), N; with the paper's exceptions for 3 and 4.
TEST(PartitionTest, SizesOfReleaseTwo) {
  EXPECT_EQ(sizes(1), (std::vector{1}));
  EXPECT_EQ(sizes(2), (std::vector{1, 2}));
  EXPECT_EQ(sizes(3), (std::vector{1, 2, 3}));  // the formula alone gives 2, 2, 3
  EXPECT_EQ(sizes(4), (std::vector{2, 3, 4}));  // the formula alone gives 2, 2, 4
  EXPECT_EQ(sizes(5), (std::vector{2, 4, 5}));
  EXPECT_EQ(sizes(8), (std::vector{2, 4, 8}));
  EXPECT_EQ(sizes(16), (std::vector{2, 8, 16}));         // 1.4, 2.8
  EXPECT_EQ(sizes(32), (std::vector{4, 16, 32}));        // 1.75, 3.5
  EXPECT_EQ(sizes(64), (std::vector{4, 16, 64}));        // 2.1, 4.2
  EXPECT_EQ(sizes(100), (std::vector{4, 32, 100}));      // 2.33, 4.65
  EXPECT_EQ(sizes(512), (std::vector{8, 64, 512}));      // 3.15, 6.3
  EXPECT_EQ(sizes(1024), (std::vector{16, 128, 1024}));  // 3.5, 7
}

TEST(PartitionTest, EverySystemHasGrowingPartitionsThatEndWithAll) {
  for (int ranks = 1; ranks <= 1024; ++ranks) {
    const std::vector<int> all = sizes(ranks);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(std::min(ranks, 3))) << ranks;
    ASSERT_EQ(std::adjacent_find(all.begin(), all.end(), std::greater_equal<>()), all.end()) << ranks;
    ASSERT_EQ(all.back(), ranks);
    ASSERT_GE(all.front(), 1);
  }
}

TEST(PartitionTest, Names) {
  EXPECT_EQ(three_partitions(4), (std::vector<Partition>{{2, "small"}, {3, "medium"}, {4, "large"}}));
  EXPECT_EQ(three_partitions(2), (std::vector<Partition>{{1, "small"}, {2, "large"}}));
  EXPECT_EQ(chosen_partitions({4, 2}, 4), (std::vector<Partition>{{4, "large"}, {2, "2 ranks"}}));
}

}  // namespace
}  // namespace beffio
