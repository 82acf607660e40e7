#include "plan/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace weir::plan {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

// A two-phase plan of `ranks` ranks on one node, every one of the first `aggregators` an aggregator.
Plan plan_of(int ranks, int aggregators, int depth, std::int64_t window_bytes, std::int64_t rounds = 1) {
  Plan plan;
  plan.method = Method::kTwoPhase;
  plan.exchange = Exchange::kShared;
  for (int i = 0; i < aggregators; ++i) plan.aggregators.push_back(i);
  plan.sharing_of.assign(static_cast<std::size_t>(ranks), 0);
  plan.depth = depth;
  plan.round_size = {window_bytes, 1};
  plan.rounds = rounds;
  return plan;
}

Machine machine_of(int ranks, std::int64_t table_limit_bytes, std::int64_t buffer_limit_bytes) {
  Machine machine = Machine::one_node(ranks);
  machine.table_limit_bytes = table_limit_bytes;
  machine.buffer_limit_bytes = buffer_limit_bytes;
  return machine;
}

// What buffers take at most: every slot a page-rounded window with its marks and header.
std::int64_t buffer_bytes(const Plan& plan) {
  const std::int64_t window = plan.round_size.window_bytes;
  const std::int64_t slot = (64 + (window + 63) / 64 * 64 + (window + 63) / 64 * 8 + 4095) / 4096 * 4096;
  return std::ssize(plan.aggregators) * plan.depth * slot;
}

TEST(Fit, WithoutLimitsNothingChanges) {
  const Plan before = plan_of(1000, 1000, 16, kMiB << 20, kMiB << 20);
  Plan plan = before;
  fit_windows(Machine::one_node(1000), plan);
  EXPECT_EQ(plan, before);
  EXPECT_TRUE(fits(Machine::one_node(1000), plan));
}

TEST(Fit, SmallPlansStayAsTheyAre) {
  const Machine machine = machine_of(4, 16 * kMiB, 63 * kMiB);
  const Plan before = plan_of(4, 4, 2, 4 * kMiB);
  Plan plan = before;
  fit_windows(machine, plan);
  EXPECT_EQ(plan, before);
  EXPECT_TRUE(fits(machine, plan));
}

TEST(Fit, WindowsShrink) {
  const Machine machine = machine_of(64, 16 * kMiB, 63 * kMiB);
  Plan plan = plan_of(64, 64, 2, 4 * kMiB);
  EXPECT_FALSE(fits(machine, plan));
  fit_windows(machine, plan);
  EXPECT_TRUE(fits(machine, plan));
  EXPECT_EQ(plan.depth, 2);
  EXPECT_LT(plan.round_size.window_bytes, 4 * kMiB);
  EXPECT_GT(plan.round_size.window_bytes, 300 * kKiB);
  ASSERT_EQ(plan.replaced.size(), 1U);
}

TEST(Fit, RoundsInFlightAreGivenUpBeforeWindowsGetTiny) {
  const Machine machine = machine_of(8, 16 * kMiB, kMiB);
  Plan plan = plan_of(8, 8, 4, kMiB);
  fit_windows(machine, plan);
  EXPECT_EQ(plan.depth, 1);
  EXPECT_GT(plan.round_size.window_bytes, 64 * kKiB);
  EXPECT_TRUE(fits(machine, plan));
}

TEST(Fit, TooManyAggregatorsForAnyWindow) {
  const Machine machine = machine_of(1000, 16 * kMiB, kMiB);
  Plan plan = plan_of(1000, 1000, 2, kMiB);
  fit_windows(machine, plan);
  EXPECT_FALSE(fits(machine, plan));
}

TEST(Fit, TooManyRoundsForTheTables) {
  const Machine machine = machine_of(8, kMiB, 63 * kMiB);
  EXPECT_TRUE(fits(machine, plan_of(8, 2, 2, kMiB, kMiB / (8 * 2 * 16))));
  EXPECT_FALSE(fits(machine, plan_of(8, 2, 2, kMiB, kMiB / (8 * 2 * 16) + 1)));
}

TEST(Fit, MessagesHaveNoLimits) {
  const Machine machine = machine_of(8, 1, 1);
  const Plan before = [] {
    Plan plan = plan_of(8, 8, 2, kMiB, 100);
    plan.exchange = Exchange::kDirect;
    return plan;
  }();
  Plan plan = before;
  fit_windows(machine, plan);
  EXPECT_EQ(plan, before);
  EXPECT_TRUE(fits(machine, plan));
}

