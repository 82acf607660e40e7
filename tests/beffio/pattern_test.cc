#include "pattern.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace beffio {
namespace {

constexpr std::int64_t kMpart = 64 * kMegabyte;

TEST(PatternTest, TimeUnitsOfAMethodSumTo64) {
  int units = 0;
  for (const Pattern& pattern : all_patterns(kMpart)) units += pattern.units;
  EXPECT_EQ(units, 64);
  EXPECT_EQ(units_of(kAllTypes), kUnitsOfMethod);
}

TEST(PatternTest, ThirtySixAreMeasuredAndFiveWarmUp) {
  const auto patterns = all_patterns(kMpart);
  EXPECT_EQ(patterns.size(), 41u);
  EXPECT_EQ(std::count_if(patterns.begin(), patterns.end(), [](const Pattern& p) { return p.units > 0; }), 36);
}

TEST(PatternTest, NumbersAreThePositionsInTheTable) {
  const auto patterns = all_patterns(kMpart);
  for (std::size_t i = 0; i < patterns.size(); ++i) EXPECT_EQ(patterns[i].number, static_cast<int>(i));
  EXPECT_EQ(patterns_of(Type::kShared, kMpart).front().number, 9);
  EXPECT_EQ(patterns_of(Type::kSegmentedCollective, kMpart).back().number, 40);
}

TEST(PatternTest, UnitsOfEachType) {
  const auto units = [](Type type) { return units_of(std::array{type}); };
  EXPECT_EQ(units(Type::kScatter), 22);
  EXPECT_EQ(units(Type::kShared), 12);
  EXPECT_EQ(units(Type::kSeparate), 10);
  EXPECT_EQ(units(Type::kSegmented), 10);
  EXPECT_EQ(units(Type::kSegmentedCollective), 10);
}

struct Row {
  std::int64_t chunk;
  std::int64_t memory;
  int units;
};

void expect_rows(Type type, const std::vector<Row>& rows) {
  const auto patterns = patterns_of(type, kMpart);
  ASSERT_EQ(patterns.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(patterns[i].chunk_bytes, rows[i].chunk) << "row " << i;
    EXPECT_EQ(patterns[i].memory_bytes, rows[i].memory) << "row " << i;
    EXPECT_EQ(patterns[i].units, rows[i].units) << "row " << i;
  }
}

// Table 1 of the paper, in bytes.
TEST(PatternTest, ScatterRows) {
  expect_rows(Type::kScatter, {{1048576, 1048576, 0},
                               {kMpart, kMpart, 4},
                               {1048576, 2097152, 4},
                               {1048576, 1048576, 4},
                               {32768, 1048576, 2},
                               {1024, 1048576, 2},
                               {32776, 1048832, 2},
                               {1032, 1056768, 2},
                               {1048584, 1048584, 2}});
}

TEST(PatternTest, RowsOfTheOtherTypes) {
  for (const Type type : {Type::kShared, Type::kSeparate, Type::kSegmented, Type::kSegmentedCollective}) {
    expect_rows(type, {{1048576, 1048576, 0},
                       {kMpart, kMpart, type == Type::kShared ? 4 : 2},
                       {1048576, 1048576, 2},
                       {32768, 32768, 1},
                       {1024, 1024, 1},
                       {32776, 32776, 1},
                       {1032, 1032, 1},
                       {1048584, 1048584, 2}});
  }
}

TEST(PatternTest, MpartIsA128thOfMemory) {
  EXPECT_EQ(mpart_bytes(128 * kMegabyte), 2 * kMegabyte);  // the least
  EXPECT_EQ(mpart_bytes(0), 2 * kMegabyte);
  EXPECT_EQ(mpart_bytes(8192 * kMegabyte), 64 * kMegabyte);         // the paper's SP: 8 GB a node
  EXPECT_EQ(mpart_bytes(8192 * kMegabyte + 127), 64 * kMegabyte);   // whole megabytes
  EXPECT_EQ(mpart_bytes(std::int64_t{1} << 60), 2047 * kMegabyte);  // what an int counts
}

TEST(PatternTest, LabelsTellPatternsOfATypeApart) {
  for (const Type type : kAllTypes) {
    std::vector<std::string> labels;
    for (const Pattern& pattern : patterns_of(type, kMpart)) {
      if (pattern.units > 0) labels.push_back(label(pattern));
    }
    const std::size_t all = labels.size();
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    EXPECT_EQ(labels.size(), all);
  }
}

TEST(PatternTest, KindsOfTypes) {
  EXPECT_TRUE(is_collective(Type::kScatter) && is_collective(Type::kShared) &&
              is_collective(Type::kSegmentedCollective));
  EXPECT_FALSE(is_collective(Type::kSeparate) || is_collective(Type::kSegmented));
  EXPECT_TRUE(is_size_driven(Type::kSegmented) && is_size_driven(Type::kSegmentedCollective));
  EXPECT_FALSE(is_size_driven(Type::kScatter) || is_size_driven(Type::kShared) || is_size_driven(Type::kSeparate));
}

}  // namespace
}  // namespace beffio
