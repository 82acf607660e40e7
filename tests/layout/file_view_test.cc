#include "layout/file_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "layout/check_view.h"
#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

FileView view_of(const TypeTree& type, std::int64_t displacement) {
  const SizedLayout sized = build(*type, Representation::native()).value();
  return {displacement, 1, sized.layout, sized.extent()};
}

// A few tiles of the view against the list of their bytes; the two offset queries undo each other.
void expect_as_oracle(const FileView& view) {
  SCOPED_TRACE(describe(view.layout()));
  const std::int64_t tiles = 4;
  const Numbers bytes = tile_bytes(bytes_of(view.filetype()), view.filetype_extent(), tiles, view.displacement());
  Extent all;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto data_offset = static_cast<std::int64_t>(i);
    all = hull(all, {bytes[i], bytes[i] + 1});
    ASSERT_EQ(view.file_offset(data_offset), bytes[i]);
    ASSERT_EQ(view.data_bytes_below(bytes[i]), data_offset);
    ASSERT_EQ(view.data_bytes_below(bytes[i] + 1), data_offset + 1);
    ASSERT_EQ(view.cursor(data_offset).offset(), bytes[i]);
    ASSERT_EQ(view.extent_of(0, data_offset + 1), all);
  }
  const std::int64_t limit = view.displacement() + (tiles - 1) * view.filetype_extent();
  for (std::int64_t offset = 0; offset <= limit; ++offset) {
    const auto below = std::lower_bound(bytes.begin(), bytes.end(), offset) - bytes.begin();
    ASSERT_EQ(view.data_bytes_below(offset), below) << offset;
  }
}

TEST(FileView, DefaultShowsAllBytes) {
  const FileView view;
  EXPECT_TRUE(view.is_contiguous());
  EXPECT_EQ(view.file_offset(123), 123);
  EXPECT_EQ(view.data_bytes_below(123), 123);
  EXPECT_EQ(view.data_bytes(), kMax);
  EXPECT_EQ(view.extent_of(10, 5), (Extent{10, 15}));
  EXPECT_EQ(view.extent_of(10, 0), Extent{});
}

TEST(FileView, DisplacementMovesAll) {
  const FileView view(100, 8, Layout::contiguous(8), 8);
  EXPECT_TRUE(view.is_contiguous());
  EXPECT_EQ(view.file_offset(5), 105);
  EXPECT_EQ(view.data_bytes_below(50), 0);
  EXPECT_EQ(view.data_bytes_below(105), 5);
}

TEST(FileView, AnOffsetAtAPieceEndIsTheNextDataByte) {
  const FileView view(7, 4, Layout::contiguous(4), 10);
  EXPECT_EQ(view.file_offset(3), 10);
  EXPECT_EQ(view.file_offset(4), 17);
  EXPECT_EQ(view.data_bytes_below(11), 4);
  EXPECT_EQ(view.data_bytes_below(17), 4);
  EXPECT_EQ(view.extent_of(0, 4), (Extent{7, 11}));
  EXPECT_EQ(view.extent_of(2, 4), (Extent{9, 19}));
}

TEST(FileView, AllSmallTypesThatMakeAView) {
  int views = 0;
  for (const TypeTree& type : small_types(2)) {
    const SizedLayout sized = build(*type, Representation::native()).value();
    const FileView view = view_of(type, 13);
    if (!check_view(sized, sized, true).ok() || !view.is_ascending()) continue;
    expect_as_oracle(view);
    ++views;
    if (HasFailure()) return;
  }
  EXPECT_GT(views, 300);
}

TEST(FileView, RandomTypesThatMakeAView) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  int views = 0;
  for (int i = 0; i < 2000; ++i) {
    const TypeTree type = random_type(random, 4, true);
    const SizedLayout sized = build(*type, Representation::native()).value();
    const FileView view = view_of(type, i % 100);
    if (sized.extent() > 3000 || !check_view(sized, sized, true).ok() || !view.is_ascending()) continue;
    expect_as_oracle(view);
    ++views;
    if (HasFailure()) return;
  }
  EXPECT_GT(views, 100);
}

TEST(FileView, InterleavedTilesAreCountedToo) {
  // Bytes 0 and 3 in an extent of 2: tiles interleave without overlap. 0 3 2 5 4 7 ...
  const FileView view(0, 1, Layout::repeat(2, 3, Layout::contiguous(1)), 2);
  EXPECT_FALSE(view.is_ascending());
  EXPECT_EQ(view.file_offset(3), 5);
  EXPECT_EQ(view.data_bytes_below(5), 4);
  EXPECT_EQ(view.extent_of(1, 2), (Extent{2, 4}));
}

TEST(FileView, EndsWith64BitOffsets) {
  const std::int64_t gigabyte = 1 << 30;
  const FileView view(0, 1, Layout::contiguous(1), gigabyte);
  EXPECT_EQ(view.data_bytes(), std::int64_t{1} << 33);
  EXPECT_EQ(view.file_offset(view.data_bytes() - 1), (view.data_bytes() - 1) * gigabyte);
  EXPECT_EQ(view.file_offset(view.data_bytes()), kMax);
  EXPECT_EQ(view.data_bytes_below(kMax), view.data_bytes());
  EXPECT_TRUE(view.cursor(view.data_bytes()).at_end());
  EXPECT_EQ(view.extent_of(view.data_bytes() - 1, kMax).begin, view.file_offset(view.data_bytes() - 1));
  EXPECT_EQ(FileView(kMax - 10, 1, Layout::contiguous(1), 1).data_bytes(), 10);
}

TEST(FileView, AnEmptyFileTypeShowsNothing) {
  const FileView view(9, 4, Layout(), 0);
  EXPECT_EQ(view.data_bytes(), 0);
  EXPECT_EQ(view.file_offset(0), 9);
  EXPECT_EQ(view.data_bytes_below(kMax), 0);
  EXPECT_TRUE(view.cursor(0).at_end());
}

TEST(FileView, EqualViewsHaveEqualFingerprints) {
  const FileView a(8, 4, Layout::repeat(2, 8, Layout::contiguous(4)), 64);
  const FileView b(8, 4, Layout::blocks(Numbers{0, 8}, Numbers{4, 4}), 64);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  EXPECT_NE(a, FileView(9, 4, a.filetype(), 64));
  EXPECT_NE(a.fingerprint(), FileView(9, 4, a.filetype(), 64).fingerprint());
}

}  // namespace
}  // namespace weir::layout
