// What merging costs: allocations, counted and not timed.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "layout/counted_new.h"
#include "layout/merge.h"
#include "layout/type_tree.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;
using Layouts = std::vector<Layout>;

constexpr int kRanks = 64;

struct Cost {
  std::size_t allocations = 0;
  std::size_t bytes = 0;
  std::int64_t pieces = 0;
};

Cost cost_of_merging(const Layouts& layouts) {
  const std::size_t allocations = counted_new::allocation_count;
  const std::size_t bytes = counted_new::allocated_bytes;
  const PieceCounts counts = count_pieces(layouts);
  return {counted_new::allocation_count - allocations, counted_new::allocated_bytes - bytes, counts.apart};
}

// The same structures with few and with very many pieces cost the same: at most so many allocations for each rank.
void expect_the_same_cost(std::size_t allocations, const std::function<Layouts(std::int64_t count)>& layouts_of) {
  const Cost few = cost_of_merging(layouts_of(100));
  const Cost many = cost_of_merging(layouts_of(10000));
  EXPECT_GE(many.pieces, 100 * few.pieces);
  EXPECT_EQ(many.allocations, few.allocations);
  EXPECT_EQ(many.bytes, few.bytes);
  EXPECT_LE(many.allocations, allocations * kRanks);
  testing::Test::RecordProperty("allocations", static_cast<int>(many.allocations));
}

TEST(MergeMemory, InterleavedVectors) {
  expect_the_same_cost(40, [](std::int64_t count) {
    Layouts layouts;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      layouts.push_back(Layout::repeat(1000 * count, 8 * kRanks + 1, Layout::contiguous(8)).shifted(8 * rank));
    }
    return layouts;
  });
}

TEST(MergeMemory, BlocksOfACube) {
  expect_the_same_cost(40, [](std::int64_t count) {
    Layouts layouts;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      const Numbers starts = {1 + count * (rank / 16), 2 + count * (rank / 4 % 4), 3 + count * (rank % 4)};
      const Numbers sizes(3, 4 * count + 7);
      const Subarray shape{sizes, Numbers(3, count), starts, ArrayOrder::kC, make_type(BasicKind::kDouble)};
      layouts.push_back(build(*make_type(shape), Representation::native()).value().layout);
    }
    return layouts;
  });
}

// Every rank begins a plane later than the one before, and a block further on in it: as many stretches of planes with
// different ranks as there are ranks.
TEST(MergeMemory, BlocksAlongADiagonal) {
  expect_the_same_cost(1000, [](std::int64_t count) {
    Layouts layouts;
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      const Numbers starts = {rank, 100, 10 * rank};
      const Numbers sizes = {100 * count + kRanks, 2000000, 1000};
      const Subarray shape{
          sizes, {100 * count, 100 * count, 10}, starts, ArrayOrder::kC, make_type(BasicKind::kDouble)};
      layouts.push_back(build(*make_type(shape), Representation::native()).value().layout);
    }
    return layouts;
  });
}

TEST(MergeMemory, ListsCostNoMoreThanTheirPieces) {
  constexpr std::int64_t kPieces = 10000;
  Layouts layouts;
  for (std::int64_t rank = 0; rank < kRanks; ++rank) {
    Numbers displacements;
    Numbers lengths;
    for (std::int64_t i = 0; i < kPieces; ++i) {
      displacements.push_back(i * 10000 + rank * 100 + i % 7);
      lengths.push_back(1 + (i * rank) % 60);
    }
    layouts.push_back(Layout::blocks(displacements, lengths));
  }
  const Cost cost = cost_of_merging(layouts);
  EXPECT_EQ(cost.pieces, kRanks * kPieces);
  EXPECT_LT(cost.allocations, 1000U);
  // Lists grow by doubling, and become a layout of 16 bytes for each piece.
  EXPECT_LT(cost.bytes, static_cast<std::size_t>(80 * cost.pieces));
}

// Where structures are many and small, the result is no larger than a list of its pieces.
TEST(MergeMemory, ManySmallStructuresCostAtMost16BytesPerPiece) {
  for (const std::int64_t inner : {2, 5, 9, 15, 16, 17, 40}) {
    Layouts layouts;
    for (std::int64_t rank = 0; rank < 16; ++rank) {
      Numbers displacements;
      std::int64_t next = 8 * rank;
      for (std::int64_t i = 0; i < 1000; ++i) {
        displacements.push_back(next);
        next += 64 * (inner + (i * i + 7 * rank) % 19);
      }
      layouts.push_back(Layout::copies(displacements, Layout::repeat(inner, 64, Layout::contiguous(8))));
    }
    const Layout result = merged(layouts);
    EXPECT_LE(result.memory_bytes(), static_cast<std::size_t>(16 * result.piece_count() + 512)) << inner;
  }
}

}  // namespace
}  // namespace weir::layout
