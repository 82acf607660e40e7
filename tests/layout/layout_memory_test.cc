// What structures cost: bytes kept and allocations made, counted and not timed.
#include <gtest/gtest.h>

#include <random>

#include "layout/counted_new.h"
#include "layout/file_view.h"
#include "layout/request_list.h"
#include "layout/type_tree.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

// 10^9 pieces of 8 bytes: every other element of a 3-D array in its fastest dimension.
TypeTree large_subarray() {
  const TypeTree pair = make_type(Resized{0, 16, make_type(BasicKind::kDouble)});
  return make_type(Subarray{{2000, 2000, 2000}, {1000, 1000, 1000}, {10, 20, 30}, ArrayOrder::kC, pair});
}

TEST(LayoutMemory, ABillionPiecesCostAFewHundredBytes) {
  const TypeTree type = large_subarray();
  const Representation native = Representation::native();
  const std::size_t before = counted_new::allocation_count;
  const std::size_t bytes_before = counted_new::allocated_bytes;
  const SizedLayout sized = build(*type, native).value();
  const std::size_t allocations = counted_new::allocation_count - before;
  const std::size_t bytes = counted_new::allocated_bytes - bytes_before;
  EXPECT_EQ(sized.layout.piece_count(), 1000000000);
  EXPECT_EQ(sized.layout.data_bytes(), 8000000000);
  EXPECT_LT(sized.layout.memory_bytes(), 1024U);
  EXPECT_LT(allocations, 100U);
  EXPECT_LT(bytes, 16384U);
  RecordProperty("kept_bytes", static_cast<int>(sized.layout.memory_bytes()));
  RecordProperty("allocations", static_cast<int>(allocations));
}

TEST(LayoutMemory, SeeksAndWalksAllocateNothing) {
  const SizedLayout sized = build(*large_subarray(), Representation::native()).value();
  const FileView view(0, 8, sized.layout, sized.extent());
  const RequestList requests =
      RequestList::make(view, 0, Memory::of(nullptr, Layout::contiguous(4), 4, 1 << 28)).value();
  SliceCursor slices = requests.slices();
  Cursor cursor = view.cursor(0);
  const std::size_t before = counted_new::allocation_count;
  std::int64_t seen = 0;
  for (std::int64_t position = 0; position < 800000000; position += 7654321) {
    cursor.seek(position);
    slices.seek(position);
    for (int i = 0; i < 3000; ++i) seen += cursor.next_piece(100).length + slices.next().bytes;
    seen += slices.next_run(1000).total_bytes() + view.file_offset(position) + view.data_bytes_below(position);
    seen += view.extent_of(position, 100000).bytes();
  }
  EXPECT_EQ(counted_new::allocation_count, before);
  EXPECT_GT(seen, 0);
}

TEST(LayoutMemory, IrregularListsCostAtMost16BytesPerPiece) {
  std::mt19937_64 random(1);
  constexpr std::size_t kBlocks = 100000;
  Numbers lengths;
  Numbers displacements;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    displacements.push_back(next);
    lengths.push_back(1 + static_cast<std::int64_t>(random() % 100));
    next += lengths.back() + 1 + static_cast<std::int64_t>(random() % 100);
  }
  const Layout irregular = Layout::blocks(displacements, lengths);
  EXPECT_EQ(irregular.piece_count(), static_cast<std::int64_t>(kBlocks));
  EXPECT_LE(irregular.memory_bytes(), 16 * kBlocks + 512);
  // Blocks of one length cost half, and so do copies of one child.
  const Layout equal = Layout::blocks(displacements, Numbers(kBlocks, 1));
  EXPECT_LE(equal.memory_bytes(), 8 * kBlocks + 512);
  const Layout copies = Layout::copies(displacements, Layout::repeat(2, 1000, Layout::contiguous(3)));
  EXPECT_LE(copies.memory_bytes(), 8 * kBlocks + 512);
}

TEST(LayoutMemory, IrregularBlocksOfAChildWithHolesCostNoMore) {
  std::mt19937_64 random(2);
  for (const std::int64_t longest : {2, 3, 10, 1000}) {
    Indexed shape{{}, {}, make_type(Resized{0, 24, make_type(BasicKind::kDouble)})};
    std::int64_t next = 0;
    for (int i = 0; i < 20000; ++i) {
      shape.displacements.push_back(next);
      shape.block_lengths.push_back(1 + static_cast<std::int64_t>(random()) % longest);
      if (shape.block_lengths.back() < 1) shape.block_lengths.back() = 1;
      next += shape.block_lengths.back() + 1 + static_cast<std::int64_t>(random() % 5);
    }
    const Layout layout = build(*make_type(shape), Representation::native()).value().layout;
    const auto pieces = static_cast<std::size_t>(layout.piece_count());
    // Blocks of different lengths have a node each, up to `longest` of them.
    EXPECT_LE(layout.memory_bytes(), 16 * pieces + 512 + 128 * static_cast<std::size_t>(longest)) << longest;
  }
}

TEST(LayoutMemory, ListsAreBuiltWithoutACopyBeside) {
  constexpr std::size_t kBlocks = 100000;
  Numbers displacements(kBlocks);
  Numbers lengths(kBlocks);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    displacements[i] = static_cast<std::int64_t>(i * i);
    lengths[i] = 1 + static_cast<std::int64_t>(i % 2);
  }
  const std::size_t before = counted_new::allocated_bytes;
  const Layout layout = Layout::blocks(displacements, lengths);
  EXPECT_LE(counted_new::allocated_bytes - before, 16 * kBlocks + 512);
  EXPECT_GT(layout.piece_count(), 1);
}

}  // namespace
}  // namespace weir::layout
