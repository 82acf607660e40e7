#include "trace/call_log.h"

#include <gtest/gtest.h>

#include "trace/made_up_report.h"

namespace weir::trace {
namespace {

plan::Plan nothing(Direction direction) {
  plan::Plan plan;
  plan.direction = direction;
  return plan;
}

TEST(CallLog, TalliesByDirectionAndMethod) {
  CallLog log;
  EXPECT_EQ(log.of(Direction::kRead).calls(), 0);
  EXPECT_FALSE(log.of(Direction::kRead).last_plan());
  log.add(std::make_shared<plan::Plan>(made_up_plan(Direction::kWrite)), {});
  CallEnd reused;
  at(reused.before, Counter::kPlansReused) = 3;
  at(reused.after, Counter::kPlansReused) = 4;
  log.add(std::make_shared<plan::Plan>(made_up_plan(Direction::kWrite)), reused);
  log.add(std::make_shared<plan::Plan>(nothing(Direction::kRead)), {});
  EXPECT_EQ(log.of(Direction::kWrite).calls(plan::Method::kTwoPhase), 2);
  EXPECT_EQ(log.of(Direction::kWrite).calls(), 2);
  EXPECT_EQ(log.of(Direction::kWrite).plans_reused, 1);
  EXPECT_EQ(log.of(Direction::kRead).calls(plan::Method::kNothing), 1);
  EXPECT_EQ(log.of(Direction::kRead).plans_reused, 0);
}

TEST(CallLog, KeepsTheLastPlanThatMovedBytes) {
  CallLog log;
  log.add(std::make_shared<plan::Plan>(nothing(Direction::kWrite)), {});
  EXPECT_EQ(log.of(Direction::kWrite).last_plan(), nothing(Direction::kWrite));
  log.add(std::make_shared<plan::Plan>(made_up_plan(Direction::kWrite)), {});
  log.add(std::make_shared<plan::Plan>(nothing(Direction::kWrite)), {});
  EXPECT_EQ(log.of(Direction::kWrite).last_plan(), made_up_plan(Direction::kWrite));
}

TEST(CallLog, KeepsTheLastRecordsInOrder) {
  CallLog log;
  const auto most = static_cast<std::int64_t>(CallLog::kMostRecords);
  for (std::int64_t calls = 1; calls <= 2 * most + 7; ++calls) {
    plan::Plan plan = nothing(Direction::kRead);
    plan.bytes = 10 * calls;
    log.add(std::make_shared<plan::Plan>(plan), {});
    const std::vector<CallRecord> records = log.records();
    ASSERT_EQ(std::ssize(records), std::min(calls, most));
    EXPECT_EQ(log.left_out(), calls - std::ssize(records));
    EXPECT_EQ(records.back().number, calls);
    EXPECT_EQ(records.back().bytes, 10 * calls);
    EXPECT_EQ(records.front().number, log.left_out() + 1);
  }
}

TEST(CallTimes, AreWhatTheCountersGrewBy) {
  CounterValues before{};
  before.fill(5);
  CounterValues after = before;
  at(after, Counter::kCollectiveTime) += 100;
  at(after, Counter::kAgreeTime) += 1;
  at(after, Counter::kInspectTime) += 2;
  at(after, Counter::kCopyTime) += 3;
  at(after, Counter::kExchangeTime) += 4;
  at(after, Counter::kWaitTime) += 5;
  at(after, Counter::kFileTime) += 6;
  EXPECT_EQ(times_between(before, after), (CallTimes{100, 1, 2, 3, 4, 5, 6}));
}

TEST(CallTimes, OverlapIsWhatTheWorkAddsUpToBeyondTheCall) {
  EXPECT_EQ((CallTimes{100, 0, 10, 40, 0, 0, 50}.overlapped()), 0);
  EXPECT_EQ((CallTimes{100, 5, 10, 40, 25, 0, 50}.overlapped()), 30);
  EXPECT_EQ((CallTimes{100, 0, 0, 0, 0, 100, 50}.overlapped()), 0) << "waiting is no work";
  EXPECT_EQ((CallTimes{100, 100, 0, 0, 0, 0, 50}.overlapped()), 50);
  EXPECT_EQ((CallTimes{100, 200, 0, 0, 0, 0, 50}.overlapped()), 50) << "no more than all";
}

}  // namespace
}  // namespace weir::trace
