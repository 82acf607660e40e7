#include "plan/access_method.h"

#include <gtest/gtest.h>

#include <limits>

namespace weir::plan {
namespace {

// `pieces` pieces of `piece_bytes`, each followed by a gap; memory in one piece.
AccessShape strided(Direction direction, std::int64_t pieces, std::int64_t piece_bytes, std::int64_t gap_bytes) {
  AccessShape shape;
  shape.direction = direction;
  shape.bytes = pieces * piece_bytes;
  shape.file_pieces = pieces;
  shape.memory_pieces = 1;
  shape.file_extent = {0, pieces * (piece_bytes + gap_bytes) - gap_bytes};
  return shape;
}

AccessRules sole_owner() {
  AccessRules rules;
  rules.sole_owner = true;
  return rules;
}

TEST(AccessMethod, HasAName) {
  EXPECT_STREQ(name(AccessMethod::kContiguous), "contiguous");
  EXPECT_STREQ(name(AccessMethod::kList), "list");
  EXPECT_STREQ(name(AccessMethod::kPacked), "packed");
  EXPECT_STREQ(name(AccessMethod::kSieve), "sieve");
}

TEST(AccessMethod, OnePieceOnBothSidesIsOneRequest) {
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    AccessChoice choice = choose_access(strided(direction, 1, 100, 0), sole_owner());
    EXPECT_EQ(choice.method, AccessMethod::kContiguous);
    EXPECT_EQ(choice.reason, "one piece in the file and in memory");
    EXPECT_EQ(choice.buffer_bytes, 0);
  }
}

TEST(AccessMethod, NothingToMoveIsOneRequest) {
  EXPECT_EQ(choose_access(AccessShape(), AccessRules()).method, AccessMethod::kContiguous);
}

TEST(AccessMethod, DenseReadsAreSieved) {
  AccessRules rules;
  AccessChoice choice = choose_access(strided(Direction::kRead, 1000, 8, 8), rules);
  EXPECT_EQ(choice.method, AccessMethod::kSieve);
  EXPECT_EQ(choice.buffer_bytes, rules.read_buffer_bytes);
  // 15992 bytes of extent and one call of 4096 against 1000 calls; 8000 bytes are wanted in both.
  EXPECT_EQ(choice.reason, "1000 pieces lie dense: sieving costs 28088 against 4104000 for a list");
}

TEST(AccessMethod, ThinReadsAreLists) {
  AccessChoice choice = choose_access(strided(Direction::kRead, 1000, 8, 1 << 20), AccessRules());
  EXPECT_EQ(choice.method, AccessMethod::kList);
  EXPECT_EQ(choice.reason, "1000 pieces in the file");
  EXPECT_EQ(choice.buffer_bytes, 0);
}

// The law: sieving wins exactly when it costs less. With gaps growing byte by byte it wins up to one gap and never
// again behind it.
TEST(AccessMethod, TheCheaperOneWins) {
  AccessRules rules;
  rules.call_cost_bytes = 100;
  rules.read_buffer_bytes = 1000;
  bool sieved = true;
  int changes = 0;
  for (std::int64_t gap = 0; gap < 300; ++gap) {
    AccessShape shape = strided(Direction::kRead, 50, 10, gap);
    std::int64_t extent = shape.file_extent.bytes();
    bool cheaper = extent + (extent / 1000 + 1) * 100 + shape.bytes < shape.bytes + 50 * 100;
    bool chosen = choose_access(shape, rules).method == AccessMethod::kSieve;
    EXPECT_EQ(chosen, cheaper) << "gap " << gap;
    changes += chosen != sieved ? 1 : 0;
    sieved = chosen;
  }
  EXPECT_EQ(changes, 1);
}

TEST(AccessMethod, ASmallerBufferMakesSievingDearer) {
  AccessShape shape = strided(Direction::kRead, 100, 100, 1900);
  AccessRules rules;
  EXPECT_EQ(choose_access(shape, rules).method, AccessMethod::kSieve);
  rules.read_buffer_bytes = 100;
  EXPECT_EQ(choose_access(shape, rules).method, AccessMethod::kList);
}

TEST(AccessMethod, WritesAreSievedForASoleOwnerOnly) {
  AccessShape shape = strided(Direction::kWrite, 1000, 8, 8);
  EXPECT_EQ(choose_access(shape, AccessRules()).method, AccessMethod::kList);
  AccessChoice choice = choose_access(shape, sole_owner());
  EXPECT_EQ(choice.method, AccessMethod::kSieve);
  EXPECT_EQ(choice.buffer_bytes, sole_owner().write_buffer_bytes);
  EXPECT_EQ(choice.reason, "1000 pieces lie dense: sieving costs 48176 against 4104000 for a list");
}

TEST(AccessMethod, NoHintAllowsAnUnsafeSievingWrite) {
  AccessRules rules;
  rules.sieve_writes = Toggle::kEnable;
  EXPECT_EQ(choose_access(strided(Direction::kWrite, 1000, 8, 8), rules).method, AccessMethod::kList);
}

TEST(AccessMethod, AHintEnablesSievingAgainstTheCosts) {
  AccessRules rules = sole_owner();
  rules.sieve_reads = Toggle::kEnable;
  rules.sieve_writes = Toggle::kEnable;
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    AccessShape thin = strided(direction, 2, 8, 1 << 30);
    EXPECT_EQ(choose_access(thin, AccessRules()).method, AccessMethod::kList);
    AccessChoice choice = choose_access(thin, rules);
    EXPECT_EQ(choice.method, AccessMethod::kSieve);
    EXPECT_EQ(choice.reason, "sieving is enabled by hint");
  }
}

