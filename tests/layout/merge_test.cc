#include "layout/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "layout/cursor.h"
#include "layout/merge_periods.h"
#include "layout/node.h"
#include "layout/oracle.h"
#include "layout/part_joiner.h"
#include "layout/query.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;
using Layouts = std::vector<Layout>;

Layout vector_of(std::int64_t offset, std::int64_t count, std::int64_t length, std::int64_t stride) {
  return Layout::repeat(count, stride, Layout::contiguous(length)).shifted(offset);
}

Layout subarray(const Numbers& sizes, const Numbers& subsizes, const Numbers& starts) {
  const Subarray shape{sizes, subsizes, starts, ArrayOrder::kC, make_type(BasicKind::kByte)};
  return build(*make_type(shape), Representation::native()).value().layout;
}

std::string describe_all(const Layouts& layouts) {
  std::string text;
  for (const Layout& layout : layouts) text += describe(layout) + "\n";
  return text;
}

// The bytes of all layouts, ascending, each once.
Numbers united_bytes(const Layouts& layouts) {
  Numbers all;
  for (const Layout& layout : layouts) {
    const Numbers bytes = bytes_of(layout);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::int64_t pieces_by_cursor(const Layout& layout) {
  Cursor cursor(layout);
  std::int64_t pieces = 0;
  while (cursor.next_piece().length > 0) ++pieces;
  return pieces;
}

bool fits_periods(const Layout& layout) {
  if (layout.empty() || !layout.is_ascending()) return false;
  return layout.root()->kind != NodeKind::kCopies && layout.root()->kind != NodeKind::kSequence;
}

// The same by arithmetic, where merged() would not take the trouble for a few pieces.
void expect_periods(const Layouts& layouts, const Numbers& expected) {
  PartJoiner joiner;
  if (!std::all_of(layouts.begin(), layouts.end(), fits_periods) || !merge_periods(layouts, joiner)) return;
  const Layout result = joiner.finish();
  ASSERT_EQ(bytes_of(result), expected) << describe_all(layouts) << "is " << describe(result);
  ASSERT_EQ(result.piece_count(), static_cast<std::int64_t>(pieces_of(expected).size())) << describe_all(layouts);
}

void expect_merged(const Layouts& layouts) {
  const Layout result = merged(layouts);
  const Numbers expected = united_bytes(layouts);
  ASSERT_FALSE(result.overflowed());
  ASSERT_EQ(bytes_of(result), expected) << describe_all(layouts) << "is " << describe(result);
  const auto pieces = static_cast<std::int64_t>(pieces_of(expected).size());
  ASSERT_EQ(result.piece_count(), pieces) << describe_all(layouts) << "is " << describe(result);
  PieceCounts counts{0, pieces};
  for (const Layout& layout : layouts) counts.apart += pieces_by_cursor(layout);
  ASSERT_EQ(count_pieces(layouts), counts) << describe_all(layouts);
  expect_periods(layouts, expected);
}

// All sets of `size` layouts out of `all`, also with one several times.
void expect_all_sets(const Layouts& all, std::size_t size, std::size_t from, Layouts& chosen) {
  if (chosen.size() == size) return expect_merged(chosen);
  for (std::size_t i = from; i < all.size() && !testing::Test::HasFatalFailure(); ++i) {
    chosen.push_back(all[i]);
    expect_all_sets(all, size, i, chosen);
    chosen.pop_back();
  }
}

void expect_all_sets(const Layouts& all, std::size_t size) {
  Layouts chosen;
  expect_all_sets(all, size, 0, chosen);
}

Layouts vectors(const Numbers& offsets, const Numbers& counts, const Numbers& lengths, const Numbers& strides) {
  Layouts all;
  for (const std::int64_t offset : offsets) {
    for (const std::int64_t count : counts) {
      for (const std::int64_t length : lengths) {
        for (const std::int64_t stride : strides) all.push_back(vector_of(offset, count, length, stride));
      }
    }
  }
  return all;
}

// All parts of an array of bytes. All dimensions but the fastest are as many times longer as `scale` says.
Layouts subarrays(const Numbers& sizes, std::int64_t scale = 1) {
  std::vector<Numbers> subsizes = {{}};
  std::vector<Numbers> starts = {{}};
  for (const std::int64_t size : sizes) {
    std::vector<Numbers> more_subsizes;
    std::vector<Numbers> more_starts;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (std::int64_t start = 0; start < size; ++start) {
        for (std::int64_t length = 1; start + length <= size; ++length) {
          more_subsizes.push_back(subsizes[i]);
          more_subsizes.back().push_back(length);
          more_starts.push_back(starts[i]);
          more_starts.back().push_back(start);
        }
      }
    }
    subsizes = more_subsizes;
    starts = more_starts;
  }
  const auto scaled = [&](Numbers numbers) {
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i) numbers[i] *= scale;
    return numbers;
  };
  Layouts all;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    all.push_back(subarray(scaled(sizes), scaled(subsizes[i]), scaled(starts[i])));
  }
  return all;
}

