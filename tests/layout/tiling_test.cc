#include "layout/tiling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

// All extents within [lo, hi), and an empty one.
std::vector<Extent> extents_within(std::int64_t lo, std::int64_t hi) {
  std::vector<Extent> extents = {{lo, lo}};
  for (std::int64_t begin = lo; begin < hi; ++begin) {
    for (std::int64_t end = begin + 1; end <= hi; ++end) extents.push_back({begin, end});
  }
  return extents;
}

bool tile(const std::vector<Extent>& pieces, std::int64_t lo, std::int64_t hi) {
  std::vector<int> covered(static_cast<std::size_t>(hi - lo));
  for (const Extent& piece : pieces) {
    for (std::int64_t x = piece.begin; x < piece.end; ++x) ++covered[static_cast<std::size_t>(x - lo)];
  }
  return std::all_of(covered.begin(), covered.end(), [](int times) { return times == 1; });
}

std::uint64_t sum_of(const Tiling& tiling, const std::vector<Extent>& pieces, std::int64_t origin) {
  std::uint64_t sum = 0;
  for (const Extent& piece : pieces) sum = Tiling::add(sum, tiling.of(piece, origin));
  return sum;
}

TEST(Tiling, TellsTilingsFromAllOtherSetsOfUpToThreePieces) {
  const std::int64_t lo = 1000;
  const std::int64_t hi = lo + 7;
  const std::vector<Extent> extents = extents_within(lo, hi);
  for (const std::uint64_t seed : {0U, 1U, 2U, 12345U}) {
    const Tiling tiling(seed);
    const std::uint64_t window = tiling.of(Extent{lo, hi}, lo);
    for (const Extent& a : extents) {
      for (const Extent& b : extents) {
        for (const Extent& c : extents) {
          const std::vector<Extent> pieces = {a, b, c};
          ASSERT_EQ(sum_of(tiling, pieces, lo) == window, tile(pieces, lo, hi))
              << "[" << a.begin << "," << a.end << ") [" << b.begin << "," << b.end << ") [" << c.begin << "," << c.end
              << ") seed " << seed;
        }
      }
    }
  }
}

TEST(Tiling, OverlapPlusHoleIsNoTilingThoughTheBytesAddUp) {
  const Tiling tiling(7);
  const std::int64_t mebibyte = 1 << 20;
  const std::uint64_t window = tiling.of(Extent{0, mebibyte}, 0);
  EXPECT_EQ(sum_of(tiling, {{0, 1000}, {1000, mebibyte}}, 0), window);
  EXPECT_NE(sum_of(tiling, {{0, 1000}, {999, mebibyte - 1}}, 0), window);
  EXPECT_NE(sum_of(tiling, {{0, 1000}, {0, 1000}, {2000, mebibyte}}, 0), window);
}

// Byte by byte, each as an extent.
std::uint64_t slow_sum(const Tiling& tiling, const Layout& layout, Extent data, std::int64_t origin) {
  const std::vector<std::int64_t> offsets = bytes_of(layout);
  std::uint64_t sum = 0;
  for (std::int64_t i = data.begin; i < data.end; ++i) {
    const std::int64_t offset = offsets[static_cast<std::size_t>(i)];
    sum = Tiling::add(sum, tiling.of(Extent{offset, offset + 1}, origin));
  }
  return sum;
}

TEST(Tiling, ClosedFormsEqualTheSumOverPieces) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Tiling tiling(seed);
  int checked = 0;
  for (int i = 0; i < 3000; ++i) {
    const SizedLayout sized = build(*random_type(random, 4, true), Representation::native()).value();
    const Layout layout = Layout::repeat(1 + i % 4, sized.extent(), sized.layout);
    if (!layout.is_ascending() || layout.empty() || layout.data_bytes() > 2000) continue;
    for (int cut = 0; cut < 5; ++cut) {
      std::int64_t begin = static_cast<std::int64_t>(random()) & 0xfff;
      begin = cut == 0 ? 0 : begin % layout.data_bytes();
      const std::int64_t bytes = cut == 0 ? layout.data_bytes() : layout.data_bytes() - begin - begin % 5;
      const Extent data{begin, begin + std::max<std::int64_t>(bytes, 0)};
      if (data.empty()) continue;
      const std::int64_t origin = bytes_of(layout)[static_cast<std::size_t>(begin)] - cut;
      ASSERT_EQ(tiling.of(layout, data, origin), slow_sum(tiling, layout, data, origin))
          << describe(layout) << " [" << data.begin << ", " << data.end << ") from " << origin;
    }
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

// Each of `ranks` ranks has every ranks-th piece; a billion pieces each.
TEST(Tiling, ABillionPiecesOfEachRankTileTheWindow) {
  const std::int64_t ranks = 5;
  const std::int64_t pieces = 1000000000;
  const Tiling tiling(3);
  std::uint64_t sum = 0;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const Layout layout = Layout::endless(4 * ranks, Layout::contiguous(4).shifted(4 * rank));
    sum = Tiling::add(sum, tiling.of(layout, {400, 400 + 4 * pieces}, 400 * ranks));
  }
  EXPECT_EQ(sum, tiling.of(Extent{400 * ranks, (400 + 4 * pieces) * ranks}, 400 * ranks));
}

// A random cut of a window into pieces, dealt out to ranks as lists; distances between a few bytes and 2^40.
TEST(Tiling, RandomListsOfRanksTile) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (const unsigned longest_bits : {5U, 12U, 24U, 40U}) {
    std::vector<std::vector<std::int64_t>> displacements(3);
    std::vector<std::vector<std::int64_t>> lengths(3);
    const std::int64_t lo = 123456789;
    std::int64_t next = lo;
    for (int i = 0; i < 3000; ++i) {
      const std::size_t rank = random() % 3;
      displacements[rank].push_back(next);
      lengths[rank].push_back(1 + static_cast<std::int64_t>(random() >> (64 - longest_bits)));
      next += lengths[rank].back();
    }
    const Tiling tiling(seed);
    std::uint64_t sum = 0;
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const Layout layout = Layout::blocks(displacements[rank], lengths[rank]);
      sum = Tiling::add(sum, tiling.of(layout, {0, layout.data_bytes()}, lo));
    }
    EXPECT_EQ(sum, tiling.of(Extent{lo, next}, lo));
    EXPECT_NE(sum, tiling.of(Extent{lo, next - 1}, lo));
  }
}

TEST(Tiling, NothingIsZero) {
  const Tiling tiling(1);
  EXPECT_EQ(tiling.of(Extent{5, 5}, 0), 0U);
  EXPECT_EQ(tiling.of(Layout(), {0, 0}, 0), 0U);
  EXPECT_EQ(tiling.of(Layout::contiguous(8), {3, 3}, 0), 0U);
}

}  // namespace
}  // namespace weir::layout
