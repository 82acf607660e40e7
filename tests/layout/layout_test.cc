#include "layout/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "layout/oracle.h"
#include "layout/query.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Layout blocks(const Numbers& displacements, const Numbers& lengths) { return Layout::blocks(displacements, lengths); }

// Facts that follow from the list of bytes.
void expect_facts(const Layout& layout) {
  SCOPED_TRACE(describe(layout));
  const Numbers bytes = bytes_of(layout);
  const std::vector<Piece> pieces = pieces_of(bytes);
  EXPECT_EQ(layout.data_bytes(), static_cast<std::int64_t>(bytes.size()));
  EXPECT_EQ(layout.empty(), bytes.empty());
  EXPECT_GE(layout.piece_count(), static_cast<std::int64_t>(pieces.size()));
  if (bytes.empty()) {
    EXPECT_EQ(layout.span(), Extent{});
    return;
  }
  const auto [lowest, highest] = std::minmax_element(bytes.begin(), bytes.end());
  EXPECT_EQ(layout.span(), (Extent{*lowest, *highest + 1}));
  EXPECT_EQ(layout.first(), bytes.front());
  EXPECT_EQ(layout.is_ascending(),
            std::adjacent_find(bytes.begin(), bytes.end(), std::greater_equal<>()) == bytes.end());
  const bool backwards = std::adjacent_find(pieces.begin(), pieces.end(),
                                            [](Piece a, Piece b) { return b.offset < a.offset; }) != pieces.end();
  EXPECT_FALSE(backwards && layout.is_monotone());
  EXPECT_TRUE(layout.is_monotone() || !layout.is_ascending());
}

void expect_queries(const Layout& layout) {
  SCOPED_TRACE(describe(layout));
  const Numbers bytes = bytes_of(layout);
  const Extent span = layout.span();
  for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(offset_of(layout, static_cast<std::int64_t>(i)), bytes[i]);
  for (std::int64_t offset = span.begin - 1; offset <= span.end + 1; ++offset) {
    const auto below = std::count_if(bytes.begin(), bytes.end(), [&](std::int64_t byte) { return byte < offset; });
    ASSERT_EQ(data_bytes_below(layout, offset), below) << offset;
  }
}

// The hull of every range of data bytes.
void expect_extents(const Layout& layout) {
  SCOPED_TRACE(describe(layout));
  const Numbers bytes = bytes_of(layout);
  for (std::size_t begin = 0; begin < bytes.size(); ++begin) {
    Extent expected;
    for (std::size_t end = begin + 1; end <= bytes.size(); ++end) {
      expected = hull(expected, {bytes[end - 1], bytes[end - 1] + 1});
      const Extent data{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
      ASSERT_EQ(extent_of(layout, data), expected) << begin << " to " << end;
    }
  }
}

TEST(Layout, FactsAndQueriesOfAllSmallTypes) {
  for (const TypeTree& type : small_types(2)) {
    const Layout layout = build(*type, Representation::native()).value().layout;
    expect_facts(layout);
    expect_queries(layout);
    if (layout.data_bytes() <= 60) expect_extents(layout);
    if (HasFailure()) return;
  }
}

TEST(Layout, FactsAndQueriesOfRandomTypes) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1000; ++i) {
    const Layout layout = build(*random_type(random, 4, i % 2 == 0), Representation::native()).value().layout;
    if (layout.span().bytes() > 5000 || layout.data_bytes() > 5000) continue;
    expect_facts(layout);
    expect_queries(layout);
    if (layout.data_bytes() <= 100) expect_extents(layout);
    if (HasFailure()) return;
  }
}

TEST(Layout, OneCopyIsTheChild) {
  const Layout child = Layout::repeat(3, 10, Layout::contiguous(4));
  EXPECT_EQ(Layout::repeat(1, 77, child), child);
  EXPECT_EQ(Layout::copies(Numbers{5}, child), child.shifted(5));
}

TEST(Layout, TouchingCopiesAreContiguous) {
  EXPECT_EQ(Layout::repeat(5, 8, Layout::contiguous(8)), Layout::contiguous(40));
  EXPECT_EQ(Layout::repeat(5, 24, Layout::repeat(3, 8, Layout::contiguous(8))), Layout::contiguous(120));
}

TEST(Layout, ARepeatThatGoesOnIsOneRepeat) {
  const Layout run = Layout::repeat(3, 10, Layout::contiguous(4));
  EXPECT_EQ(Layout::repeat(7, 30, run), Layout::repeat(21, 10, Layout::contiguous(4)));
  const Layout irregular = blocks({0, 5, 7}, {2, 1, 1});
  EXPECT_EQ(Layout::repeat(7, 60, Layout::repeat(3, 20, irregular)), Layout::repeat(21, 20, irregular));
}

TEST(Layout, BlocksThatTouchAreJoinedInOrderOnly) {
  EXPECT_EQ(blocks({10, 14, 20}, {4, 6, 5}), Layout::contiguous(15).shifted(10));
  EXPECT_EQ(blocks({4, 0}, {4, 4}).piece_count(), 2);
  EXPECT_EQ(blocks({3, 9, 5}, {0, 0, 0}), Layout());
}

