#include "values.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "paper_tables.h"

namespace beffio {
namespace {

// The table is rounded to whole MB/s, and so are the inputs of every mean.
constexpr double kRounding = 1.0;

TEST(ValuesTest, WeightedAveragesOfTable2) {
  for (const PaperSet& set : paper_sets()) {
    EXPECT_NEAR(set.write.mean(), set.write.average, kRounding) << set.name;
    EXPECT_NEAR(set.rewrite.mean(), set.rewrite.average, kRounding) << set.name;
    EXPECT_NEAR(set.read.mean(), set.read.average, kRounding) << set.name;
  }
}

TEST(ValuesTest, BottomRowOfTable2ByType) {
  for (const PaperSet& set : paper_sets()) {
    for (std::size_t i = 0; i < kAllTypes.size(); ++i) {
      const PartitionValue value = value_1x(set.write.types[i], set.rewrite.types[i], set.read.types[i]);
      EXPECT_NEAR(value.both.value(), set.average.types[i], kRounding) << set.name << ", type " << i;
    }
  }
}

TEST(ValuesTest, ReleaseOneValuesOfTable2) {
  for (const PaperSet& set : paper_sets()) {
    const PartitionValue value = value_1x(set.write.mean(), set.rewrite.mean(), set.read.mean());
    EXPECT_NEAR(value.both.value(), set.average.average, kRounding) << set.name;
  }
}

TEST(ValuesTest, ReleaseTwoValuesOfTable3) {
  for (const PaperSet& set : paper_sets()) {
    const PartitionValue value = value_20(set.write.values(), set.rewrite.types[0], set.read.values());
    EXPECT_NEAR(value.both.value(), set.release_20, 0.5) << set.name;
  }
}

TEST(ValuesTest, ScatterCountsTwice) {
  const std::array values = {TypeValue{Type::kScatter, 10}, TypeValue{Type::kShared, 1}};
  EXPECT_DOUBLE_EQ(mean_of_types(values), 7);
}

TEST(ValuesTest, WithoutReadingThereIsNoValue) {
  EXPECT_FALSE(value_1x(1, 2, std::nullopt).both.has_value());
  EXPECT_FALSE(value_1x(1, std::nullopt, 3).both.has_value());
  EXPECT_FALSE(value_20(std::array{TypeValue{Type::kScatter, 1}}, 2, {}).both.has_value());
  EXPECT_DOUBLE_EQ(value_20(std::array{TypeValue{Type::kScatter, 1}}, 2, {}).write.value(), 1.5);
}

TypeResult type_result(Type type, std::int64_t bytes, double seconds) {
  TypeResult result;
  result.type = type;
  result.bytes = bytes;
  result.seconds = seconds;
  return result;
}

TEST(ValuesTest, ATypeIsAllBytesByAllTime) {
  EXPECT_DOUBLE_EQ(value_of(type_result(Type::kScatter, 3'000'000, 2)), 1.5);
  EXPECT_EQ(value_of(type_result(Type::kScatter, 3'000'000, 0)), 0) << "no time was measured";
}

// A partition whose every type of a method has the same value.
PartitionResult partition(int ranks, double write, double rewrite, double read) {
  PartitionResult result{{ranks, "p"}, {}};
  for (const auto& [method, value] :
       {std::pair{Method::kWrite, write}, {Method::kRewrite, rewrite}, {Method::kRead, read}}) {
    MethodResult& added = result.methods.emplace_back();
    added.method = method;
    for (const Type type : kAllTypes) added.types.push_back(type_result(type, std::llround(value * 1e6), 1));
  }
  return result;
}

TEST(ValuesTest, ThePartitionsOfAReport) {
  Report report;
  report.partitions = {partition(2, 100, 40, 90), partition(4, 100, 160, 110), partition(8, 1, 1, 1)};
  report.settings.release = Release::kOne;
  EXPECT_DOUBLE_EQ(value_of(report.partitions[0], Release::kOne).both.value(), 80);
  EXPECT_DOUBLE_EQ(value_of(report).value(), 120);
  EXPECT_EQ(best_partition(report)->partition.ranks, 4);
  report.settings.release = Release::kTwo;
  EXPECT_DOUBLE_EQ(value_of(report.partitions[0], Release::kTwo).write.value(), 90);
  EXPECT_DOUBLE_EQ(value_of(report).value(), 110);
  report.partitions.clear();
  EXPECT_FALSE(value_of(report).has_value());
}

}  // namespace
}  // namespace beffio
