#include "judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report_cases.h"

namespace beffio {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PatternResult& a_pattern(Report& report, Type type) {
  return report.partitions[1].methods[0].types[static_cast<std::size_t>(type)].patterns[2];
}

TEST(JudgeTest, ACompleteLongRunIsComparable) {
  const Report report = comparable_report();
  EXPECT_THAT(not_comparable_because(report), IsEmpty());
  EXPECT_THAT(warnings(report), IsEmpty());
}

TEST(JudgeTest, ShortTime) {
  Report report = comparable_report();
  report.settings.seconds = 1799;
  EXPECT_THAT(not_comparable_because(report), ElementsAre(HasSubstr("at least 30 minutes")));
  report.settings.seconds = 1800;
  EXPECT_THAT(not_comparable_because(report), IsEmpty());
  report.settings.rewrite_all = true;
  EXPECT_THAT(not_comparable_because(report), ElementsAre(HasSubstr("at least 45 minutes")));
  report.settings.release = Release::kOne;
  EXPECT_THAT(not_comparable_because(report), IsEmpty());
  report.settings.seconds = 899;
  EXPECT_THAT(not_comparable_because(report), ElementsAre(HasSubstr("at least 15 minutes")));
}

TEST(JudgeTest, WhatWasLeftOutOrChosenByHand) {
  Report report = comparable_report();
  report.settings.types.pop_back();
  report.settings.methods.pop_back();
  report.settings.mpart_chosen = true;
  report.settings.partitions_chosen = true;
  EXPECT_THAT(not_comparable_because(report),
              ElementsAre(HasSubstr("types"), HasSubstr("methods"), HasSubstr("partitions"), HasSubstr("MPART")));
  report.settings.release = Release::kOne;
  EXPECT_THAT(not_comparable_because(report), ElementsAre(HasSubstr("types"), HasSubstr("methods"), HasSubstr("MPART")))
      << "release 1.x leaves the partitions to the user";
}

TEST(JudgeTest, SpaceUsedUp) {
  Report report = comparable_report();
  a_pattern(report, Type::kScatter).ending = Ending::kSpace;
  EXPECT_THAT(not_comparable_because(report), ElementsAre(HasSubstr("1 patterns ended early")));
}

TEST(JudgeTest, DataThatFitInACache) {
  Report report = comparable_report();
  report.settings.memory_of_node_bytes = 150'000'000'000;  // 4.1 TB by 300 GB is less than 20
  EXPECT_THAT(warnings(report), ElementsAre(HasSubstr("13.67 times the memory")));
}

// Section 5 of the paper: of data of 20 times the cache at most a 20th can still be in it, so 95 % are on disk.
TEST(JudgeTest, TwentyTimesTheCacheAre95PercentOnDisk) {
  Report report = comparable_report();
  const std::int64_t moved = 41 * std::int64_t{100'000'000'000};  // each method of each partition
  report.settings.nodes = 1;
  report.settings.memory_of_node_bytes = moved / 20;
  EXPECT_THAT(warnings(report), IsEmpty());
  EXPECT_DOUBLE_EQ(1 - static_cast<double>(report.settings.memory_of_node_bytes) / static_cast<double>(moved), 0.95);
  report.settings.memory_of_node_bytes += 1'000'000'000;
  EXPECT_THAT(warnings(report), ElementsAre(HasSubstr("19.90 times the memory")));
}

TEST(JudgeTest, PatternsCutShort) {
  Report report = comparable_report();
  a_pattern(report, Type::kSegmented).ending = Ending::kLateTime;
  EXPECT_THAT(warnings(report), Contains(HasSubstr("less than their time")));
  a_pattern(report, Type::kSegmented).ending = Ending::kAmount;
  EXPECT_THAT(warnings(report), Not(Contains(HasSubstr("less than their time"))));
}

TEST(JudgeTest, WithoutSync) {
  Report report = comparable_report();
  report.settings.sync = false;
  EXPECT_THAT(not_comparable_because(report), IsEmpty());
  EXPECT_THAT(warnings(report), ElementsAre(HasSubstr("not synchronised")));
}

}  // namespace
}  // namespace beffio