TEST(Layout, EquallySpacedListsBecomeRepeats) {
  EXPECT_EQ(blocks({6, 16, 26, 36}, {4, 4, 4, 4}), Layout::repeat(4, 10, Layout::contiguous(4)).shifted(6));
  EXPECT_EQ(blocks({36, 26, 16}, {4, 4, 4}), Layout::repeat(3, -10, Layout::contiguous(4)).shifted(36));
  const Layout child = blocks({0, 5, 7}, {2, 1, 1});
  EXPECT_EQ(Layout::copies(Numbers{0, 50, 100}, child), Layout::repeat(3, 50, child));
}

TEST(Layout, SequencesFoldWhatIsEqual) {
  const Layout irregular = blocks({0, 5, 7}, {2, 1, 1});
  const std::vector<Layout::Part> copies = {{0, irregular}, {30, irregular}, {60, irregular}};
  EXPECT_EQ(Layout::sequence(copies), Layout::repeat(3, 30, irregular));
  const std::vector<Layout::Part> pieces = {{8, Layout::contiguous(8)}, {16, Layout::contiguous(4)}, {5, Layout()}};
  EXPECT_EQ(Layout::sequence(pieces), Layout::contiguous(12).shifted(8));
  const std::vector<Layout::Part> nested = {
      {0, Layout::sequence(std::vector<Layout::Part>{{0, irregular}, {20, Layout::contiguous(1)}})},
      {21, Layout::contiguous(3)}};
  EXPECT_EQ(Layout::sequence(nested),
            Layout::sequence(std::vector<Layout::Part>{{0, irregular}, {20, Layout::contiguous(4)}}));
}

TEST(Layout, EqualLayoutsHaveEqualFingerprints) {
  const Layout a = Layout::repeat(7, 30, Layout::repeat(3, 10, Layout::contiguous(4)));
  const Layout b = Layout::repeat(21, 10, Layout::contiguous(4));
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_NE(a.fingerprint(), a.shifted(1).fingerprint());
  EXPECT_NE(a, a.shifted(1));
  EXPECT_NE(a.fingerprint(), Layout::repeat(20, 10, Layout::contiguous(4)).fingerprint());
  EXPECT_NE(Layout(), Layout::overflow());
}

TEST(Layout, WhatDoesNotFitOverflowsAndStaysSo) {
  const Layout large = Layout::contiguous(kMax / 2);
  const Layout spread = Layout::repeat(3, kMax / 2 + 1, Layout::contiguous(1));
  for (const Layout& layout : {Layout::repeat(3, kMax / 2, large), spread, large.shifted(kMax - 5),
                               blocks({-kMax, 5}, {1, 1}), blocks({kMax}, {1}), Layout::repeat(3, 0, large),
                               Layout::copies(Numbers{0, 7, kMax}, Layout::repeat(2, 5, Layout::contiguous(1)))}) {
    EXPECT_TRUE(layout.overflowed()) << describe(layout);
    EXPECT_EQ(layout.data_bytes(), 0);
    EXPECT_TRUE(layout.shifted(1).overflowed());
    EXPECT_TRUE(Layout::repeat(2, 1, layout).overflowed());
    EXPECT_TRUE(Layout::copies(Numbers{1}, layout).overflowed());
    EXPECT_TRUE(Layout::sequence(std::vector<Layout::Part>{{0, layout}}).overflowed());
  }
}

TEST(Layout, EndlessGoesToTheEndOf64Bits) {
  EXPECT_EQ(Layout::endless(1, Layout::contiguous(1)), Layout::contiguous(kMax));
  for (const std::int64_t stride : {std::int64_t{1}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{4097}, -kMax, kMax,
                                    kMax / 2, std::numeric_limits<std::int64_t>::min()}) {
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{-1000}, kMax / 2, kMax - 1000, -kMax}) {
      const Layout tile = blocks({0, 5, 700}, {2, 1, 1}).shifted(first);
      const Layout endless = Layout::endless(stride, tile);
      EXPECT_FALSE(endless.overflowed()) << stride << " " << first;
      EXPECT_GE(endless.data_bytes(), tile.data_bytes());
    }
  }
}

TEST(Layout, DescribesItsStructure) {
  EXPECT_EQ(describe(Layout()), "empty");
  EXPECT_EQ(describe(Layout::contiguous(7).shifted(3)), "@3 (7 bytes)");
  EXPECT_EQ(describe(Layout::repeat(2, 100, Layout::repeat(3, 10, Layout::contiguous(4)))),
            "(repeat 2 by 100 of (run 3 x 4 by 10))");
  EXPECT_EQ(describe(blocks({0, 5, 9}, {2, 1, 3})), "(blocks 3 at 0+2 5+1 9+3)");
}

}  // namespace
}  // namespace weir::layout
