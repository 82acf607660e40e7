#include "sim/grants.h"

#include <gtest/gtest.h>

namespace weir::sim {
namespace {

constexpr std::int64_t kEnd = GrantTable::kEnd;

TEST(ServerExtents, TheFirstGrantGrowsOverTheWholeObject) {
  ServerExtents table;
  const Taken taken = table.take(3, 5);
  EXPECT_TRUE(taken.asked);
  EXPECT_EQ(taken.given_up, nullptr);
  EXPECT_EQ(taken.grant->blocks, (Extent{0, kEnd}));
  EXPECT_FALSE(table.take(3, 6).asked);
  EXPECT_FALSE(table.take(3, 0).asked);
}

TEST(ServerExtents, AConflictTakesTheWholeGrantFromItsHolder) {
  ServerExtents table;
  table.take(1, 0);
  const Taken taken = table.take(2, 1);
  ASSERT_NE(taken.given_up, nullptr);
  EXPECT_EQ(taken.given_up->node, 1);
  EXPECT_TRUE(taken.whole);
  EXPECT_EQ(taken.grant->blocks, (Extent{1, kEnd}));
  EXPECT_FALSE(table.holds(1, 0));
}

// Whoever was called back once has what is below the other's first block for itself.
TEST(ServerExtents, ContiguousWritersPartAfterOneConflict) {
  ServerExtents table;
  int called_back = 0;
  for (std::int64_t block = 0; block < 100; ++block) {
    for (const int node : {0, 1}) called_back += table.take(node, node * 100 + block).given_up != nullptr ? 1 : 0;
  }
  EXPECT_EQ(called_back, 1);
}

TEST(ServerExtents, WritersThatTakeTurnsCallEachOtherBackForEveryBlock) {
  ServerExtents table;
  int called_back = 0;
  for (std::int64_t block = 0; block < 100; ++block)
    called_back += table.take(static_cast<int>(block % 2), block).given_up != nullptr ? 1 : 0;
  EXPECT_EQ(called_back, 99);
}

TEST(Tokens, TheFirstWriterGetsTheWholeFileAndLaterOnesSplitIt) {
  Tokens table;
  EXPECT_EQ(table.take(0, 0).grant->blocks, (Extent{0, kEnd}));
  const Taken taken = table.take(1, 10);
  ASSERT_NE(taken.given_up, nullptr);
  EXPECT_FALSE(taken.whole);
  EXPECT_EQ(taken.grant->blocks, (Extent{10, kEnd}));
  ASSERT_EQ(table.grants().size(), 2U);
  EXPECT_EQ(table.grants()[0].blocks, (Extent{0, 10}));
  EXPECT_EQ(table.grants()[0].node, 0);
  EXPECT_FALSE(table.take(0, 9).asked);
  EXPECT_FALSE(table.take(1, 11).asked);
}

TEST(Tokens, AWriterBelowGetsWhatLiesBelow) {
  Tokens table;
  table.take(0, 10);
  EXPECT_EQ(table.take(1, 4).grant->blocks, (Extent{0, 10}));
  EXPECT_TRUE(table.holds(0, 10));
}

TEST(Tokens, InTheMidstOfWhatIsUsedABlockIsAllThereIs) {
  Tokens table;
  for (std::int64_t block = 0; block < 10; ++block) table.take(0, block);
  EXPECT_EQ(table.take(1, 5).grant->blocks, (Extent{5, 6}));
  EXPECT_TRUE(table.holds(0, 4));
  EXPECT_TRUE(table.holds(0, 6));
}

TEST(Tokens, WhatAWriterHasLeftOutIsNotUsed) {
  Tokens table;
  table.take(0, 0);
  table.take(0, 10);
  EXPECT_EQ(table.take(1, 5).grant->blocks, (Extent{5, 10}));
  EXPECT_TRUE(table.holds(0, 4));
  EXPECT_TRUE(table.holds(0, 10));
  EXPECT_FALSE(table.take(0, 11).asked);
}

// Contiguous domains ask once each, whoever comes first; cyclic ones for every block.
TEST(Tokens, DomainsSayHowOftenOneHasToAsk) {
  constexpr std::int64_t kNodes = 8;
  constexpr std::int64_t kBlocks = 16;
  Tokens contiguous;
  Tokens backwards;
  Tokens cyclic;
  int asked_contiguous = 0;
  int asked_backwards = 0;
  int asked_cyclic = 0;
  for (std::int64_t round = 0; round < kBlocks; ++round) {
    for (int node = 0; node < kNodes; ++node) {
      asked_contiguous += contiguous.take(node, node * kBlocks + round).asked ? 1 : 0;
      const int other = static_cast<int>(kNodes) - 1 - node;
      asked_backwards += backwards.take(other, other * kBlocks + round).asked ? 1 : 0;
      asked_cyclic += cyclic.take(node, round * kNodes + node).asked ? 1 : 0;
    }
  }
  EXPECT_EQ(asked_contiguous, kNodes);
  EXPECT_EQ(asked_backwards, kNodes);
  EXPECT_EQ(asked_cyclic, kNodes * kBlocks);
}

}  // namespace
}  // namespace weir::sim
