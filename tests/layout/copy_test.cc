#include "layout/copy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Bytes = std::vector<std::byte>;

Bytes numbered(std::size_t how_many) {
  Bytes bytes(how_many);
  for (std::size_t i = 0; i < how_many; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256 + 1);
  return bytes;
}

// A memory that holds all tiles, and where their origin is in it.
struct Arena {
  Bytes memory;
  std::int64_t origin;
};

Arena arena_of(const Layout& layout) {
  return {numbered(static_cast<std::size_t>(layout.span().bytes())), -layout.span().begin};
}

void expect_gather(const Layout& layout, std::int64_t chunk_bytes) {
  Arena arena = arena_of(layout);
  const Bytes before = arena.memory;
  Cursor cursor(layout);
  Bytes packed;
  while (!cursor.at_end()) {
    Bytes chunk(static_cast<std::size_t>(chunk_bytes));
    const std::int64_t moved = transfer(Direction::kWrite, arena.memory.data() + arena.origin, cursor, chunk);
    ASSERT_GT(moved, 0);
    packed.insert(packed.end(), chunk.begin(), chunk.begin() + moved);
    ASSERT_EQ(cursor.data_position(), static_cast<std::int64_t>(packed.size()));
  }
  Bytes expected;
  for (const std::int64_t offset : bytes_of(layout)) {
    expected.push_back(before[static_cast<std::size_t>(arena.origin + offset)]);
  }
  EXPECT_EQ(packed, expected);
  EXPECT_EQ(arena.memory, before);
}

void expect_scatter(const Layout& layout, std::int64_t chunk_bytes) {
  Arena arena = arena_of(layout);
  Bytes expected = arena.memory;
  Bytes packed = numbered(static_cast<std::size_t>(layout.data_bytes()));
  std::reverse(packed.begin(), packed.end());
  const std::vector<std::int64_t> offsets = bytes_of(layout);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    expected[static_cast<std::size_t>(arena.origin + offsets[i])] = packed[i];
  }
  Cursor cursor(layout);
  for (std::size_t done = 0; done < packed.size();) {
    const std::size_t chunk = std::min(static_cast<std::size_t>(chunk_bytes), packed.size() - done);
    const std::int64_t moved =
        transfer(Direction::kRead, arena.memory.data() + arena.origin, cursor, std::span(packed).subspan(done, chunk));
    ASSERT_EQ(moved, static_cast<std::int64_t>(chunk));
    done += chunk;
  }
  EXPECT_EQ(arena.memory, expected);
}

void expect_both(const Layout& layout) {
  SCOPED_TRACE(describe(layout));
  for (const std::int64_t chunk_bytes : {3, 16, 100000}) {
    expect_gather(layout, chunk_bytes);
    expect_scatter(layout, chunk_bytes);
  }
}

TEST(Copy, EveryPieceLength) {
  for (std::int64_t length = 1; length <= 40; ++length) {
    for (const std::int64_t gap : {0, 1, 5}) expect_both(Layout::repeat(9, length + gap, Layout::contiguous(length)));
    expect_both(Layout::repeat(9, -length - 1, Layout::contiguous(length)));
  }
}

TEST(Copy, AllSmallTypes) {
  for (const TypeTree& type : small_types(2)) {
    const SizedLayout sized = build(*type, Representation::native()).value();
    expect_both(Layout::repeat(2, sized.extent(), sized.layout));
    if (HasFailure()) return;
  }
}

TEST(Copy, RandomTypes) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 500; ++i) {
    const SizedLayout sized = build(*random_type(random, 4, false), Representation::native()).value();
    if (sized.layout.data_bytes() > 5000) continue;
    expect_both(Layout::repeat(3, sized.extent(), sized.layout));
    if (HasFailure()) return;
  }
}

TEST(Copy, MovesWhatBothSidesHave) {
  Bytes memory = numbered(4);
  Bytes buffer(10);
  Cursor cursor(Layout::contiguous(4));
  EXPECT_EQ(transfer(Direction::kWrite, memory.data(), cursor, buffer), 4);
  EXPECT_EQ(transfer(Direction::kWrite, memory.data(), cursor, buffer), 0);
  Cursor empty;
  EXPECT_EQ(transfer(Direction::kRead, nullptr, empty, buffer), 0);
}

TEST(Copy, PiecesWithStridesOnBothSides) {
  for (const std::int64_t bytes : {1, 2, 3, 4, 8, 11, 16, 33}) {
    const Bytes from = numbered(1000);
    Bytes to(1000);
    Bytes expected(1000);
    for (std::int64_t i = 0; i < 5; ++i) {
      std::copy_n(from.begin() + i * 50, bytes, expected.begin() + 900 - i * 41);
    }
    copy_pieces({to.data() + 900, -41}, {from.data(), 50}, bytes, 5);
    EXPECT_EQ(to, expected);
  }
}

}  // namespace
}  // namespace weir::layout