// Whatever is said to fit does.
TEST(Fit, WhatFitsIsNoLarger) {
  for (const std::int64_t limit : {kMiB / 4, kMiB, 7 * kMiB + 123, 63 * kMiB}) {
    for (int aggregators = 1; aggregators <= 64; aggregators += 3) {
      for (const int depth : {1, 2, 3, 16}) {
        for (const std::int64_t window : {std::int64_t{1}, std::int64_t{100}, 4 * kKiB, 100 * kKiB + 1, 16 * kMiB}) {
          const Machine machine = machine_of(64, kNoLimit, limit);
          Plan plan = plan_of(64, aggregators, depth, window);
          fit_windows(machine, plan);
          if (!fits(machine, plan)) continue;
          EXPECT_LE(buffer_bytes(plan), limit) << aggregators << " " << depth << " " << window;
        }
      }
    }
  }
}

// Planning as a whole: what does not fit is done by every rank for itself, and says why.
TEST(Fit, PlansKeepToTheLimits) {
  std::vector<AccessSummary> summaries(8);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    summaries[i].file_extent = {static_cast<std::int64_t>(i) * 64,
                                (std::int64_t{1} << 30) + static_cast<std::int64_t>(i) * 64};
    summaries[i].bytes = std::int64_t{1} << 27;
    summaries[i].file_pieces = std::int64_t{1} << 21;
  }
  Facts facts{Direction::kRead, false, machine_of(8, 16 * kMiB, 63 * kMiB), {}, {}};
  facts.machine.cores_per_node = 8;
  facts.wishes.depth = 8;
  facts.wishes.method = Method::kTwoPhase;
  const Plan limited = make_plan(facts, summaries);
  EXPECT_EQ(limited.method, Method::kTwoPhase);
  EXPECT_LE(buffer_bytes(limited), 63 * kMiB);
  facts.machine.table_limit_bytes = 1024;
  const Plan alone = make_plan(facts, summaries);
  EXPECT_EQ(alone.method, Method::kIndependent);
  EXPECT_NE(alone.reason.find("more memory than is set aside"), std::string::npos) << alone.reason;
  EXPECT_EQ(alone.replaced, std::vector<std::string>{"two_phase asked for, replaced by independent access"});
  EXPECT_TRUE(alone.aggregators.empty());
}

TEST(Messages, WindowsGetSmallerUntilTheyFit) {
  Plan plan = plan_of(8, 4, 2, kMiB);
  EXPECT_EQ(window_for_messages(plan, 100 * kMiB), kMiB) << "no limit";
  plan.most_message_bytes = kMiB;
  for (const std::int64_t fitting : {std::int64_t{0}, kMiB / 2, kMiB, kMiB + kMiB / 8}) {
    EXPECT_EQ(window_for_messages(plan, fitting), kMiB) << fitting;
  }
  EXPECT_EQ(window_for_messages(plan, 4 * kMiB), kMiB / 4);
  EXPECT_EQ(window_for_messages(plan, 1000 * kMiB), 64 * kKiB) << "windows are not made smaller than that";
  plan.round_size.window_bytes = 64 * kKiB;
  EXPECT_EQ(window_for_messages(plan, 1000 * kMiB), 64 * kKiB);
  plan.round_size.window_bytes = 100;
  plan.most_message_bytes = 100;
  EXPECT_EQ(window_for_messages(plan, 1000), 100);
}

TEST(Messages, AShrunkPlanSaysSo) {
  Plan plan = plan_of(8, 2, 2, kMiB, 4);
  plan.domains = make_domains({DomainKind::kEven, {0, 8 * kMiB}, 2, 1, 1});
  plan.most_message_bytes = kMiB;
  shrink_windows(plan, kMiB / 4);
  EXPECT_EQ(plan.round_size.window_bytes, kMiB / 4);
  EXPECT_EQ(plan.rounds, 16);
  ASSERT_EQ(plan.replaced.size(), 1U);
  EXPECT_NE(plan.replaced[0].find("262144"), std::string::npos) << plan.replaced[0];
}

}  // namespace
}  // namespace weir::plan
