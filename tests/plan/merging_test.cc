// Whether requests are merged before they leave a node.
#include "plan/merging.h"

#include <gtest/gtest.h>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

Facts nodes_of_four(int nodes) {
  Facts facts = facts_of(Direction::kWrite, nodes, 4);
  facts.wishes.method = Method::kTwoPhase;
  facts.wishes.local_aggregators = 1;
  return facts;
}

TEST(MergingChoice, IsTriedWhereRanksOfALocalAggregatorInterleave) {
  EXPECT_EQ(make_plan(nodes_of_four(2), interleaved(8, 64, 100)).merging, Merging::kTry);
}

TEST(MergingChoice, IsOffWhereNothingCanBeGained) {
  const auto reason = [](const Facts& facts, const Summaries& summaries) {
    const Plan plan = make_plan(facts, summaries);
    EXPECT_EQ(plan.merging, Merging::kOff);
    EXPECT_TRUE(plan.replaced.empty());
    return plan.merging_reason;
  };
  EXPECT_EQ(reason(nodes_of_four(1), interleaved(4, 64, 100)), "");
  EXPECT_EQ(reason(nodes_of_four(2), interleaved(8, 64, 3)), "ranks have few pieces");
  Summaries apart;
  for (std::int64_t rank = 0; rank < 8; ++rank) apart.push_back(summary({rank * 1000, rank * 1000 + 1000}, 500, 50));
  EXPECT_EQ(reason(nodes_of_four(2), apart), "ranks of a local aggregator do not interleave");
  Facts everyone = nodes_of_four(2);
  everyone.wishes.local_aggregators = 4;
  EXPECT_EQ(reason(everyone, interleaved(8, 64, 100)), "no local aggregator serves several ranks with bytes");
  Facts direct = nodes_of_four(2);
  direct.wishes.local_aggregators.reset();
  direct.wishes.exchange = Exchange::kDirect;
  EXPECT_EQ(reason(direct, interleaved(8, 64, 100)), "");
}

TEST(MergingChoice, FollowsAWish) {
  Facts facts = nodes_of_four(2);
  facts.wishes.merging = true;
  EXPECT_EQ(make_plan(facts, segmented(8, 1000)).merging, Merging::kOn);
  facts.wishes.merging = false;
  EXPECT_EQ(make_plan(facts, interleaved(8, 64, 100)).merging, Merging::kOff);
  facts.wishes.merging = true;
  facts.wishes.local_aggregators.reset();
  facts.wishes.exchange = Exchange::kDirect;
  EXPECT_EQ(make_plan(facts, interleaved(8, 64, 100)).replaced,
            std::vector<std::string>{"merging asked for, but direct exchange merges nothing"});
}

struct Settling {
  MergeCounts found;
  Merging settled;
  const char* reason;
};

TEST(MergingChoice, IsSettledByWhatIsCounted) {
  const Plan tried = make_plan(nodes_of_four(2), interleaved(8, 64, 100));
  for (const Settling& each : {
           Settling{{{800, 400}, 0, 0}, Merging::kOn, "800 pieces become 400"},
           Settling{{{800, 401}, 0, 0}, Merging::kOff, "800 pieces would become 401"},
           Settling{{{800, 400}, 1, 0}, Merging::kOff, "lists of merged pieces would take too much memory"},
           Settling{{{800, 0}, 0, 1}, Merging::kOff, "merged requests reach too far or are nested too deep"},
       }) {
    Plan plan = tried;
    EXPECT_EQ(settled_merging(plan, each.found), each.settled);
    settle_merging(plan, each.found);
    EXPECT_EQ(plan.merging, each.settled);
    EXPECT_EQ(plan.merging_reason, each.reason);
  }
}

TEST(MergingChoice, ThatIsMadeChangesOnlyWhereItCannotBeDone) {
  Facts facts = nodes_of_four(2);
  facts.wishes.merging = true;
  Plan plan = make_plan(facts, interleaved(8, 64, 100));
  settle_merging(plan, {{800, 800}, 1, 0});
  EXPECT_EQ(plan.merging, Merging::kOn);
  EXPECT_EQ(plan.merging_reason, "asked for by hint");
  settle_merging(plan, {{800, 800}, 0, 1});
  EXPECT_EQ(plan.merging, Merging::kOff);
}

// Merged lists take no more than a quarter of the data, on all ranks together.
TEST(MergingChoice, KeepsListsSmallBesideTheData) {
  EXPECT_EQ(most_merged_memory(64 * kMiB, 16), kMiB);
  EXPECT_EQ(most_merged_memory(100, 16), 64 * kKiB);
}

}  // namespace
}  // namespace weir::plan
