#include "capture/capture.h"

#include <gtest/gtest.h>

#include "capture/sample.h"

namespace weir::capture {
namespace {

TEST(Append, CallsThatGoOnEvenlyAreOneEntry) {
  std::vector<Op> program;
  for (int i = 0; i < 1000; ++i) {
    Op op = write_of(0, 7 * i);
    op.before = 2;
    op.inside = 3;
    append(program, op);
  }
  ASSERT_EQ(program.size(), 1U);
  EXPECT_EQ(program[0].count, 1000);
  EXPECT_EQ(program[0].step, 7);
  EXPECT_EQ(program[0].before, 2000);
  EXPECT_EQ(program[0].inside, 3000);
}

TEST(Append, WhatIsDifferentBeginsAnEntry) {
  std::vector<Op> program;
  append(program, write_of(0, 0));
  append(program, write_of(0, 10));
  append(program, write_of(0, 21));  // another step
  append(program, write_of(1, 32));  // another structure
  Op reading = write_of(1, 43);
  reading.direction = Direction::kRead;
  append(program, reading);
  append(program, op_of(OpKind::kSync));
  append(program, op_of(OpKind::kSync));
  ASSERT_EQ(program.size(), 6U);
  EXPECT_EQ(program[0].count, 2);
  EXPECT_EQ(program[1].place, 21);
}

TEST(Join, TablesAreShared) {
  const Capture all = sample();
  EXPECT_EQ(all.programs.size(), 2U);
  EXPECT_EQ(all.structures.size(), 2U);
  EXPECT_EQ(all.opens.size(), 1U);
  EXPECT_EQ(all.groups.size(), 1U);
  EXPECT_EQ(all.programs[0][2], all.programs[1][2]);
}

// The second rank has the same structures in another order, and one more.
TEST(Join, EntriesAreFoundAgainInTheTablesOfAll) {
  Capture all;
  join(all, sample_of(0));
  Capture other = sample_of(1);
  other.structures = {layout::Layout::contiguous(16), layout::Layout::contiguous(32), layout::Layout::contiguous(8)};
  other.programs[0][1].what = 2;
  other.programs[0][2].what = 1;
  join(all, other);
  EXPECT_EQ(all.structures.size(), 3U);
  EXPECT_EQ(all.structures[static_cast<std::size_t>(all.programs[1][1].what)], layout::Layout::contiguous(8));
  EXPECT_EQ(all.structures[static_cast<std::size_t>(all.programs[1][2].what)], layout::Layout::contiguous(32));
}

}  // namespace
}  // namespace weir::capture
