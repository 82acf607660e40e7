#include "plan/pairs.h"

#include <gtest/gtest.h>

#include <vector>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

// The slow answer: every rank and aggregator.
Pairs counted_one_by_one(const Plan& plan) {
  Pairs pairs;
  for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
    const auto aggregator = static_cast<std::size_t>(plan.aggregators[a]);
    for (std::size_t rank = 0; rank < plan.sharing_of.size(); ++rank) {
      const bool near = plan.sharing_of[rank] == plan.sharing_of[aggregator];
      if (!near && plan.local_aggregator_of[rank] != static_cast<int>(rank)) continue;
      ++pairs.possible;
      pairs.possible_turns += round_count(plan.domains[a], plan.round_size);
    }
  }
  return pairs;
}

TEST(Pairs, ArePossibleBetweenAggregatorsAndTheRanksOrLocalAggregatorsThatMeetThem) {
  for (const int nodes : {1, 2, 5}) {
    for (const Exchange exchange : {Exchange::kShared, Exchange::kDirect, Exchange::kPairwise}) {
      for (const int local_aggregators : {1, 2, 3}) {
        for (int aggregators = 1; aggregators <= 3 * nodes; ++aggregators) {
          Facts facts = facts_of(Direction::kWrite, nodes, 3);
          facts.wishes.method = Method::kTwoPhase;
          facts.wishes.exchange = exchange;
          facts.wishes.local_aggregators = local_aggregators;
          facts.wishes.aggregators = aggregators;
          facts.wishes.most_window_bytes = 4096;
          const Plan plan = make_plan(facts, interleaved(3 * nodes, 100, 1000));
          EXPECT_EQ(possible_pairs(plan), counted_one_by_one(plan)) << print(plan);
        }
      }
    }
  }
}

TEST(Pairs, OfFourNodesWithFourRanksEach) {
  Facts facts = facts_of(Direction::kWrite, 4, 4);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.local_aggregators = 1;
  // Four aggregators, each with the four ranks of its node and three other nodes.
  EXPECT_EQ(possible_pairs(make_plan(facts, interleaved(16, 64, 1000))), (Pairs{4 * 7, 0, 4 * 7, 0}));
  facts.wishes.exchange = Exchange::kDirect;
  EXPECT_EQ(possible_pairs(make_plan(facts, interleaved(16, 64, 1000))), (Pairs{4 * 16, 0, 4 * 16, 0}));
}

TEST(Sparse, IsSettledByTheTurnsThatHaveBytes) {
  Plan plan = make_plan(facts_of(Direction::kWrite, 4, 4), interleaved(16, 64, 100000));
  EXPECT_FALSE(plan.sparse.has_value());
  for (const auto& [turns, sparse] : {std::pair{55, true}, std::pair{56, false}}) {
    Plan settled = plan;
    settle_sparse(settled, {28, 28, 56, turns});
    EXPECT_EQ(settled.sparse, sparse);
    EXPECT_EQ(settled.pairs, (Pairs{28, 28, 56, turns}));
  }
}

TEST(Sparse, IsAsAskedForWhateverIsCounted) {
  for (const bool wish : {true, false}) {
    Facts facts = facts_of(Direction::kWrite, 4, 4);
    facts.wishes.sparse = wish;
    Plan plan = make_plan(facts, interleaved(16, 64, 100000));
    EXPECT_EQ(plan.sparse, wish);
    settle_sparse(plan, {28, 28, 56, wish ? 56 : 3});
    EXPECT_EQ(plan.sparse, wish);
  }
}

}  // namespace
}  // namespace weir::plan
