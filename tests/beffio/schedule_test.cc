#include "schedule.h"

#include <gtest/gtest.h>

namespace beffio {
namespace {

TimeFrame frame(Release release, double seconds, int partitions, bool rewrite_all) {
  return {release, seconds, partitions, rewrite_all};
}

TEST(ScheduleTest, ReleaseOneGivesAPatternAThirdOfTByItsUnits) {
  // T = 15 minutes: 300 s for each of three methods, 4 of 64 units of that.
  EXPECT_DOUBLE_EQ(4 * seconds_of_unit(frame(Release::kOne, 900, 1, false)), 300.0 * 4 / 64);
  EXPECT_DOUBLE_EQ(seconds_of_unit(frame(Release::kOne, 900, 5, false)), 300.0 / 64) << "T is that of one partition";
}

TEST(ScheduleTest, ReleaseTwoSharesTAmongPartitionsAndMethods) {
  // 64 + 22 + 64 units in each of three partitions.
  EXPECT_DOUBLE_EQ(seconds_of_unit(frame(Release::kTwo, 1800, 3, false)), 1800.0 / 3 / 150);
  // With all rewrites and 45 minutes a partition has the 15 minutes of release 1.x.
  EXPECT_DOUBLE_EQ(seconds_of_unit(frame(Release::kTwo, 2700, 3, true)),
                   seconds_of_unit(frame(Release::kOne, 900, 1, true)));
}

TEST(ScheduleTest, ReleaseTwoRewritesOnlyTypeZeroUnlessAsked) {
  const auto count = [](Method method, Release release, bool all) {
    return types_of(method, kAllTypes, frame(release, 60, 3, all)).size();
  };
  EXPECT_EQ(types_of(Method::kRewrite, kAllTypes, frame(Release::kTwo, 60, 3, false)), std::vector{Type::kScatter});
  EXPECT_EQ(count(Method::kRewrite, Release::kTwo, true), 5u);
  EXPECT_EQ(count(Method::kRewrite, Release::kOne, false), 5u);
  EXPECT_EQ(count(Method::kWrite, Release::kTwo, false), 5u);
  EXPECT_EQ(count(Method::kRead, Release::kTwo, false), 5u);
}

TEST(ScheduleTest, LeastTime) {
  EXPECT_EQ(least_seconds(Release::kOne, false), 15 * 60);
  EXPECT_EQ(least_seconds(Release::kTwo, false), 30 * 60);
  EXPECT_EQ(least_seconds(Release::kTwo, true), 45 * 60);
}

TEST(ScheduleTest, APatternInTimeGetsItsUnits) {
  Schedule schedule(0.5);
  EXPECT_DOUBLE_EQ(schedule.seconds_for(4, 0), 2);
  schedule.advance(4);
  EXPECT_DOUBLE_EQ(schedule.seconds_for(2, 2), 1);
  EXPECT_DOUBLE_EQ(schedule.seconds_for(2, 1.2), 1) << "being early gives nobody more";
  EXPECT_DOUBLE_EQ(schedule.seconds_late(2.5), 0.5);
}

TEST(ScheduleTest, LaterPatternsMakeUpForALateOne) {
  Schedule schedule(0.5);
  schedule.advance(4);
  EXPECT_DOUBLE_EQ(schedule.seconds_for(4, 2.75), 1.25);
  EXPECT_DOUBLE_EQ(schedule.seconds_for(4, 100), 0.5) << "a quarter is left to everyone";
}

}  // namespace
}  // namespace beffio
