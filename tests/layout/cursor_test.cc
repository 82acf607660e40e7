#include "layout/cursor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "layout/oracle.h"
#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

void append_run(const Run& run, Numbers& bytes) {
  for (std::int64_t i = 0; i < run.count; ++i) {
    for (std::int64_t b = 0; b < run.length; ++b) bytes.push_back(run.offset + i * run.stride + b);
  }
}

void expect_pieces(Cursor cursor, const Numbers& expected, std::int64_t max_bytes) {
  Numbers bytes;
  std::vector<Piece> pieces;
  while (!cursor.at_end()) {
    ASSERT_EQ(cursor.offset(), expected[bytes.size()]);
    pieces.push_back(cursor.next_piece(max_bytes));
    ASSERT_GT(pieces.back().length, 0);
    ASSERT_LE(pieces.back().length, max_bytes);
    append_run({pieces.back().offset, pieces.back().length, 0, 1}, bytes);
    ASSERT_EQ(cursor.data_position(), static_cast<std::int64_t>(bytes.size()));
  }
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(cursor.next_piece(max_bytes).length, 0);
  if (max_bytes == Cursor::kNoLimit) {
    EXPECT_EQ(pieces, pieces_of(expected));
  }
}

void expect_runs(Cursor cursor, const Numbers& expected, std::int64_t max_bytes) {
  Numbers bytes;
  while (!cursor.at_end()) {
    const Run peeked = cursor.peek_run(max_bytes);
    const Run run = cursor.next_run(max_bytes);
    ASSERT_EQ(run, peeked);
    ASSERT_GT(run.bytes(), 0);
    ASSERT_LE(run.bytes(), max_bytes);
    append_run(run, bytes);
    ASSERT_EQ(cursor.data_position(), static_cast<std::int64_t>(bytes.size()));
  }
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(cursor.next_run(max_bytes).length, 0);
}

// Seeks to every data byte, in an order that goes back and forth, and reads a little from there.
void expect_seeks(Cursor cursor, const Numbers& expected) {
  const auto total = static_cast<std::int64_t>(expected.size());
  for (std::int64_t step = 0; step < total; ++step) {
    const std::int64_t position = step % 2 == 0 ? step : total - step;
    cursor.seek(position);
    ASSERT_EQ(cursor.data_position(), position);
    ASSERT_EQ(cursor.offset(), expected[static_cast<std::size_t>(position)]);
    Numbers bytes;
    while (bytes.size() < 20 && !cursor.at_end()) append_run(cursor.next_run(7), bytes);
    ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), expected.begin() + position));
  }
  cursor.seek(total);
  EXPECT_TRUE(cursor.at_end());
  cursor.seek(total + 5);
  EXPECT_EQ(cursor.data_position(), total);
}

// Skips part of each run and goes on from there.
void expect_skips(Cursor cursor, const Numbers& expected, std::mt19937_64& random) {
  while (!cursor.at_end()) {
    const std::int64_t bytes =
        std::uniform_int_distribution<std::int64_t>(0, std::min<std::int64_t>(cursor.peek_run().bytes(), 50))(random);
    const std::int64_t position = cursor.data_position() + bytes;
    cursor.skip(bytes);
    ASSERT_EQ(cursor.data_position(), position);
    if (cursor.at_end()) break;
    ASSERT_EQ(cursor.offset(), expected[static_cast<std::size_t>(position)]);
  }
  EXPECT_EQ(cursor.data_position(), static_cast<std::int64_t>(expected.size()));
}

void expect_as_oracle(const SizedLayout& type, std::int64_t tiles, std::int64_t origin, std::mt19937_64& random) {
  SCOPED_TRACE(describe(type.layout));
  const Numbers expected = tile_bytes(bytes_of(type.layout), type.extent(), tiles, origin);
  const Cursor cursor(type.layout, type.extent(), tiles, origin);
  for (const std::int64_t max_bytes : {std::int64_t{1}, std::int64_t{5}, std::int64_t{16}, Cursor::kNoLimit}) {
    expect_pieces(cursor, expected, max_bytes);
    expect_runs(cursor, expected, max_bytes);
  }
  expect_seeks(cursor, expected);
  expect_skips(cursor, expected, random);
}

