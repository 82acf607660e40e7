// Requests that are merged before they leave a node: pieces and messages, counted; repeated calls; bytes that several
// ranks ask for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/four_nodes.h"

namespace weir::exec {
namespace {

using trace::Counter;

constexpr std::int64_t kPieces = kFileBytes / kBlock;  // of all ranks

struct MergeCase {
  int local_aggregators;
  std::string merge;
  std::int64_t pieces_before;
  std::int64_t pieces_after;
};

// Blocks of 16 ranks in turn: those of a node make one piece of four blocks, those of half a node one of two.
TEST(EngineMerging, PiecesOfANodeThatTouchLeaveItAsOne) {
  for (const MergeCase& each : {MergeCase{1, "auto", kPieces, kPieces / 4}, MergeCase{2, "auto", kPieces, kPieces / 2},
                                MergeCase{4, "true", 0, 0}, MergeCase{1, "false", 0, 0}}) {
    SCOPED_TRACE(std::to_string(each.local_aggregators) + " local aggregators, weir_merge=" + each.merge);
    driver::MemoryDriver driver;
    const hints::Pairs pairs = four_aggregators(
        {{"weir_local_aggregators", std::to_string(each.local_aggregators)}, {"weir_merge", each.merge}});
    run_engine(kRanks, kRanksPerNode, pairs, driver, [&](Rank& rank, OpenFile& file) {
      EXPECT_TRUE(file.set_view({}, blocks_in_turn(rank.number()), 1).ok());
      const Bytes written = pattern(kMine, rank.number());
      Bytes bytes = written;
      access(file, Direction::kWrite, bytes);
      const Counts counts = counts_of(file);
      EXPECT_EQ(counts.of(Counter::kPiecesApart), each.pieces_before);
      EXPECT_EQ(counts.of(Counter::kPiecesTogether), each.pieces_after);
      EXPECT_EQ(counts.of(Counter::kMessagesBetween), kNodes * (kNodes - 1) * kRoundsEach * each.local_aggregators);
      EXPECT_EQ(counts.of(Counter::kBytesBetween), kFileBytes / kNodes * (kNodes - 1));
      EXPECT_EQ(counts.of(Counter::kWindowsMarked), 0);
      EXPECT_EQ(last_plan(file, Direction::kWrite).merging == plan::Merging::kOn, each.pieces_after > 0);
      std::ranges::fill(bytes, std::byte{0});
      access(file, Direction::kRead, bytes);
      EXPECT_EQ(bytes, written);
      EXPECT_EQ(counts_of(file).of(Counter::kPiecesTogether), 2 * each.pieces_after);
    });
  }
}

// Nodes take turns, their ranks never touch: what would be gained is counted, and left.
TEST(EngineMerging, IsLeftWhereItDoesNotPay) {
  driver::MemoryDriver driver;
  put_file(driver, pattern(2 * kFileBytes));
  run_engine(
      kRanks, kRanksPerNode, four_aggregators(with_local_aggregators(1)), driver, [&](Rank& rank, OpenFile& file) {
        const layout::FileView view(2 * kBlock * rank.number(), 1, layout::Layout::contiguous(kBlock),
                                    2 * kBlock * kRanks);
        EXPECT_TRUE(file.set_view({}, view, 1).ok());
        const Bytes written = pattern(kMine, rank.number());
        Bytes bytes = written;
        access(file, Direction::kWrite, bytes);
        const plan::Plan plan = last_plan(file, Direction::kWrite);
        EXPECT_EQ(plan.merging, plan::Merging::kOff);
        EXPECT_EQ(plan.merging_reason, std::to_string(kPieces) + " pieces would become " + std::to_string(kPieces));
        EXPECT_EQ(counts_of(file).of(Counter::kPiecesApart), 0);
        access(file, Direction::kRead, bytes);
        EXPECT_EQ(bytes, written);
      });
}

// Irregular lists that touch are merged piece by piece: ranks of a node share a block at a place of its own.
TEST(EngineMerging, IrregularListsThatTouchAreMerged) {
  driver::MemoryDriver driver;
  run_engine(kRanks, kRanksPerNode, four_aggregators(with_local_aggregators(1)), driver,
             [&](Rank& rank, OpenFile& file) {
               std::vector<std::int64_t> offsets;
               const std::int64_t in_node = rank.number() % kRanksPerNode;
               for (std::int64_t i = 0; i < 100; ++i) {
                 const std::int64_t node_block = i * kNodes + (rank.number() / kRanksPerNode + i * i) % kNodes;
                 offsets.push_back(node_block * (kRanksPerNode * 8 + 8) + (in_node + i) % kRanksPerNode * 8);
               }
               const auto wanted = layout::Layout::blocks(offsets, std::vector<std::int64_t>(offsets.size(), 8));
               EXPECT_TRUE(file.set_view({}, layout::FileView(0, 1, wanted, wanted.span().end), 1).ok());
               const Bytes written = pattern(800, rank.number());
               Bytes bytes = written;
               access(file, Direction::kWrite, bytes);
               EXPECT_EQ(counts_of(file).of(Counter::kPiecesApart), 100 * kRanks);
               EXPECT_EQ(counts_of(file).of(Counter::kPiecesTogether), 100 * kNodes);
               std::ranges::fill(bytes, std::byte{0});
               access(file, Direction::kRead, bytes);
               EXPECT_EQ(bytes, written);
             });
}

TEST(EngineMerging, CallsThatFollowKeepWhatIsMergedAlsoFurtherOnInTheFile) {
  driver::MemoryDriver driver;
  run_engine(kRanks, kRanksPerNode, four_aggregators(with_local_aggregators(1)), driver,
             [&](Rank& rank, OpenFile& file) {
               EXPECT_TRUE(file.set_view({}, blocks_in_turn(rank.number()), 1).ok());
               for (int step = 0; step < 4; ++step) {
                 Bytes bytes = pattern(kMine, rank.number() + step);
                 access(file, Direction::kWrite, bytes, step * kMine);
               }
               for (int step = 0; step < 4; ++step) {
                 Bytes bytes(kMine);
                 access(file, Direction::kRead, bytes, step * kMine);
                 EXPECT_EQ(bytes, pattern(kMine, rank.number() + step)) << "step " << step;
               }
               const Counts counts = counts_of(file);
               EXPECT_EQ(counts.of(Counter::kPlansReused), 6 * kRanks);
               EXPECT_EQ(counts.of(Counter::kPiecesTogether), 8 * kPieces / 4);
             });
}

// All ranks of a node read the same quarter of every block, and write it.
TEST(EngineMerging, BytesThatSeveralRanksAskForTravelOnce) {
  for (const char* merge : {"true", "false"}) {
    const std::int64_t times = merge == std::string("true") ? 1 : kRanksPerNode;
    driver::MemoryDriver driver;
    put_file(driver, pattern(kFileBytes));
    const hints::Pairs pairs = four_aggregators({{"weir_local_aggregators", "1"}, {"weir_merge", merge}});
    run_engine(kRanks, kRanksPerNode, pairs, driver, [&](Rank& rank, OpenFile& file) {
      const int node = rank.number() / kRanksPerNode;
      EXPECT_TRUE(file.set_view({}, interleaved_view(node, kNodes, kBlock), 1).ok());
      Bytes bytes(kFileBytes / kNodes);
      const std::int64_t bytes_elsewhere = kFileBytes / kNodes * (kNodes - 1);
      access(file, Direction::kRead, bytes);
      EXPECT_EQ(counts_of(file).of(Counter::kBytesBetween), times * bytes_elsewhere);
      const Bytes all = pattern(kFileBytes);
      for (std::int64_t i = 0; i < std::ssize(bytes); ++i) {
        const std::int64_t offset = (i / kBlock * kNodes + node) * kBlock + i % kBlock;
        ASSERT_EQ(bytes[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(offset)]);
      }
      const Bytes written = pattern(std::ssize(bytes), 7 + node);
      bytes = written;
      access(file, Direction::kWrite, bytes);
      EXPECT_EQ(counts_of(file).of(Counter::kBytesBetween), 2 * times * bytes_elsewhere);
      access(file, Direction::kRead, bytes);
      EXPECT_EQ(bytes, written);
    });
  }
}

// TAM paper, IV-D: an aggregator receives from P_L local aggregators in a round, and not from P ranks. Here it is one
// of them itself, and with memory that is shared it gets nothing from its own node by messages.
TEST(EngineMerging, AnAggregatorReceivesFromLocalAggregatorsInsteadOfRanks) {
  const auto receives = [](const hints::Pairs& more) {
    driver::MemoryDriver driver;
    std::int64_t messages = 0;
    run_engine(kRanks, kRanksPerNode, four_aggregators(more), driver, [&](Rank& rank, OpenFile& file) {
      EXPECT_TRUE(file.set_view({}, blocks_in_turn(rank.number()), 1).ok());
      Bytes bytes = pattern(kMine, rank.number());
      access(file, Direction::kWrite, bytes);
      const Counts counts = counts_of(file);
      if (rank.number() == 0) messages = counts.messages();
    });
    EXPECT_EQ(messages % (kNodes * kRoundsEach), 0);
    return messages / (kNodes * kRoundsEach);
  };
  EXPECT_EQ(receives({{"weir_exchange", "direct"}}), kRanks - 1);
  for (const int number : {4, 2, 1}) {
    EXPECT_EQ(receives(with_local_aggregators(number)), (kNodes - 1) * number);
  }
}

}  // namespace
}  // namespace weir::exec
