// Small workloads whose pieces were worked out by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bench/workload_support.h"

namespace bench {
namespace {

using testing::ElementsAre;

// A cube of 4 ints a side over a grid of 2 x 2 x 1: rank 1 has y = 2..3 of x = 0..1, rows of 4 ints.
TEST(CollPerf, CutsTheCubeInBlocks) {
  const Settled workload = settled("coll_perf:side=4", 4, 1);
  EXPECT_EQ(share_of(workload, 0).file_bytes, 256);
  EXPECT_THAT(pieces_in_file(share_of(workload, 1)), ElementsAre(Piece(32, 32), Piece(96, 32)));
  EXPECT_THAT(pieces_in_file(share_of(workload, 2)), ElementsAre(Piece(128, 32), Piece(192, 32)));
}

// Blocks of 2 ints a side over 3 x 1 x 1 ranks: an array of 6 x 2 x 2.
TEST(CollPerf, TakesTheSideOfABlock) {
  const Settled workload = settled("coll_perf:block=2", 3, 1);
  EXPECT_EQ(share_of(workload, 0).file_bytes, 6 * 2 * 2 * 4);
  EXPECT_THAT(pieces_in_file(share_of(workload, 1)), ElementsAre(Piece(32, 32)));
  EXPECT_EQ(moved_bytes(share_of(settled("s3d:block=50", 12, 1), 5)), 50 * 50 * 50 * 16 * 8);
}

TEST(CollPerf, TakesTheNearestSide) {
  EXPECT_EQ(settled("coll_perf", 1, 4 * 1000)["side"], 10);
  EXPECT_EQ(settled("coll_perf", 1, 4 * 1100)["side"], 10);
  EXPECT_EQ(settled("coll_perf", 1, 4 * 1300)["side"], 11);
  EXPECT_EQ(settled("coll_perf", 3, 1)["side"], 3);
  EXPECT_EQ(settled("coll_perf", 12, 4 * 1000)["side"], 12);  // 3 x 2 x 2: a multiple of 6
}

// p = 2, side 2: cells of one point, 40 bytes each, x fastest. Rank 1 begins at x = 1, y = 0; in layer 1 it has moved
// on to x = 0, y = 1: points 1 and 4 + 2.
TEST(Btio, ShiftsTheCellsAlongADiagonal) {
  const Settled workload = settled("btio:side=2:arrays=3", 4, 1);
  const Share share = share_of(workload, 1);
  EXPECT_EQ(share.file_bytes, 3 * 8 * 40);
  ASSERT_EQ(share.accesses.size(), 1u);
  EXPECT_EQ(share.accesses[0].calls, 3);
  EXPECT_THAT(pieces_in_file(share.accesses[0], 0), ElementsAre(Piece(40, 40), Piece(240, 40)));
  EXPECT_THAT(pieces_in_file(share.accesses[0], 2), ElementsAre(Piece(680, 40), Piece(880, 40)));
  EXPECT_THAT(pieces_in_file(share_of(workload, 2).accesses[0], 0), ElementsAre(Piece(80, 40), Piece(200, 40)));
}

// Side 3 over p = 2: the first cut is longer. Rank 0 has x, y = 0..1 in z = 0..1 and the point (2, 2) in z = 2.
TEST(Btio, CutsSidesThatDoNotDivide) {
  const Share share = share_of(settled("btio:side=3:arrays=1", 4, 1), 0);
  EXPECT_THAT(pieces_in_file(share),
              ElementsAre(Piece(0, 80), Piece(120, 80), Piece(360, 80), Piece(480, 80), Piece(26 * 40, 40)));
}

// Two points of ghosts around a cell of two points, in the second of two layers of cells of six points a side.
TEST(Btio, LeavesGhostsInMemory) {
  const Share share = share_of(settled("btio:side=4:arrays=1", 4, 1), 0);
  std::vector<Piece> pieces;
  for_each_piece(share.accesses[0].memory, 0, [&](std::int64_t p, std::int64_t b) { add_piece(pieces, p, b); });
  ASSERT_EQ(pieces.size(), 8u);
  EXPECT_EQ(pieces[0], Piece((2 * 36 + 2 * 6 + 2) * 40, 80));
  EXPECT_EQ(pieces[4], Piece((216 + 2 * 36 + 2 * 6 + 2) * 40, 80));
}

TEST(Btio, HasFortyArraysAtEverySize) {
  for (const std::int64_t bytes : {1, 1 << 20, 1 << 27}) {
    EXPECT_EQ(share_of(settled("btio", 4, bytes), 0).accesses[0].calls, 40);
  }
  EXPECT_EQ(settled("btio", 16, std::int64_t{162} * 162 * 162 * 40 * 40)["side"], 162);  // class C
}

// 80, 81, 82, 80 blocks of 8 bytes: 323 in all. The blocks of rank 2 come after 161 others.
TEST(Flash, AppendsTheBlocksOfTheRanks) {
  const Settled workload = settled("flash:side=1", 4, 1);
  const Share share = share_of(workload, 2);
  EXPECT_EQ(share.file_bytes, 24 * 323 * 8);
  EXPECT_EQ(share.accesses[0].calls, 24);
  EXPECT_THAT(pieces_in_file(share.accesses[0], 0), ElementsAre(Piece(161 * 8, 82 * 8)));
  EXPECT_THAT(pieces_in_file(share.accesses[0], 23), ElementsAre(Piece((23 * 323 + 161) * 8, 82 * 8)));
  EXPECT_EQ(moved_bytes(share_of(workload, 3)), 24 * 80 * 8);
}

// The paper's blocks of 32 points a side: about 20 MB per rank and call.
TEST(Flash, HasThePapersSize) {
  const Settled workload = settled("flash:side=32", 4, 1);
  EXPECT_EQ(data_bytes(share_of(workload, 0).accesses[0].file), 80 * 32768 * 8);
}

// Two points a side over 2 x 1 x 1 ranks, x fastest: rank 1 has every second point of 11 + 3 + 1 + 1 cubes.
TEST(S3d, HasFourVariables) {
  const Settled workload = settled("s3d:side=2", 2, 1);
  const Share share = share_of(workload, 1);
  ASSERT_EQ(share.accesses.size(), 4u);
  EXPECT_EQ(share.file_bytes, 16 * 8 * 8);
  EXPECT_EQ(share.accesses[1].displacement, 11 * 64);
  EXPECT_EQ(share.accesses[2].displacement, 14 * 64);
  EXPECT_EQ(share.accesses[3].displacement, 15 * 64);
  EXPECT_EQ(pieces_in_file(share.accesses[0], 0).size(), 44u);
  EXPECT_EQ(pieces_in_file(share.accesses[1], 0).size(), 12u);
  EXPECT_THAT(pieces_in_file(share.accesses[2], 0), ElementsAre(Piece(14 * 64 + 8, 8), Piece(14 * 64 + 24, 8),
                                                                Piece(14 * 64 + 40, 8), Piece(14 * 64 + 56, 8)));
}

TEST(Cyclic, DealsBlocksInTurn) {
  const Settled workload = settled("cyclic:block=8", 3, 48);
  EXPECT_THAT(pieces_in_file(share_of(workload, 0)), ElementsAre(Piece(0, 8), Piece(24, 8)));
  EXPECT_THAT(pieces_in_file(share_of(workload, 2)), ElementsAre(Piece(16, 8), Piece(40, 8)));
}

// The paper's figure 1: N_x = 16, B_x = 1, four processes.
TEST(Cyclic, TakesThePapersNumbers) {
  const Settled workload = settled("cyclic:nx=16:bx=1", 4, 1);
  EXPECT_EQ(share_of(workload, 0).file_bytes, 64);
  EXPECT_THAT(pieces_in_file(share_of(workload, 1)),
              ElementsAre(Piece(4, 4), Piece(20, 4), Piece(36, 4), Piece(52, 4)));
}

TEST(Discontiguous, GoesRegionByRegion) {
  const Settled workload = settled("discontiguous", 2, 16384);
  EXPECT_EQ(workload["region"], 4096);
  for (int rank = 0; rank < 2; ++rank) {
    const Share share = share_of(workload, rank);
    ASSERT_EQ(share.accesses.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      for (const auto& [position, bytes] : pieces_in_file(share.accesses[i], 0)) {
        EXPECT_GE(position, static_cast<std::int64_t>(i) * 4096);
        EXPECT_LE(position + bytes, static_cast<std::int64_t>(i + 1) * 4096);
      }
    }
    EXPECT_EQ(moved_bytes(share), 8192);
  }
}

TEST(Discontiguous, HasRegionsOfAtMostAGibibyte) {
  EXPECT_EQ(settled("discontiguous", 4, std::int64_t{1} << 33)["region"], 1 << 30);
}

TEST(DataShipping, MakesOneCallPerBlock) {
  const Share share = share_of(settled("data_shipping", 4, 1 << 20), 1);
  EXPECT_FALSE(share.collective);
  EXPECT_EQ(call_count(share), 64);
  EXPECT_EQ(share.file_bytes, 4 << 20);
  EXPECT_FALSE(std::ranges::is_sorted(share.accesses[0].offsets));
}

TEST(MultipleAccessRange, TakesSubblocksOfWholeBlocks) {
  const Settled workload = settled("multiple_access_range:block=64:subblock=8:subblocks=2", 2, 64);
  std::set<std::int64_t> blocks;
  for (int rank = 0; rank < 2; ++rank) {
    const Share share = share_of(workload, rank);
    EXPECT_EQ(share.file_bytes, 256);
    std::vector<std::int64_t> of_pieces;
    for (const auto& [position, bytes] : pieces_in_file(share)) {
      for (std::int64_t i = position; i < position + bytes; i += 8) of_pieces.push_back(i / 64);
    }
    ASSERT_EQ(of_pieces.size(), 4u);
    EXPECT_EQ(of_pieces[0], of_pieces[1]);
    EXPECT_EQ(of_pieces[2], of_pieces[3]);
    blocks.insert(of_pieces.begin(), of_pieces.end());
  }
  EXPECT_EQ(blocks.size(), 4u);
}

TEST(Sparse, HasAtMostOneBlockPerRankAndStripe) {
  const Settled workload = settled("sparse:block=16:stripe=128:sparsity=10", 4, 16 * 4 * 20);
  for (int rank = 0; rank < 4; ++rank) {
    const Share share = share_of(workload, rank);
    EXPECT_EQ(share.file_bytes, 200 * 128);
    std::set<std::int64_t> stripes;
    for (const auto& [position, bytes] : pieces_in_file(share)) {
      EXPECT_EQ(bytes, 16);
      EXPECT_TRUE(stripes.insert(position / 128).second);
    }
    EXPECT_EQ(stripes.size(), 20u);
  }
}

// The kernel's own shapes: ne120 has 777 602 columns, and the paper says 14 GiB; its ocean 85 GiB.
TEST(E3sm, ScalesThePapersShapes) {
  const Share f = share_of(settled("e3sm_f:columns=777", 1, 1), 0);
  EXPECT_NEAR(static_cast<double>(f.file_bytes) / 777 * 777602 / (1 << 30), 14, 0.2);
  const Share g = share_of(settled("e3sm_g:cells=100", 1, 1), 0);
  EXPECT_NEAR(static_cast<double>(g.file_bytes) / 100 * 3693225 / (1 << 30), 86, 1);
}

TEST(E3sm, HasPiecesLikeThePapers) {
  const Settled f = settled("e3sm_f", 16, 8 << 20);
  const Settled g = settled("e3sm_g", 16, 8 << 20);
  const auto mean = [](const Settled& workload) {
    const Share share = share_of(workload, 3);
    const auto& file = std::get<Hindexed>(share.accesses[0].file);
    return static_cast<double>(moved_bytes(share)) / static_cast<double>(file.lengths.size());
  };
  EXPECT_NEAR(mean(f), 11, 3);
  EXPECT_NEAR(mean(g), 500, 50);
}

TEST(E3sm, MergesItsVariablesUnlessTold) {
  EXPECT_EQ(call_count(share_of(settled("e3sm_f", 2, 1 << 20), 0)), 1);
  EXPECT_EQ(call_count(share_of(settled("e3sm_f:merged=0", 2, 1 << 20), 0)), 387);
  EXPECT_EQ(call_count(share_of(settled("e3sm_g:merged=0", 2, 1 << 20), 0)), 41);
}

}  // namespace
}  // namespace bench