TEST(Merge, NothingGivesNothing) {
  EXPECT_TRUE(merged({}).empty());
  EXPECT_TRUE(merged(Layouts{Layout(), Layout()}).empty());
  EXPECT_EQ(count_pieces({}), PieceCounts{});
  const Layout vector = vector_of(3, 4, 5, 6);
  EXPECT_EQ(merged(Layouts{Layout(), vector}), vector);
  EXPECT_TRUE(merged(Layouts{vector, Layout::overflow()}).overflowed());
  EXPECT_TRUE(merged(Layouts{vector, Layout::contiguous(1).shifted(std::int64_t{1} << 62)}).overflowed());
}

TEST(Merge, AllPairsOfSmallVectors) {
  expect_all_sets(vectors({0, 1, 2, 5}, {1, 2, 3}, {1, 2, 3}, {-3, 0, 1, 2, 3, 4, 5}), 2);
  expect_all_sets(vectors({0, 1, 4, 7, 20}, {1, 9, 10}, {1, 2}, {1, 2, 3, 4, 6}), 2);
}

TEST(Merge, AllTripletsOfSmallVectors) { expect_all_sets(vectors({0, 1, 2, 3, 5}, {1, 3}, {1, 2}, {2, 3, 4}), 3); }

TEST(Merge, AllQuartetsOfSmallVectors) { expect_all_sets(vectors({0, 1, 2, 3}, {4, 10}, {1}, {3, 4, 5}), 4); }

TEST(Merge, AllSetsOfPartsOfALine) {
  const Layouts parts = subarrays({5});
  expect_all_sets(parts, 2);
  expect_all_sets(parts, 3);
  expect_all_sets(parts, 4);
}

TEST(Merge, AllSetsOfPartsOfAPlane) {
  expect_all_sets(subarrays({3, 4}), 2);
  expect_all_sets(subarrays({3, 3}), 3);
  expect_all_sets(subarrays({2, 2}), 4);
  expect_all_sets(subarrays({3, 4}, 9), 2);
  expect_all_sets(subarrays({2, 3}, 9), 3);
}

TEST(Merge, AllSetsOfPartsOfACube) {
  expect_all_sets(subarrays({2, 3, 4}), 2);
  expect_all_sets(subarrays({2, 2, 2}), 3);
  expect_all_sets(subarrays({2, 2, 2}), 4);
  expect_all_sets(subarrays({2, 2, 3}, 4), 2);
  expect_all_sets(subarrays({2, 2, 2}, 4), 3);
}

// Boxes of an array of arrays, as a file of several variables has them.
TEST(Merge, AllPairsOfRepeatedParts) {
  Layouts repeated;
  for (const Layout& part : subarrays({3, 3})) {
    for (const std::int64_t distance : {9, 12}) repeated.push_back(Layout::repeat(3, distance, part));
  }
  expect_all_sets(repeated, 2);
}

