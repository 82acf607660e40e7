#include "plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace weir::plan {
namespace {

using Summaries = std::vector<AccessSummary>;

const AccessSummary kFirst = {{0, 100}, 60, 3, 0};
const AccessSummary kSecond = {{50, 400}, 200, 9, 0};
const AccessSummary kIdle = {{0, 0}, 0, 0, 0};
const AccessSummary kRefused = {{0, 0}, 0, 0, 1};

TEST(Plan, PrintsOneLineThatSaysEverything) {
  EXPECT_EQ(print(make_plan(Direction::kWrite, Summaries{kFirst, kIdle, kSecond})),
            "independent: 260 bytes of 2 ranks in [0, 400); every rank writes its own pieces");
  EXPECT_EQ(print(make_plan(Direction::kRead, Summaries{kSecond})),
            "independent: 200 bytes of 1 ranks in [50, 400); every rank reads its own pieces");
}

TEST(Plan, OfNothingIsNothing) {
  for (const Summaries& summaries : {Summaries{}, Summaries{kIdle}, Summaries{kIdle, kIdle, kIdle}}) {
    Plan plan = make_plan(Direction::kRead, summaries);
    EXPECT_EQ(plan.method, Method::kNothing);
    EXPECT_EQ(print(plan), "nothing: 0 bytes of 0 ranks in [0, 0); no rank has bytes to move");
  }
}

TEST(Plan, MovesNothingWhenOneRankIsRefused) {
  Plan plan = make_plan(Direction::kWrite, Summaries{kFirst, kRefused, kSecond});
  EXPECT_EQ(plan.method, Method::kNothing);
  EXPECT_EQ(print(plan), "nothing: 0 bytes of 0 ranks in [0, 0); a rank's arguments were refused");
  EXPECT_EQ(make_plan(Direction::kWrite, Summaries{kRefused}), plan);
}

TEST(Plan, AnIdleRankDoesNotWidenTheRegion) {
  AccessSummary idle_elsewhere = {{7000, 7000}, 0, 0, 0};
  Plan plan = make_plan(Direction::kRead, Summaries{kSecond, idle_elsewhere});
  EXPECT_EQ(plan.region, (Extent{50, 400}));
  EXPECT_EQ(plan.active_ranks, 1);
}

// Every rank gathers the same summaries; whatever order sums and hulls are taken in, the plan is the same.
TEST(Plan, DoesNotDependOnTheOrderOfSummaries) {
  Summaries summaries = {kFirst, kSecond, kIdle, {{9000, 9010}, 10, 1, 0}, {{1, 2}, 1, 1, 0}};
  const Plan expected = make_plan(Direction::kWrite, summaries);
  std::vector<std::size_t> order = {0, 1, 2, 3, 4};
  do {
    Summaries permuted;
    for (std::size_t i : order) permuted.push_back(summaries[i]);
    EXPECT_EQ(make_plan(Direction::kWrite, permuted), expected);
    EXPECT_EQ(hash(make_plan(Direction::kWrite, permuted)), hash(expected));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Plan, EqualPlansHaveEqualHashesAndDifferentOnesDiffer) {
  std::vector<Plan> plans;
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (const Summaries& summaries : {Summaries{kFirst}, Summaries{kSecond}, Summaries{kFirst, kSecond}}) {
      plans.push_back(make_plan(direction, summaries));
    }
  }
  plans.push_back(make_plan(Direction::kRead, Summaries{}));
  plans.push_back(make_plan(Direction::kRead, Summaries{kRefused}));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    for (std::size_t j = 0; j < plans.size(); ++j) {
      EXPECT_EQ(plans[i] == plans[j], i == j) << print(plans[i]) << " / " << print(plans[j]);
      EXPECT_EQ(hash(plans[i]) == hash(plans[j]), i == j);
    }
  }
}

TEST(Plan, EveryFieldCounts) {
  const Plan plan = {Method::kIndependent, "why", {1, 2}, 3, 4};
  for (int field = 0; field < 6; ++field) {
    Plan other = plan;
    if (field == 0) other.method = Method::kNothing;
    if (field == 1) other.reason = "why not";
    if (field == 2) other.region.begin = 0;
    if (field == 3) other.region.end = 9;
    if (field == 4) other.bytes = 9;
    if (field == 5) other.active_ranks = 9;
    EXPECT_NE(other, plan);
    EXPECT_NE(hash(other), hash(plan));
  }
}

TEST(Plan, SumsAreSixtyFourBitsWide) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  Plan plan = make_plan(Direction::kWrite, Summaries{{{0, kFar}, kFar, 1, 0}, {{kFar, 2 * kFar}, kFar, 1, 0}});
  EXPECT_EQ(plan.bytes, 2 * kFar);
  EXPECT_EQ(plan.region, (Extent{0, 2 * kFar}));
}

}  // namespace
}  // namespace weir::plan
