#include "space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "repeats.h"

namespace beffio {
namespace {

// How many of the repeats that it may make a pattern of types 0 to 2 makes in its time.
using Speed = std::function<std::int64_t(const Pattern&, std::int64_t most)>;

// What a partition's files take after writing, as the program does it.
std::int64_t written_bytes(const Space& space, int ranks, std::span<const Pattern> patterns, const Speed& speed) {
  const std::int64_t unit = space.bytes_of_unit(ranks);
  Amounts amounts;
  std::int64_t bytes = 0;
  for (const Pattern& pattern : patterns) {
    const std::int64_t most = pattern.units == 0 ? 1 : repeats_within(unit, pattern);
    const std::int64_t repeats =
        is_size_driven(pattern.type) ? amounts.repeats_for(pattern).value_or(most) : speed(pattern, most);
    if (!is_size_driven(pattern.type)) amounts.add(pattern, repeats);
    bytes += repeats * pattern.memory_bytes * ranks;
  }
  return bytes;
}

std::int64_t written_bytes(const Space& space, std::span<const int> partitions, std::span<const Pattern> patterns,
                           const Speed& speed) {
  std::int64_t bytes = 0;
  for (const int ranks : partitions) bytes += written_bytes(space, ranks, patterns, speed);
  return bytes;
}

TEST(SpaceTest, TheLeastIsOneCallAndWhatFollowsFromIt) {
  // A chunk of 1 MB in three patterns of types 0 to 2: 4 MB in 10 units, so 819.2 kB in 2 units: one call of type 3.
  // A chunk of 1 kB: 1 MB, 1 kB and 1 kB in 4 units, so 256.5 kB in one unit.
  const std::vector<Pattern> patterns = {
      {.type = Type::kScatter, .chunk = Chunk::kOneMegabyte, .memory_bytes = 2 * kMegabyte, .units = 4},
      {.type = Type::kShared, .chunk = Chunk::kOneMegabyte, .memory_bytes = kMegabyte, .units = 4},
      {.type = Type::kSeparate, .chunk = Chunk::kOneMegabyte, .memory_bytes = kMegabyte, .units = 2},
      {.type = Type::kScatter, .chunk = Chunk::kOneKilobyte, .memory_bytes = kMegabyte, .units = 2},
      {.type = Type::kShared, .chunk = Chunk::kOneKilobyte, .memory_bytes = kKilobyte, .units = 1},
      {.type = Type::kSeparate, .chunk = Chunk::kOneKilobyte, .memory_bytes = kKilobyte, .units = 1},
      {.type = Type::kSegmented, .chunk = Chunk::kOneMegabyte, .memory_bytes = kMegabyte, .units = 2},
      {.type = Type::kSegmented, .chunk = Chunk::kOneKilobyte, .memory_bytes = kKilobyte, .units = 1}};
  const std::int64_t of_rank = 5 * kMegabyte + 2 * kKilobyte + kMegabyte + (kMegabyte + 2 * kKilobyte) / 4;
  const std::array partitions = {2, 3};
  EXPECT_EQ(Space(0, partitions, patterns).least_bytes(), 5 * of_rank);
}

TEST(SpaceTest, MoreThanTheLeastIsSharedByPartitionsAndUnits) {
  const auto patterns = all_patterns(2 * kMegabyte);
  const std::array partitions = {2, 4};
  const std::int64_t least = Space(0, partitions, patterns).least_bytes();
  const Space space(least + 2 * 4 * kUnitsOfMethod * kMegabyte, partitions, patterns);
  EXPECT_EQ(space.bytes_of_unit(4), kMegabyte);
  EXPECT_EQ(space.bytes_of_unit(2), 2 * kMegabyte);
  EXPECT_EQ(Space(least - 1, partitions, patterns).bytes_of_unit(4), 0);
}

TEST(SpaceTest, RepeatsWithin) {
  const Pattern pattern{.memory_bytes = 1000, .units = 4};
  EXPECT_EQ(repeats_within(0, pattern), 1);
  EXPECT_EQ(repeats_within(249, pattern), 1);
  EXPECT_EQ(repeats_within(250, pattern), 2);
  EXPECT_EQ(repeats_within(10'000, pattern), 41);
}

struct Case {
  std::int64_t more;  // space beyond the least
  std::int64_t mpart_bytes;
  std::vector<int> partitions;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::int64_t more :
       {std::int64_t{0}, std::int64_t{1}, 10 * kMegabyte, 1000 * kMegabyte + 7, std::int64_t{1} << 40}) {
    for (const std::int64_t mpart : {kKilobyte, 2 * kMegabyte, 187 * kMegabyte}) {
      for (const std::vector<int>& partitions : {std::vector{1}, {2, 3, 4}, {2, 16, 100}})
        all.push_back({more, mpart, partitions});
    }
  }
  return all;
}

// Calls `check(space, bytes, partitions, patterns)` for many machines.
template <typename Check>
void for_each_case(const Check& check) {
  for (const Case& each : cases()) {
    const auto patterns = all_patterns(each.mpart_bytes);
    const std::int64_t bytes = Space(0, each.partitions, patterns).least_bytes() + each.more;
    SCOPED_TRACE(testing::Message() << each.more << " more, MPART " << each.mpart_bytes);
    check(Space(bytes, each.partitions, patterns), bytes, each.partitions, patterns);
  }
}

TEST(SpaceTest, SegmentsFitHoweverFastTypes0To2Were) {
  const Speed slow = [](const Pattern&, std::int64_t) { return 1; };
  const Speed fast = [](const Pattern&, std::int64_t most) { return most; };
  for_each_case([&](const Space& space, std::int64_t bytes, const auto& partitions, const auto& patterns) {
    EXPECT_LE(written_bytes(space, partitions, patterns, slow), space.least_bytes());
    EXPECT_LE(written_bytes(space, partitions, patterns, fast), bytes);
    for (const Type type : {Type::kScatter, Type::kShared, Type::kSeparate}) {
      const Speed one = [&](const Pattern& pattern, std::int64_t most) { return pattern.type == type ? most : 1; };
      EXPECT_LE(written_bytes(space, partitions, patterns, one), bytes) << name(type);
    }
  });
}

TEST(SpaceTest, SegmentsFitAtRandomSpeeds) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const Speed any = [&](const Pattern&, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  for_each_case([&](const Space& space, std::int64_t bytes, const auto& partitions, const auto& patterns) {
    for (int i = 0; i < 50; ++i) EXPECT_LE(written_bytes(space, partitions, patterns, any), bytes);
  });
}

TEST(SpaceTest, TheSpaceIsUsed) {
  const auto patterns = all_patterns(2 * kMegabyte);
  const std::array partitions = {2, 3, 4};
  const std::int64_t bytes = std::int64_t{100} << 30;
  const Speed fast = [](const Pattern&, std::int64_t most) { return most; };
  EXPECT_GE(written_bytes(Space(bytes, partitions, patterns), partitions, patterns, fast), bytes / 100 * 95);
}

TEST(SpaceTest, SegmentsAloneHaveWhatTheSpaceAllows) {
  auto patterns = all_patterns(2 * kMegabyte);
  std::erase_if(patterns, [](const Pattern& pattern) { return !is_size_driven(pattern.type); });
  const std::array partitions = {4};
  const Space space(std::int64_t{1} << 30, partitions, patterns);
  const std::int64_t bytes = written_bytes(space, partitions, patterns, nullptr);
  EXPECT_LE(bytes, std::int64_t{1} << 30);
  EXPECT_GE(bytes, std::int64_t{1} << 29);
}

}  // namespace
}  // namespace beffio