TEST(Merge, RandomTypes) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 3000 && !HasFatalFailure(); ++i) {
    Layouts layouts;
    for (std::uint64_t ranks = 1 + random() % 5; ranks > 0; --ranks) {
      const SizedLayout sized = build(*random_type(random, 4, i % 3 != 0), Representation::native()).value();
      const Layout layout = Layout::repeat(1 + static_cast<std::int64_t>(random() % 4), sized.extent(), sized.layout);
      if (layout.data_bytes() < 4000) layouts.push_back(layout.shifted(static_cast<std::int64_t>(random() % 64)));
    }
    expect_merged(layouts);
  }
}

// Nested strided runs whose distances often fit each other.
Layout random_structure(std::mt19937_64& random) {
  const auto pick = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
  };
  Layout layout = Layout::contiguous(pick(1, 4));
  for (const std::int64_t distance : {pick(4, 8), 4 * pick(8, 12), 48 * pick(4, 8)}) {
    if (pick(0, 3) == 0) {
      const Numbers displacements = {0, distance, distance * pick(2, 3)};
      layout = Layout::copies(displacements, layout);
    } else if (pick(0, 3) > 0) {
      layout = Layout::repeat(pick(1, 12), distance, layout);
    }
    layout = layout.shifted(pick(0, distance));
  }
  return layout;
}

TEST(Merge, RandomStructures) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000 && !HasFatalFailure(); ++i) {
    Layouts layouts;
    for (std::uint64_t ranks = 1 + random() % 6; ranks > 0; --ranks) layouts.push_back(random_structure(random));
    expect_merged(layouts);
  }
}

Layout random_list(std::mt19937_64& random, int pieces, int widest_gap) {
  Numbers displacements;
  Numbers lengths;
  std::int64_t next = static_cast<std::int64_t>(random() % 100);
  for (int i = 0; i < pieces; ++i) {
    displacements.push_back(next);
    lengths.push_back(1 + static_cast<std::int64_t>(random() % 9));
    next += lengths.back() + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(widest_gap));
  }
  return Layout::blocks(displacements, lengths);
}