TEST(Cursor, WalksAllSmallTypes) {
  std::mt19937_64 random(1);
  for (const TypeTree& type : small_types(2)) {
    const SizedLayout sized = build(*type, Representation::native()).value();
    expect_as_oracle(sized, 1, 0, random);
    expect_as_oracle(sized, 3, 1000, random);
    if (HasFailure()) return;
  }
}

TEST(Cursor, WalksRandomTypes) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1000; ++i) {
    const SizedLayout sized = build(*random_type(random, 4, i % 2 == 0), Representation::native()).value();
    if (sized.layout.data_bytes() > 5000) continue;
    expect_as_oracle(sized, 1 + i % 3, -50, random);
    if (HasFailure()) return;
  }
}

TEST(Cursor, ContiguousTilesAreOnePiece) {
  Cursor cursor(Layout::contiguous(8), 8, kUnlimitedTiles, 100);
  cursor.seek(5);
  EXPECT_EQ(cursor.next_piece(1 << 30), (Piece{105, 1 << 30}));
  EXPECT_EQ(Cursor(Layout::contiguous(8), 8, 4, 0).next_piece(), (Piece{0, 32}));
}

TEST(Cursor, TilesOfOnePieceAreOneRun) {
  Cursor cursor(Layout::contiguous(4), 16, kUnlimitedTiles, 2);
  cursor.seek(8);
  EXPECT_EQ(cursor.next_run(4000), (layout::Run{34, 4, 16, 1000}));
  EXPECT_EQ(cursor.next_run(2), (layout::Run{34 + 16000, 2, 0, 1}));
  EXPECT_EQ(cursor.next_run(4000), (layout::Run{36 + 16000, 2, 0, 1}));
  EXPECT_EQ(cursor.next_run(9), (layout::Run{34 + 16016, 4, 16, 2}));
}

TEST(Cursor, PiecesThatMeetAcrossTilesAreOne) {
  // [0,1) [2,3) in an extent of 3: the second piece of a tile meets the first of the next.
  Cursor cursor(Layout::repeat(2, 2, Layout::contiguous(1)), 3, 3, 0);
  std::vector<Piece> pieces;
  while (!cursor.at_end()) pieces.push_back(cursor.next_piece());
  EXPECT_EQ(pieces, (std::vector<Piece>{{0, 1}, {2, 2}, {5, 2}, {8, 1}}));
}

TEST(Cursor, EmptyLayoutsAreAtTheirEnd) {
  EXPECT_TRUE(Cursor().at_end());
  EXPECT_TRUE(Cursor(Layout(), 8, kUnlimitedTiles, 0).at_end());
  EXPECT_TRUE(Cursor(Layout::contiguous(8), 8, 0, 0).at_end());
  EXPECT_TRUE(Cursor(Layout::contiguous(kMax), kMax, 2, 0).at_end());
  EXPECT_EQ(Cursor().next_run().bytes(), 0);
  EXPECT_EQ(Cursor(Layout::contiguous(4)).next_piece(0).length, 0);
}

TEST(Cursor, ReachesTheLastByteOf64Bits) {
  Cursor cursor(Layout::contiguous(1), 1, kUnlimitedTiles, 0);
  cursor.seek(kMax - 2);
  EXPECT_EQ(cursor.next_piece(), (Piece{kMax - 2, 2}));
  Cursor sparse(Layout::repeat(2, 2, Layout::contiguous(1)), std::int64_t{1} << 40, kUnlimitedTiles, 0);
  sparse.seek(sparse.data_bytes() - 1);
  EXPECT_EQ(sparse.next_piece().length, 1);
  EXPECT_TRUE(sparse.at_end());
}

}  // namespace
}  // namespace weir::layout
