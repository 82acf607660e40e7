// Calls that are made again cost the same however many ranks a node has. Counts only; docs/scaling.md has the tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "comm/collectives.h"
#include "scale/engine_costs.h"
#include "scale/plan_costs.h"

namespace weir::scale {
namespace {

CallCost cost_of(const std::vector<CallCost>& costs, const std::string& call) {
  const auto found = std::find_if(costs.begin(), costs.end(), [&](const CallCost& cost) { return cost.call == call; });
  EXPECT_NE(found, costs.end()) << call;
  return found == costs.end() ? CallCost() : *found;
}

const char* const kAgain[] = {"write, again", "write, further on", "read, further on"};

void expect_messages_of_nodes_only(const Shape& shape) {
  const std::vector<CallCost> costs = engine_costs(shape);
  const std::int64_t exchange = shape.nodes() * comm::steps_of(shape.nodes());
  for (const char* call : kAgain) {
    EXPECT_LE(cost_of(costs, call).messages_between, 2 * exchange) << call;
    EXPECT_EQ(cost_of(costs, call).messages_inside, 0) << call;
  }
  EXPECT_LE(cost_of(costs, "sync").messages_between, exchange);
  EXPECT_EQ(cost_of(costs, "sync").messages_inside, 0);
  EXPECT_LE(cost_of(costs, "open").messages_between, 8 * exchange);
}

TEST(Scale, CallsAgainSendAMessageForEachStepOfANode) { expect_messages_of_nodes_only({256, 16}); }

TEST(ScaleDeep, CallsAgainSendAMessageForEachStepOfANode) { expect_messages_of_nodes_only({1024, 64}); }

TEST(Scale, BytesOfANodeDoNotDependOnItsRanks) {
  const std::vector<CallCost> few = engine_costs({32, 2});
  const std::vector<CallCost> many = engine_costs({256, 16});
  for (const char* call : {"open", "write, again", "write, further on", "read, further on"}) {
    EXPECT_EQ(cost_of(few, call).bytes_between, cost_of(many, call).bytes_between) << call;
    EXPECT_EQ(cost_of(few, call).messages_between, cost_of(many, call).messages_between) << call;
  }
}

// Of the median rank, which acts for no node and is no aggregator.
TEST(Scale, MemoryOfARankDoesNotDependOnTheirNumber) {
  const std::vector<CallCost> few = engine_costs({32, 8});
  const std::vector<CallCost> many = engine_costs({256, 16});
  for (const char* call : kAgain) {
    EXPECT_EQ(cost_of(few, call).median_allocated_bytes, cost_of(many, call).median_allocated_bytes) << call;
  }
}

TEST(Scale, LookingUpAllocatesTheSameForAnyNumberOfRanks) {
  EXPECT_EQ(plan_cost({16384, 64}).look_up_allocations, plan_cost({64, 64}).look_up_allocations);
}

}  // namespace
}  // namespace weir::scale
