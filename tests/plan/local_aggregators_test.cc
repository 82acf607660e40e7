// How many local aggregators a node has.
#include "plan/local_aggregators.h"

#include <gtest/gtest.h>

#include <vector>

#include "plan/plan_cases.h"

namespace weir::plan {
namespace {

// A core sends and receives 1 GB/s and a message in 1 us; those that wait cost nothing more.
constexpr model::Network kNetwork = {
    .latency_us = 30, .link_mb_s = 1000, .core_mb_s = 1000, .send_us = 1, .receive_us = 1, .waiting_us = 0};
constexpr double kPiece = 0.004;

// A round of `aggregators` windows of 1 MiB, on nodes of 64 ranks and cores, without pieces to speak of.
NodeTraffic round_of(int nodes, std::int64_t aggregators) {
  const std::int64_t elsewhere = aggregators - aggregators / nodes;
  return {64, 64, nodes, elsewhere * kMiB / nodes, elsewhere, 0, kNetwork, kPiece};
}

// The same number by trying all.
int cheapest_of_all(const NodeTraffic& traffic, int most) {
  int best = 1;
  for (int count = 2; count <= most; ++count) {
    if (local_aggregators_cost(traffic, count) < local_aggregators_cost(traffic, best)) best = count;
  }
  return best;
}

TEST(LocalAggregators, CostLeastOfAllNumbers) {
  for (const int nodes : {2, 3, 4, 16, 64, 256, 4096}) {
    for (const std::int64_t bytes : {std::int64_t{0}, 100 * kKiB, kMiB, 16 * kMiB, 1024 * kMiB}) {
      for (const std::int64_t pieces : {0, 1000, 1000000}) {
        for (const int ranks : {1, 2, 7, 64}) {
          const NodeTraffic traffic{ranks, 1000, nodes, bytes, 1, pieces, kNetwork, kPiece};
          const int most = static_cast<int>(std::min<std::int64_t>(ranks, bytes / 4096));
          EXPECT_EQ(cheapest_local_aggregators(traffic), cheapest_of_all(traffic, most))
              << nodes << " nodes of " << ranks << ", " << bytes << " bytes, " << pieces << " pieces";
        }
      }
    }
  }
}

// TAM paper, V: 56 aggregators on nodes of 64 ranks; about 256 local aggregators in all were best.
TEST(LocalAggregators, AreAsManyInAllAsThePaperFoundBest) {
  for (const int nodes : {4, 16, 64, 256}) {
    const int all = nodes * cheapest_local_aggregators(round_of(nodes, 56));
    EXPECT_GE(all, 230) << nodes << " nodes";
    EXPECT_LE(all, 260) << nodes << " nodes";
  }
  EXPECT_EQ(cheapest_local_aggregators(round_of(256, 56)), 1);
}

// TAM paper, figures 4 to 7: work inside nodes falls as 1 / P_L, work between nodes grows with P_L.
TEST(LocalAggregators, ShareTheSendingAndAddToTheReceiving) {
  const NodeTraffic traffic = round_of(64, 56);
  NodeTraffic sending = traffic;
  sending.nodes = 1;
  NodeTraffic receiving = traffic;
  receiving.bytes = 0;
  for (const int count : {1, 2, 4, 8, 16, 32}) {
    EXPECT_EQ(local_aggregators_cost(sending, 2 * count), local_aggregators_cost(sending, count) / 2);
    EXPECT_EQ(local_aggregators_cost(receiving, 2 * count), local_aggregators_cost(receiving, count) * 2);
  }
}

// The more it costs that messages wait at their receivers, the fewer are sent.
TEST(LocalAggregators, AreFewerWhereWaitingMessagesCost) {
  NodeTraffic traffic = round_of(16, 56);
  int before = cheapest_local_aggregators(traffic);
  for (const double waiting_us : {0.01, 0.1, 1.0}) {
    traffic.network.waiting_us = waiting_us;
    const int count = cheapest_local_aggregators(traffic);
    EXPECT_LT(count, before) << waiting_us;
    EXPECT_EQ(count, cheapest_of_all(traffic, 64));
    before = count;
  }
}

TEST(LocalAggregators, AreNoMoreThanCoresOrThanParcelsAreWorth) {
  NodeTraffic traffic = round_of(4, 56);
  traffic.cores_per_node = 3;
  EXPECT_EQ(cheapest_local_aggregators(traffic), 3);
  traffic.bytes = 2 * 4096 * traffic.parcels;
  EXPECT_EQ(cheapest_local_aggregators(traffic), 2);
  traffic.bytes = 100;
  EXPECT_EQ(cheapest_local_aggregators(traffic), 1);
}

// Pieces that would be merged are a reason for fewer.
TEST(LocalAggregators, AreFewerWhereThereAreManyPieces) {
  NodeTraffic traffic = round_of(16, 56);
  const int few_pieces = cheapest_local_aggregators(traffic);
  traffic.pieces = kMiB / 8;
  EXPECT_LT(cheapest_local_aggregators(traffic), few_pieces);
}

// Lists that have to be merged before the first round are a reason for more: each merges fewer.
TEST(LocalAggregators, AreMoreWhereListsAreMerged) {
  NodeTraffic traffic = round_of(256, 56);
  int before = cheapest_local_aggregators(traffic);
  EXPECT_EQ(before, 1);
  for (const std::int64_t listed : {1000000, 10000000, 100000000}) {
    traffic.listed = listed;
    const int count = cheapest_local_aggregators(traffic);
    EXPECT_GT(count, before) << listed;
    EXPECT_EQ(count, cheapest_of_all(traffic, 64));
    before = count;
  }
  traffic.rounds = 1000;
  EXPECT_LT(cheapest_local_aggregators(traffic), before) << "merged once";
}

Plan plan_with(int nodes, const Wishes& wishes, const Summaries& summaries) {
  Facts facts = facts_of(Direction::kWrite, nodes, 4);
  facts.wishes = wishes;
  facts.wishes.method = Method::kTwoPhase;
  return make_plan(facts, summaries);
}

TEST(LocalAggregators, ThePlanSaysWhy) {
  const Plan large = plan_with(4, {}, interleaved(16, 64, 100000));
  EXPECT_EQ(large.local_aggregators, 2) << "each serves two ranks";
  EXPECT_EQ(
      large.local_aggregators_reason,
      "2.6 MiB a round leave a node for 3 aggregators on 3 other nodes; predicted: 1.61 ms with 2, 2.86 ms with 1");
  const Plan small = plan_with(4, {}, interleaved(16, 64, 10));
  EXPECT_EQ(small.local_aggregators, 1);
  Wishes wishes;
  wishes.local_aggregators = 2;
  const Plan wished = plan_with(4, wishes, interleaved(16, 64, 100000));
  EXPECT_EQ(wished.local_aggregators, 2);
  EXPECT_EQ(wished.local_aggregators_reason, "asked for by hint");
  EXPECT_EQ(wished.local_aggregator_of, (RankTable{0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14}));
  // Each rank's list is of its own kind: merging these costs more than common patterns do.
  Summaries lists = interleaved(64, 64, 100000);
  const Plan regular = plan_with(16, {}, lists);
  for (std::size_t rank = 0; rank < lists.size(); ++rank) lists[rank].structure = rank + 1;
  EXPECT_NE(plan_with(16, {}, lists).local_aggregators_reason, regular.local_aggregators_reason);
  const Plan alone = plan_with(1, {}, interleaved(4, 64, 100000));
  EXPECT_EQ(alone.local_aggregators, 1);
  EXPECT_EQ(alone.local_aggregators_reason, "");
}

TEST(LocalAggregators, LeaveSomethingToMerge) {
  Wishes wishes;
  wishes.merging = true;
  const Plan plan = plan_with(4, wishes, interleaved(16, 64, 100000));
  EXPECT_EQ(plan.local_aggregators, 2);
  EXPECT_EQ(plan.merging, Merging::kOn);
}

// Messages that come to an aggregator in a round, at most: one from each local aggregator, with its own node's.
TEST(LocalAggregators, AreTheReceivesOfAnAggregator) {
  struct Case {
    int nodes;
    int local_aggregators;
    int receives;
  };
  // TAM paper, IV-D: P = 16384 on 256 nodes, P_L = 256; P = 917504 on 14336 nodes, P_L = 14336.
  for (const Case& each : {Case{256, 64, 16384}, Case{256, 1, 256}, Case{14336, 64, 917504}, Case{14336, 1, 14336}}) {
    std::vector<int> node_of(static_cast<std::size_t>(each.nodes) * 64);
    for (std::size_t rank = 0; rank < node_of.size(); ++rank) node_of[rank] = static_cast<int>(rank / 64);
    Plan plan;
    plan.local_aggregator_of = local_aggregator_of(node_of, each.local_aggregators);
    EXPECT_EQ(receives_of_a_round(plan), each.receives);
  }
}

}  // namespace
}  // namespace weir::plan
