// A table against a file in memory that is written and read directly.
#include "agent/block_table.h"

#include <gtest/gtest.h>

#include <random>

#include "agent/table_subject.h"
#include "driver/fault.h"
#include "layout/random_types.h"

namespace weir::agent {
namespace {

TEST(BlockTable, ShapesKeepToTheirMemory) {
  for (const std::int64_t block : {64, 100, 4096}) {
    for (const std::int64_t memory : {1, 64, 1000, 4096, 100000}) {
      const TableShape shape = TableShape::of(block, memory);
      EXPECT_GE(shape.blocks, 1);
      EXPECT_LE(shape.blocks * block, std::max(memory, block));
    }
  }
}

TEST(BlockTable, SmallWritesBecomeOneOfAWholeBlock) {
  MemoryDriver driver;
  TableSubject subject(driver, TableShape::of(64, 1024));
  const Bytes all = pattern(64);
  for (std::int64_t at = 0; at < 64; at += 4) {
    EXPECT_EQ(subject.file().counters().writes, 0);
    EXPECT_EQ(subject.write(at, driver::part(all, at, at + 4)).bytes_moved, 4);
  }
  EXPECT_EQ(driver.contents("f").value(), all);
  EXPECT_EQ(subject.counters().stored, 1);
  EXPECT_EQ(subject.counters().runs, 0);
  EXPECT_EQ(subject.read(8, 8), driver::part(all, 8, 16));
}

TEST(BlockTable, WhatWasNotWrittenIsLeftAlone) {
  MemoryDriver driver;
  TableSubject subject(driver, TableShape::of(64, 1024));
  EXPECT_TRUE(subject.write(10, pattern(5)).status.ok());
  EXPECT_TRUE(subject.write(30, pattern(5, 2)).status.ok());
  const Bytes other = pattern(64, 9);
  driver::write_or_fail(subject.file(), 0, other);  // by somebody else
  EXPECT_TRUE(subject.table().flush(true).ok());
  Bytes expected = other;
  std::ranges::copy(pattern(5), expected.begin() + 10);
  std::ranges::copy(pattern(5, 2), expected.begin() + 30);
  EXPECT_EQ(driver.contents("f").value(), expected);
  EXPECT_EQ(subject.counters().runs, 2);
}

TEST(BlockTable, HoldsAndDropsWhatItRead) {
  MemoryDriver driver;
  driver::write_or_fail(*driver::open_or_fail(driver, "f"), 0, pattern(128));
  TableSubject subject(driver, TableShape::of(64, 1024));
  for (std::int64_t at = 0; at < 128; at += 8) {
    EXPECT_EQ(subject.read(at, 8), driver::part(pattern(128), at, at + 8));
  }
  EXPECT_EQ(subject.counters().fetched, 2);
  driver::write_or_fail(subject.file(), 0, pattern(128, 7));
  EXPECT_EQ(subject.read(0, 8), driver::part(pattern(128), 0, 8)) << "as it was";
  EXPECT_TRUE(subject.table().flush(true).ok());
  EXPECT_EQ(subject.read(0, 8), driver::part(pattern(128, 7), 0, 8));
}

// Zeros before bytes that are held, nothing behind them.
TEST(BlockTable, TheFileEndsWhereItWouldEndInTheFile) {
  MemoryDriver driver;
  driver::write_or_fail(*driver::open_or_fail(driver, "f"), 0, pattern(10));
  TableSubject subject(driver, TableShape::of(64, 1024));
  EXPECT_EQ(subject.read(4, 20), driver::part(pattern(10), 4, 10));
  EXPECT_TRUE(subject.read(64, 64).empty()) << "a whole block";
  EXPECT_TRUE(subject.write(200, pattern(10)).status.ok());
  EXPECT_EQ(subject.table().end(), 210);
  EXPECT_EQ(subject.read(4, 20).size(), 20U);
  EXPECT_EQ(subject.read(8, 4), (Bytes{pattern(10)[8], pattern(10)[9], std::byte{0}, std::byte{0}}));
  EXPECT_EQ(subject.read(64, 64), Bytes(64));
  EXPECT_EQ(subject.read(200, 40), pattern(10));
  EXPECT_TRUE(subject.read(210, 4).empty());
}

TEST(BlockTable, ABlockThatCannotBeStoredStaysAndIsTold) {
  MemoryDriver memory;
  driver::FaultDriver driver(memory, {.faults = {{.operation = driver::Operation::kWrite,
                                                  .first_call = 0,
                                                  .error_number = ENOSPC,
                                                  .bytes_before = 0,
                                                  .call_count = 2}}});
  TableSubject subject(driver, TableShape::of(64, 64));  // one block
  EXPECT_TRUE(subject.write(0, pattern(8)).status.ok());
  EXPECT_EQ(subject.write(64, pattern(8, 2)).status.error_class(), ErrorClass::kNoSpace) << "no room, and no file";
  EXPECT_EQ(subject.table().take_failure(FailureNote::Audience::kNextCall).error_class(), ErrorClass::kNoSpace);
  EXPECT_EQ(subject.table().take_failure(FailureNote::Audience::kAllRanks).error_class(), ErrorClass::kNoSpace);
  EXPECT_TRUE(subject.table().flush(false).ok());
  EXPECT_EQ(memory.contents("f").value(), pattern(8));
}

TEST(BlockTable, AFileThatCannotBeReadCanBeWritten) {
  MemoryDriver driver;
  driver::write_or_fail(*driver::open_or_fail(driver, "f"), 0, pattern(256));
  TableSubject subject(driver, TableShape::of(64, 128), driver::kWriteOnly);
  for (std::int64_t at = 3; at < 256; at += 40) EXPECT_TRUE(subject.write(at, pattern(1, 5)).status.ok());
  EXPECT_TRUE(subject.table().flush(true).ok());
  Bytes expected = pattern(256);
  for (std::size_t at = 3; at < 256; at += 40) expected[at] = pattern(1, 5)[0];
  EXPECT_EQ(driver.contents("f").value(), expected);
}

// Random accesses of ranks in turn, with few places for many blocks: always as a plain array of bytes would have it.
TEST(BlockTable, RandomAccessesAreAsInAPlainFile) {
  const auto seed = layout::test_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  const auto pick = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  for (int run = 0; run < 60; ++run) {
    const std::int64_t block = pick(1, 3) * 32;
    MemoryDriver driver;
    TableShape shape = TableShape::of(block, block * pick(1, 20));
    shape.ranks = pick(1, 3);
    TableSubject subject(driver, shape);
    Bytes expected;
    std::int64_t from = 0;
    for (int step = 0; step < 400; ++step) {
      subject.go_on_as(pick(0, shape.ranks - 1));
      if (pick(0, 3) == 0) from = pick(0, 1900);  // often near the place before: ranks take their seats
      const std::int64_t offset = from + pick(0, 100);
      const std::int64_t bytes = pick(1, block - offset % block);
      if (pick(0, 2) != 0) {
        const Bytes data = pattern(bytes, step);
        if (std::ssize(expected) < offset + bytes) expected.resize(static_cast<std::size_t>(offset + bytes));
        std::ranges::copy(data, expected.begin() + offset);
        ASSERT_EQ(subject.write(offset, data).bytes_moved, bytes);
      } else {
        const std::int64_t end = std::clamp<std::int64_t>(offset + bytes, 0, std::ssize(expected));
        const Bytes there = offset < end ? driver::part(expected, offset, end) : Bytes();
        ASSERT_EQ(subject.read(offset, bytes), there) << "step " << step;
      }
      if (pick(0, 50) == 0) {
        ASSERT_TRUE(subject.table().flush(pick(0, 1) == 0).ok());
      }
    }
    EXPECT_TRUE(subject.table().flush(true).ok());
    EXPECT_EQ(driver.contents("f").value(), expected);
  }
}

}  // namespace
}  // namespace weir::agent