TEST(AccessMethod, AHintDisablesSievingOfItsDirectionOnly) {
  AccessRules no_reads = sole_owner();
  no_reads.sieve_reads = Toggle::kDisable;
  AccessRules no_writes = sole_owner();
  no_writes.sieve_writes = Toggle::kDisable;
  const AccessShape read = strided(Direction::kRead, 1000, 8, 8);
  const AccessShape write = strided(Direction::kWrite, 1000, 8, 8);
  EXPECT_EQ(choose_access(read, no_reads).method, AccessMethod::kList);
  EXPECT_EQ(choose_access(write, no_reads).method, AccessMethod::kSieve);
  EXPECT_EQ(choose_access(read, no_writes).method, AccessMethod::kSieve);
  EXPECT_EQ(choose_access(write, no_writes).method, AccessMethod::kList);
}

TEST(AccessMethod, PiecesThatGoBackwardsAreNeverSieved) {
  AccessRules rules = sole_owner();
  rules.sieve_reads = Toggle::kEnable;
  rules.sieve_writes = Toggle::kEnable;
  for (Direction direction : {Direction::kRead, Direction::kWrite}) {
    AccessShape shape = strided(direction, 1000, 8, 8);
    shape.ascending = false;
    EXPECT_EQ(choose_access(shape, rules).method, AccessMethod::kList);
  }
}

TEST(AccessMethod, SmallPiecesInMemoryArePacked) {
  AccessShape shape = strided(Direction::kWrite, 1, 1000, 0);
  shape.memory_pieces = 100;
  AccessChoice choice = choose_access(shape, AccessRules());
  EXPECT_EQ(choice.method, AccessMethod::kPacked);
  EXPECT_EQ(choice.reason, "100 small pieces in memory");
  EXPECT_EQ(choice.buffer_bytes, AccessRules().write_buffer_bytes);
}

TEST(AccessMethod, LargePiecesInMemoryAreListed) {
  AccessShape shape = strided(Direction::kWrite, 1, 2048 * 100, 0);
  shape.memory_pieces = 100;
  EXPECT_EQ(choose_access(shape, AccessRules()).method, AccessMethod::kList);
  shape.bytes -= 100;
  EXPECT_EQ(choose_access(shape, AccessRules()).method, AccessMethod::kPacked);
}

TEST(AccessMethod, PackingNeedsMorePiecesInMemoryThanInTheFile) {
  AccessShape shape = strided(Direction::kWrite, 100, 8, 8);
  shape.memory_pieces = 100;
  EXPECT_EQ(choose_access(shape, AccessRules()).method, AccessMethod::kList);
  shape.memory_pieces = 101;
  EXPECT_EQ(choose_access(shape, AccessRules()).method, AccessMethod::kPacked);
}

TEST(AccessMethod, ABufferOfNoBytesIsTakenAsOne) {
  AccessRules rules;
  rules.sieve_reads = Toggle::kEnable;
  rules.read_buffer_bytes = 0;
  EXPECT_EQ(choose_access(strided(Direction::kRead, 10, 1, 1), rules).buffer_bytes, 1);
}

}  // namespace
}  // namespace weir::plan
