#include "base/extent.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace weir {
namespace {

constexpr std::int64_t kTiB = std::int64_t{1} << 40;

// Every extent over a small line, also empty and reversed ones.
std::vector<Extent> small_extents() {
  std::vector<Extent> extents;
  for (std::int64_t begin = -1; begin <= 5; ++begin) {
    for (std::int64_t end = -1; end <= 5; ++end) extents.push_back({begin, end});
  }
  return extents;
}

// The oracle: which of the bytes -1..5 an extent holds.
std::uint32_t byte_map(Extent extent) {
  std::uint32_t map = 0;
  for (std::int64_t offset = -1; offset <= 5; ++offset) {
    if (extent.begin <= offset && offset < extent.end) map |= 1u << (offset + 1);
  }
  return map;
}

TEST(Extent, DefaultIsEmpty) {
  EXPECT_TRUE(Extent{}.empty());
  EXPECT_EQ(Extent{}.bytes(), 0);
}

TEST(Extent, IsHalfOpen) {
  const Extent extent{10, 20};
  EXPECT_EQ(extent.bytes(), 10);
  EXPECT_FALSE(extent.contains(9));
  EXPECT_TRUE(extent.contains(10));
  EXPECT_TRUE(extent.contains(19));
  EXPECT_FALSE(extent.contains(20));
}

TEST(Extent, ReversedOneIsEmptyAndHoldsNothing) {
  const Extent extent{20, 10};
  EXPECT_TRUE(extent.empty());
  EXPECT_EQ(extent.bytes(), 0);
  EXPECT_FALSE(extent.contains(15));
}

TEST(Extent, HoldsMoreThan32Bits) {
  const Extent extent{5 * kTiB, 7 * kTiB};
  EXPECT_EQ(extent.bytes(), 2 * kTiB);
  EXPECT_EQ((Extent{0, std::numeric_limits<std::int64_t>::max()}.bytes()),
            std::numeric_limits<std::int64_t>::max());
}

TEST(Extent, BytesContainsAndEmptyAgreeWithTheByteMap) {
  for (const Extent extent : small_extents()) {
    EXPECT_EQ(extent.bytes(), __builtin_popcount(byte_map(extent)));
    EXPECT_EQ(extent.empty(), byte_map(extent) == 0);
    for (std::int64_t offset = -1; offset <= 5; ++offset) {
      EXPECT_EQ(extent.contains(offset), (byte_map(extent) >> (offset + 1) & 1u) != 0);
    }
  }
}

TEST(Extent, IntersectionHoldsWhatBothHold) {
  for (const Extent a : small_extents()) {
    for (const Extent b : small_extents()) {
      EXPECT_EQ(byte_map(intersection(a, b)), byte_map(a) & byte_map(b));
    }
  }
}

TEST(Extent, HullIsTheSmallestThatHoldsBoth) {
  for (const Extent a : small_extents()) {
    for (const Extent b : small_extents()) {
      const std::uint32_t both = byte_map(a) | byte_map(b);
      const Extent result = hull(a, b);
      EXPECT_EQ(byte_map(result) & both, both);
      EXPECT_EQ(result.empty(), both == 0);
      if (both == 0) continue;
      EXPECT_NE(both >> (result.begin + 1) & 1u, 0u) << "its first byte belongs to one of them";
      EXPECT_NE(both >> result.end & 1u, 0u) << "its last byte belongs to one of them";
    }
  }
}

TEST(Extent, EqualityIsOfBothEnds) {
  EXPECT_EQ((Extent{1, 2}), (Extent{1, 2}));
  EXPECT_NE((Extent{1, 2}), (Extent{1, 3}));
  EXPECT_NE((Extent{0, 2}), (Extent{1, 2}));
}

}  // namespace
}  // namespace weir
