#include "plan/served_ranks.h"

#include <gtest/gtest.h>

#include <vector>

#include "plan/aggregators.h"

namespace weir::plan {
namespace {

// Two nodes of 5 ranks, 2 local aggregators each: {0, 1, 2}, {3, 4}, {5, 6, 7}, {8, 9}.
Plan plan_of_two_nodes() {
  const std::vector<int> node_of = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  Plan plan;
  plan.local_aggregator_of = local_aggregator_of(node_of, 2);
  return plan;
}

TEST(ServedRanks, AreThoseUpToTheNextLocalAggregator) {
  const Plan plan = plan_of_two_nodes();
  for (const int rank : {0, 1, 2}) EXPECT_EQ(served_with(plan, rank), (std::vector<int>{0, 1, 2}));
  for (const int rank : {3, 4}) EXPECT_EQ(served_with(plan, rank), (std::vector<int>{3, 4}));
  for (const int rank : {5, 6, 7}) EXPECT_EQ(served_with(plan, rank), (std::vector<int>{5, 6, 7}));
  for (const int rank : {8, 9}) EXPECT_EQ(served_with(plan, rank), (std::vector<int>{8, 9}));
}

}  // namespace
}  // namespace weir::plan
