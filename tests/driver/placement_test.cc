#include "driver/placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::driver {
namespace {

const std::byte* address(std::uintptr_t number) { return reinterpret_cast<const std::byte*>(number); }

TEST(Placement, DistanceIsOfTheDestinationBehindTheSource) {
  const std::byte* memory = address(0x7f0000010010);
  EXPECT_EQ(copy_distance(Direction::kRead, memory, 0), 16);
  EXPECT_EQ(copy_distance(Direction::kRead, memory, 8), 8);
  EXPECT_EQ(copy_distance(Direction::kRead, memory, 4096 + 24), 4088);
  EXPECT_EQ(copy_distance(Direction::kWrite, memory, 0), 4080);
  EXPECT_EQ(copy_distance(Direction::kWrite, memory, 24), 8);
  EXPECT_EQ(copy_distance(Direction::kWrite, memory, 16), 0);
}

TEST(Placement, MovingMemoryAndFileTogetherKeepsTheDistance) {
  for (std::int64_t step = 0; step < 3 * kPageBytes; step += 511) {
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      EXPECT_EQ(copy_distance(direction, address(0x7f0000000123 + static_cast<std::uintptr_t>(step)), 77 + step),
                copy_distance(direction, address(0x7f0000000123), 77));
    }
  }
}

struct Asked {
  Direction direction;
  int distance;
  bool operator==(const Asked&) const = default;
};

TEST(PlacementTable, MeasuresEachPlacementOnceAndOnlyWhereItMayBeSlow) {
  std::vector<Asked> asked;
  PlacementTable table([&](Direction direction, int distance) {
    asked.push_back({direction, distance});
    return CopySpeeds{1e9, distance < 16 ? 4e9 : 1.5e9};
  });
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_FALSE(table.is_slow(Direction::kRead, address(0x10000), 0));
    EXPECT_FALSE(table.is_slow(Direction::kRead, address(0x10000 + kSlowDistances), 0));
    EXPECT_TRUE(table.is_slow(Direction::kRead, address(0x10008), 0));
    EXPECT_TRUE(table.is_slow(Direction::kRead, address(0x20010), 8)) << "the same distance";
    EXPECT_FALSE(table.is_slow(Direction::kRead, address(0x10010), 0)) << "measured, and no clear win";
    EXPECT_TRUE(table.is_slow(Direction::kWrite, address(0x10000), 8));
  }
  EXPECT_EQ(asked, (std::vector<Asked>{{Direction::kRead, 8}, {Direction::kRead, 16}, {Direction::kWrite, 8}}));
}

TEST(PlacementTable, WhatCannotBeMeasuredIsNotSlow) {
  PlacementTable table([](Direction, int) { return CopySpeeds{}; });
  EXPECT_FALSE(table.is_slow(Direction::kRead, address(0x10008), 0));
}

TEST(MeasureCopy, FindsSpeedsOfBothWays) {
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const CopySpeeds speeds = measure_copy(direction, 8);
    EXPECT_GT(speeds.direct, 0);
    EXPECT_GT(speeds.bounced, 0);
  }
}

}  // namespace
}  // namespace weir::driver