TEST(Merge, RandomLists) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const int ranks : {1, 2, 3, 7, 64}) {
    for (const int widest_gap : {3, 50, 1000}) {
      Layouts layouts;
      for (int rank = 0; rank < ranks; ++rank) layouts.push_back(random_list(random, 200, widest_gap));
      expect_merged(layouts);
      layouts.push_back(vector_of(17, 3000, 2, 11));
      expect_merged(layouts);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Merge, InterleavedVectorsBecomeOneOfLongerBlocks) {
  constexpr std::int64_t kCount = 1000000000;
  Layouts layouts;
  for (const std::int64_t rank : {2, 0, 1}) layouts.push_back(vector_of(8 * rank, kCount, 8, 64));
  EXPECT_EQ(merged(layouts), vector_of(0, kCount, 24, 64));
  EXPECT_EQ(count_pieces(layouts), (PieceCounts{3 * kCount, kCount}));
  for (const std::int64_t rank : {7, 6, 3, 5, 4}) layouts.push_back(vector_of(8 * rank, kCount, 8, 64));
  EXPECT_EQ(merged(layouts), Layout::contiguous(64 * kCount));
}

TEST(Merge, VectorsThatBeginAndEndElsewhere) {
  constexpr std::int64_t kCount = 1000000;
  // The second is two periods behind, and longer.
  const Layouts layouts = {vector_of(0, kCount, 8, 64), vector_of(136, kCount, 8, 64)};
  const Layout result = merged(layouts);
  EXPECT_EQ(count_pieces(layouts), (PieceCounts{2 * kCount, kCount + 2}));
  EXPECT_LT(result.memory_bytes(), 1000U);
  // Blocks that go on in the next period.
  const Layouts around = {vector_of(0, kCount, 8, 64), vector_of(56, kCount, 16, 64)};
  EXPECT_EQ(count_pieces(around), (PieceCounts{2 * kCount, kCount + 1}));
  EXPECT_LT(merged(around).memory_bytes(), 1000U);
}

TEST(Merge, DistancesThatAreMultiples) {
  constexpr std::int64_t kCount = 600000;
  const Layouts multiple = {vector_of(0, 3 * kCount, 4, 16), vector_of(4, kCount, 4, 48)};
  EXPECT_EQ(count_pieces(multiple), (PieceCounts{4 * kCount, 3 * kCount}));
  EXPECT_LT(merged(multiple).memory_bytes(), 1000U);
  // 16 and 24 meet at 48: 0, 16, 32 beside 8, 32.
  const Layouts common = {vector_of(0, 3 * kCount, 4, 16), vector_of(8, 2 * kCount, 4, 24)};
  EXPECT_EQ(count_pieces(common), (PieceCounts{5 * kCount, 4 * kCount}));
  EXPECT_LT(merged(common).memory_bytes(), 1000U);
}

TEST(Merge, FewPiecesBesideMany) {
  constexpr std::int64_t kCount = 1000000000;
  const Layout many = Layout::repeat(kCount, 100, vector_of(0, 2, 8, 50));
  const Layout list = Layout::blocks(Numbers{108, 100000, 777777}, Numbers{42, 3000, 1});
  const Layouts layouts = {list, many};
  const Layout result = merged(layouts);
  // The first block joins two pieces, the second covers 60 and touches one more, the third stands alone.
  EXPECT_EQ(count_pieces(layouts), (PieceCounts{2 * kCount + 3, 2 * kCount - 2 + 1 - 61 + 1 + 1}));
  EXPECT_LT(result.memory_bytes(), 4000U);
}

// A grid of blocks of an array, in each of its dimensions, gives the array's larger block.
TEST(Merge, NeighbouringBlocksBecomeALargerBlock) {
  for (const Numbers& grid : std::vector<Numbers>{{4, 1, 1}, {1, 4, 1}, {1, 1, 4}, {2, 3, 1}, {1, 2, 3}, {2, 2, 2}}) {
    Layouts blocks;
    for (std::int64_t x = 0; x < grid[0]; ++x) {
      for (std::int64_t y = 0; y < grid[1]; ++y) {
        for (std::int64_t z = 0; z < grid[2]; ++z) {
          blocks.push_back(subarray({4096, 4096, 4096}, {1000, 800, 600}, {7 + 1000 * x, 9 + 800 * y, 11 + 600 * z}));
        }
      }
    }
    const Layout large = subarray({4096, 4096, 4096}, {1000 * grid[0], 800 * grid[1], 600 * grid[2]}, {7, 9, 11});
    EXPECT_EQ(merged(blocks), large) << describe(merged(blocks));
    std::reverse(blocks.begin(), blocks.end());
    EXPECT_EQ(merged(blocks), large);
  }
}

TEST(Merge, BlocksOfDifferentSizesBecomeALargerBlock) {
  const Numbers sizes = {500, 600, 700};
  const Layouts blocks = {
      subarray(sizes, {100, 600, 700}, {0, 0, 0}),   subarray(sizes, {1, 300, 700}, {100, 0, 0}),
      subarray(sizes, {1, 300, 400}, {100, 300, 0}), subarray(sizes, {1, 300, 300}, {100, 300, 400}),
      subarray(sizes, {399, 600, 699}, {101, 0, 0}), subarray(sizes, {399, 600, 1}, {101, 0, 699})};
  EXPECT_EQ(merged(blocks), Layout::contiguous(500 * 600 * 700));
  const Layouts uneven = {subarray(sizes, {100, 20, 30}, {0, 5, 5}), subarray(sizes, {7, 20, 30}, {100, 5, 5}),
                          subarray(sizes, {1, 20, 30}, {107, 5, 5}), subarray(sizes, {2, 20, 30}, {108, 5, 5})};
  EXPECT_EQ(merged(uneven), subarray(sizes, {110, 20, 30}, {0, 5, 5}));
}

TEST(Merge, TheSameBytesSeveralTimes) {
  const Layout cube = subarray({1000, 1000, 1000}, {500, 500, 500}, {1, 2, 3});
  EXPECT_EQ(merged(Layouts(64, cube)), cube);
  const Layout overlapping = subarray({1000, 1000, 1000}, {500, 500, 500}, {1, 2, 250});
  EXPECT_EQ(merged(Layouts{overlapping, cube}), subarray({1000, 1000, 1000}, {500, 500, 747}, {1, 2, 3}));
}

}  // namespace
}  // namespace weir::layout
