// The pairwise exchange on paper: who holds which blocks before and after every phase.
#include "exec/stage/trades.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>
#include <vector>

namespace weir::exec {
namespace {

using Block = Trades::Block;
using Origins = std::multiset<std::pair<int, int>>;  // aggregator and origin

constexpr std::int64_t kRounds = 2;

// What a rank has for an aggregator; every fifth has nothing.
std::int64_t bytes_for(int origin, int aggregator, std::int64_t round) {
  return (origin + 2 * aggregator + round) % 5 == 0 ? 0 : 10 * origin + aggregator + 1 + 100 * round;
}

// Every rank below the greatest power of two is an aggregator, the last one of the first domain.
struct Case {
  explicit Case(int ranks) {
    plan.exchange = plan::Exchange::kPairwise;
    plan.rounds = kRounds;
    plan.sharing_of = std::vector<int>(static_cast<std::size_t>(ranks));
    const int traders = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)));
    for (int rank = traders - 1; rank >= 0; --rank) plan.aggregators.push_back(rank);
    schedule.everyone = RoundTable<std::int64_t>(static_cast<std::size_t>(ranks * traders), kRounds);
    for (int origin = 0; origin < ranks; ++origin) {
      for (int a = 0; a < traders; ++a) {
        const auto row = static_cast<std::size_t>(origin * traders + traders - 1 - a);
        for (std::int64_t round = 0; round < kRounds; ++round) {
          schedule.everyone.at(row, round) = bytes_for(origin, a, round);
        }
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

// Whether two ranks have the same bits from `first` on, up to and without `end`.
bool agree(int rank, int other, int first, int end) {
  for (int bit = first; bit < end; ++bit) {
    if ((rank >> bit) % 2 != (other >> bit) % 2) return false;
  }
  return true;
}

TEST_P(TradesOf, BeforeEveryPhaseRanksHoldWhatAgreesWithTheirBits) {
  const int ranks = GetParam();
  const Case example(ranks);
  const Trades trades(example.plan, example.schedule);
  for (int phase = 0; phase <= trades.phases(); ++phase) {
    for (int rank = 0; rank < trades.traders(); ++rank) {
      std::vector<std::pair<int, int>> expected;  // aggregator and origin, in order
      for (int aggregator = 0; aggregator < trades.traders(); ++aggregator) {
        for (int origin = 0; origin < ranks; ++origin) {
          const bool from_here = agree(trades.trader_of(origin), rank, phase, trades.phases());
          if (from_here && agree(aggregator, rank, 0, phase)) expected.emplace_back(aggregator, origin);
        }
      }
      Trades::Blocks blocks;
      trades.list(phase, rank, 0, blocks);
      std::vector<std::pair<int, int>> found;
      for (const Block& block : blocks) found.emplace_back(block.aggregator, block.origin);
      EXPECT_EQ(found, expected) << "rank " << rank << " before phase " << phase;
    }
  }
}

// All bytes but those that ranks have for themselves, and a header for each block that has any.
std::int64_t travelling_bytes(const Trades& trades, int ranks, std::int64_t round) {
  std::int64_t bytes = 0;
  for (int origin = 0; origin < ranks; ++origin) {
    for (int aggregator = 0; aggregator < trades.traders(); ++aggregator) {
      const std::int64_t data = origin == aggregator ? 0 : bytes_for(origin, aggregator, round);
      bytes += data > 0 ? Trades::kHeaderBytes + data : 0;
    }
  }
  return bytes;
}

TEST_P(TradesOf, NoByteIsLostInAnyPhase) {
  const Case example(GetParam());
  const Trades trades(example.plan, example.schedule);
  Trades::Blocks blocks;
  for (std::int64_t round = 0; round < kRounds; ++round) {
    for (int phase = 0; phase <= trades.phases(); ++phase) {
      std::int64_t bytes = 0;
      for (int rank = 0; rank < trades.traders(); ++rank) {
        trades.list(phase, rank, round, blocks);
        bytes += Trades::total(blocks);
      }
      EXPECT_EQ(bytes, travelling_bytes(trades, GetParam(), round)) << "phase " << phase << " of round " << round;
    }
  }
}

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

void expect_in_a_row(const Trades::Blocks& blocks, std::int64_t most) {
  std::int64_t end = 0;
  for (const Block& block : blocks) {
    EXPECT_EQ(block.begin, end);
    end += block.bytes;
  }
  EXPECT_EQ(Trades::total(blocks), end);
  EXPECT_LE(end, most);
}

TEST_P(TradesOf, BlocksFollowEachOtherAndFitWhatIsSetAside) {
  const Case example(GetParam());
  const Trades trades(example.plan, example.schedule);
  Trades::Blocks blocks;
  for (int rank = 0; rank < GetParam(); ++rank) {
    const std::int64_t most = trades.most_held(rank);
    for (int phase = 0; phase <= trades.phases(); ++phase) {
      for (std::int64_t round = 0; round < kRounds; ++round) {
        trades.list(phase, trades.trader_of(rank), round, blocks);
        expect_in_a_row(blocks, most);
        if (phase == trades.phases() || rank >= trades.traders()) continue;
        trades.list_given(phase, rank ^ (1 << phase), rank, round, blocks);
        expect_in_a_row(blocks, most);
      }
    }
  }
}

TEST(Trades, WhatARankHasForItselfDoesNotTravel) {
  const Case example(4);
  const Trades trades(example.plan, example.schedule);
  Trades::Blocks blocks;
  for (std::int64_t round = 0; round < kRounds; ++round) {
    trades.list(0, 1, round, blocks);
    for (const Block& block : blocks) {
      const std::int64_t data = bytes_for(1, block.aggregator, round);
      const bool travels = block.aggregator != 1 && data > 0;
      EXPECT_EQ(block.bytes, travels ? Trades::kHeaderBytes + data : 0) << block.aggregator;
    }
  }
}

}  // namespace
}  // namespace weir::exec
