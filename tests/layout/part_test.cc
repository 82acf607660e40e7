#include "layout/part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

void expect_part(const Layout& layout, const Numbers& offsets, Extent data) {
  const auto at = [&](std::int64_t position) {
    return offsets.begin() + std::clamp<std::int64_t>(position, 0, layout.data_bytes());
  };
  const Numbers expected = data.empty() ? Numbers() : Numbers(at(data.begin), at(data.end));
  const Layout part = part_of(layout, data);
  ASSERT_FALSE(part.overflowed());
  ASSERT_EQ(bytes_of(part), expected) << describe(layout) << " [" << data.begin << ", " << data.end << ") is "
                                      << describe(part);
}

TEST(Part, EveryPartOfAllSmallTypes) {
  for (const TypeTree& type : small_types(2)) {
    const SizedLayout sized = build(*type, Representation::native()).value();
    const Layout layout = Layout::repeat(2, sized.extent(), sized.layout).shifted(5);
    if (layout.data_bytes() > 60) continue;
    const Numbers offsets = bytes_of(layout);
    for (std::int64_t begin = -1; begin <= layout.data_bytes() + 1; ++begin) {
      for (std::int64_t end = begin - 1; end <= layout.data_bytes() + 1; ++end) {
        expect_part(layout, offsets, {begin, end});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Part, RandomPartsOfRandomTypes) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    const SizedLayout sized = build(*random_type(random, 5, i % 2 == 0), Representation::native()).value();
    const Layout layout = Layout::repeat(1 + i % 5, sized.extent(), sized.layout);
    if (layout.empty() || layout.data_bytes() > 5000) continue;
    const Numbers offsets = bytes_of(layout);
    for (int cut = 0; cut < 10; ++cut) {
      std::uniform_int_distribution<std::int64_t> any(0, layout.data_bytes());
      const std::int64_t a = any(random);
      const std::int64_t b = any(random);
      expect_part(layout, offsets, {std::min(a, b), std::max(a, b)});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Part, StructureIsKept) {
  const Layout plane = Layout::repeat(1000000, 100, Layout::contiguous(8));
  const Layout cube = Layout::repeat(1000000, 1000000000, plane);
  const Layout part = part_of(cube, {3, cube.data_bytes() - 3});
  EXPECT_EQ(part.data_bytes(), cube.data_bytes() - 6);
  EXPECT_EQ(part.span(), (Extent{3, cube.span().end - 3}));
  EXPECT_LT(part.memory_bytes(), 2000U);
  EXPECT_TRUE(part.is_ascending());
}

TEST(Part, WholeEntriesLeaveTheSameForm) {
  const Layout run = Layout::repeat(10, 20, Layout::contiguous(8));
  EXPECT_EQ(part_of(run, {16, 40}), Layout::repeat(3, 20, Layout::contiguous(8)).shifted(40));
  EXPECT_EQ(part_of(run, {0, 80}), run);
  EXPECT_EQ(part_of(run, {-5, 1000}), run);
  EXPECT_EQ(part_of(run, {9, 11}), Layout::contiguous(2).shifted(21));
  EXPECT_TRUE(part_of(run, {80, 90}).empty());
  EXPECT_TRUE(part_of(Layout(), {0, 10}).empty());
}

TEST(Part, OfAnEndlessLayout) {
  const Layout endless = Layout::endless(64, Layout::repeat(2, 10, Layout::contiguous(4)));
  const Layout part = part_of(endless, {8000000002, 8000000016});
  EXPECT_EQ(bytes_of(part),
            (Numbers{64000000002, 64000000003, 64000000010, 64000000011, 64000000012, 64000000013, 64000000064,
                     64000000065, 64000000066, 64000000067, 64000000074, 64000000075, 64000000076, 64000000077}));
}

}  // namespace
}  // namespace weir::layout
