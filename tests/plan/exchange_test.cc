// Which exchange is chosen, and who trades.
#include "plan/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

Facts nodes_of(int nodes, int ranks_per_node) {
  Facts facts = facts_of(Direction::kWrite, nodes, ranks_per_node);
  facts.wishes.method = Method::kTwoPhase;
  return facts;
}

// Blocks of 8 bytes all over a region of 2 MiB: 32 aggregators would do.
Summaries scattered(int ranks) {
  Summaries summaries;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    summaries.push_back(summary({rank * 8, 2 * kMiB - (ranks - 1 - rank) * 8}, 1024, 128));
  }
  return summaries;
}

TEST(ExchangeChoice, ManyTinyMessagesAreTraded) {
  Facts facts = nodes_of(32, 1);
  const Plan alone = make_plan(facts, scattered(32));
  EXPECT_EQ(alone.exchange, Exchange::kPairwise);
  EXPECT_FALSE(alone.in_memory);
  EXPECT_EQ(alone.exchange_reason, "a rank would send 32 messages of 32 bytes a round: 5 trades instead");
  EXPECT_TRUE(alone.replaced.empty());
  EXPECT_EQ(alone.aggregators.size(), 32U);
}

TEST(ExchangeChoice, NodesTradeWhereRanksShareMemory) {
  Facts facts = nodes_of(35, 4);
  const Plan plan = make_plan(facts, scattered(140));
  EXPECT_EQ(plan.exchange, Exchange::kPairwise);
  EXPECT_TRUE(plan.in_memory);
  EXPECT_EQ(plan.exchange_reason, "a node would send 33 messages of 124 bytes a round: 6 trades instead");
  EXPECT_EQ(plan.aggregators.size(), 32U);
  EXPECT_EQ(parties_of(plan).size(), 35U);
  EXPECT_EQ(plan.aggregators[1], 4 * 16);  // bits reversed
  EXPECT_TRUE(plan.replaced.empty());
}

TEST(ExchangeChoice, LargerOrFewerMessagesAreNotTraded) {
  EXPECT_EQ(make_plan(nodes_of(32, 4), interleaved(128, 4 * kKiB, 100)).exchange, Exchange::kShared) << "large";
  EXPECT_EQ(make_plan(nodes_of(4, 4), scattered(16)).exchange, Exchange::kShared) << "four nodes";
  EXPECT_EQ(make_plan(nodes_of(32, 4), interleaved(128, 8, 16)).exchange, Exchange::kShared) << "one aggregator";
  Facts striped_file = nodes_of(32, 4);
  striped_file.storage = striped();
  EXPECT_EQ(make_plan(striped_file, scattered(128)).exchange, Exchange::kShared) << "two stripes in all";
  // As many aggregators, but each rank has bytes for one of them.
  EXPECT_EQ(make_plan(nodes_of(32, 1), segmented(32, 2 * kMiB / 32)).exchange, Exchange::kDirect) << "segments";
}

TEST(ExchangeChoice, NoWishIsReplacedForTrades) {
  Facts facts = nodes_of(32, 2);
  EXPECT_EQ(make_plan(facts, scattered(64)).exchange, Exchange::kPairwise);
  Facts aggregators = facts;
  aggregators.wishes.aggregators = 16;
  Facts domains = facts;
  domains.wishes.domains = DomainKind::kGroupCyclic;
  Facts places = facts;
  places.machine.most_per_node[3] = 0;
  Facts exchange = facts;
  exchange.wishes.exchange = Exchange::kShared;
  for (const Facts& wished : {aggregators, domains, places, exchange}) {
    const Plan plan = make_plan(wished, scattered(64));
    EXPECT_EQ(plan.exchange, Exchange::kShared) << print(plan);
    EXPECT_TRUE(plan.replaced.empty()) << print(plan);
  }
}

// The IEC paper's table 4: P = 4, N_x = 16, B_x = 1, in entries.
TEST(ExchangeChoice, PairwiseRanksOwnTheChunkOfTheirNumberWithTheBitsReversed) {
  Facts facts = nodes_of(4, 1);
  facts.wishes.exchange = Exchange::kPairwise;
  facts.wishes.domains = DomainKind::kEven;
  const Plan plan = make_plan(facts, interleaved(4, 1, 4));
  std::vector<Extent> chunks(4);
  for (std::size_t i = 0; i < plan.aggregators.size(); ++i)
    chunks[static_cast<std::size_t>(plan.aggregators[i])] = plan.domains[i].extent;
  EXPECT_EQ(chunks, (std::vector<Extent>{{0, 4}, {8, 12}, {4, 8}, {12, 16}})) << print(plan);
}

TEST(ExchangeChoice, PairwiseByHintIsBetweenRanksUnlessLocalAggregatorsAreAskedFor) {
  Facts facts = nodes_of(3, 4);
  facts.wishes.exchange = Exchange::kPairwise;
  const Plan ranks = make_plan(facts, interleaved(12, 100, 50));
  EXPECT_FALSE(ranks.in_memory);
  EXPECT_EQ(ranks.aggregators.size(), 8U);
  for (const int wanted : {1, 2, 4}) {
    facts.wishes.local_aggregators = wanted;
    const Plan nodes = make_plan(facts, interleaved(12, 100, 50));
    EXPECT_TRUE(nodes.in_memory);
    EXPECT_EQ(std::ssize(parties_of(nodes)), 3 * wanted);
    EXPECT_TRUE(std::ranges::is_sorted(parties_of(nodes)));
    for (const int aggregator : nodes.aggregators) {
      EXPECT_EQ(nodes.local_aggregator_of[static_cast<std::size_t>(aggregator)], aggregator);
    }
    EXPECT_TRUE(nodes.replaced.empty());
  }
}

}  // namespace
}  // namespace weir::plan
