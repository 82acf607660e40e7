// The pairwise exchange on paper: who holds which blocks before and after every phase.
#include "exec/stage/trades.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace weir::exec {
namespace {

using Block = Trades::Block;
using Origins = std::multiset<std::pair<int, int>>;  // aggregator and origin

// Every rank below the greatest power of two is an aggregator, of one round.
struct Case {
  explicit Case(int ranks) {
    plan.exchange = plan::Exchange::kPairwise;
    plan.rounds = 1;
    plan.sharing_of = std::vector<int>(static_cast<std::size_t>(ranks));
    const int traders = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)));
    for (int rank = 0; rank < traders; ++rank) plan.aggregators.push_back(rank);
    schedule.everyone = RoundTable<std::int64_t>(static_cast<std::size_t>(ranks * traders), 1);
    for (int origin = 0; origin < ranks; ++origin) {
      for (int a = 0; a < traders; ++a) {
        // Every fifth has nothing.
        const std::int64_t bytes = (origin + 2 * a) % 5 == 0 ? 0 : 10 * origin + a + 1;
        schedule.everyone.at(static_cast<std::size_t>(origin * traders + a), 0) = bytes;
      }
    }
  }
  plan::Plan plan;
  Schedule schedule;
};

Origins of(const Trades::Blocks& blocks) {
  Origins origins;
  for (const Block& block : blocks) origins.insert({block.aggregator, block.origin});
  return origins;
}

Origins held(const Trades& trades, int phase, int rank) {
  Trades::Blocks blocks;
  trades.list(phase, rank, 0, blocks);
  return of(blocks);
}

class TradesOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, TradesOf, testing::Values(1, 2, 3, 4, 5, 7, 8, 13, 16, 31));

TEST_P(TradesOf, EveryPhaseMovesBlocksBetweenPartnersAndLosesNone) {
  const Case example(GetParam());
  const Trades trades(example.plan, example.schedule);
  for (int phase = 0; phase < trades.phases(); ++phase) {
    for (int rank = 0; rank < trades.traders(); ++rank) {
      const int partner = rank ^ (1 << phase);
      Trades::Blocks taken;
      Trades::Blocks given;
      trades.list_given(phase, partner, rank, 0, taken);
      trades.list_given(phase, rank, partner, 0, given);
      Origins expected = held(trades, phase, rank);
      for (const auto& block : of(given)) expected.erase(expected.find(block));
      expected.merge(of(taken));
      EXPECT_EQ(held(trades, phase + 1, rank), expected) << "rank " << rank << " after phase " << phase;
    }
  }
}

TEST_P(TradesOf, InTheEndEveryAggregatorHasTheBlocksOfAllRanksAndNoOthers) {
  const int ranks = GetParam();
  const Case example(ranks);
  const Trades trades(example.plan, example.schedule);
  for (int rank = 0; rank < trades.traders(); ++rank) {
    Origins expected;
    for (int origin = 0; origin < ranks; ++origin) expected.insert({rank, origin});
    EXPECT_EQ(held(trades, trades.phases(), rank), expected) << "rank " << rank;
  }
}

TEST_P(TradesOf, InTheBeginningRanksHaveTheirOwnAndThatOfTheRankTheyActFor) {
  const int ranks = GetParam();
  const Case example(ranks);
  const Trades trades(example.plan, example.schedule);
  Origins all;
  for (int rank = 0; rank < trades.traders(); ++rank) all.merge(held(trades, 0, rank));
  EXPECT_EQ(std::ssize(all), ranks * trades.traders());
  for (const auto& [aggregator, origin] : all) EXPECT_EQ(all.count({aggregator, origin}), 1U);
}

TEST_P(TradesOf, BlocksFollowEachOtherAndFitWhatIsSetAside) {
  const Case example(GetParam());
  const Trades trades(example.plan, example.schedule);
  for (int rank = 0; rank < GetParam(); ++rank) {
    const std::int64_t most = trades.most_held(rank);
    for (int phase = 0; phase <= trades.phases(); ++phase) {
      Trades::Blocks blocks;
      trades.list(phase, trades.trader_of(rank), 0, blocks);
      std::int64_t end = 0;
      for (const Block& block : blocks) {
        EXPECT_EQ(block.begin, end);
        end += block.bytes;
      }
      EXPECT_EQ(Trades::total(blocks), end);
      EXPECT_LE(end, most);
    }
  }
}

TEST(Trades, WhatARankHasForItselfDoesNotTravel) {
  const Case example(4);
  const Trades trades(example.plan, example.schedule);
  Trades::Blocks blocks;
  trades.list(0, 1, 0, blocks);
  for (const Block& block : blocks) {
    const bool travels = block.aggregator != 1 && (1 + 2 * block.aggregator) % 5 != 0;
    EXPECT_EQ(block.bytes, travels ? Trades::kHeaderBytes + 10 + block.aggregator + 1 : 0) << block.aggregator;
  }
}

}  // namespace
}  // namespace weir::exec
