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
  plan.sharing_of = std::vector<int>(static_cast<std::size_t>(ranks));
  plan.depth = depth;
  plan.round_size = {window_bytes, 1};
  plan.rounds = rounds;
  return plan;
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
