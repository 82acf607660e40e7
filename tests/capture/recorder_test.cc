#include "trace/recorder.h"

#include <gtest/gtest.h>

#include "capture/sample.h"

namespace weir::trace {
namespace {

using capture::OpKind;

OpenSeen seen() {
  OpenSeen open;
  open.path = "f";
  open.ranks = {0};
  return open;
}

TEST(Recorder, CallsStandInTheOrderOfTheirBegin) {
  Recorder recorder(1);
  recorder.opened(seen());
  const layout::Layout bytes = layout::Layout::contiguous(8);
  const Recorder::Ticket slow = recorder.begin(capture::write_of(0, 0), &bytes);
  const Recorder::Ticket fast = recorder.begin(capture::op_of(OpKind::kSync), nullptr);
  recorder.end(fast, 0, false);
  EXPECT_EQ(recorder.value().programs[0].size(), 1U) << "the open; what has begun before the sync is not over";
  recorder.end(slow, 5, false);
  const std::vector<capture::Op> program = recorder.value().programs[0];
  ASSERT_EQ(program.size(), 3U);
  EXPECT_EQ(program[1].kind, OpKind::kAccess);
  EXPECT_EQ(program[1].place, 5) << "as settled in the end";
  EXPECT_EQ(program[2].kind, OpKind::kSync);
}

TEST(Recorder, WhatFailedIsLeftOut) {
  Recorder recorder(1);
  recorder.opened(seen());
  recorder.end(recorder.begin(capture::op_of(OpKind::kSetSize, capture::kNothing, -1), nullptr), -1, true);
  recorder.end(recorder.begin(capture::op_of(OpKind::kClose), nullptr), 0, false);
  const std::vector<capture::Op> program = recorder.value().programs[0];
  ASSERT_EQ(program.size(), 2U);
  EXPECT_EQ(program[1].kind, OpKind::kClose);
}

TEST(Recorder, EqualStructuresAreKeptOnceWhereverTheyBegin) {
  Recorder recorder(1);
  recorder.opened(seen());
  const layout::Layout strided = layout::Layout::repeat(3, 100, layout::Layout::contiguous(8));
  for (const std::int64_t first : {0, 24, -16}) {
    const layout::Layout moved = strided.shifted(first);
    recorder.end(recorder.begin(capture::write_of(0, 0), &moved), 0, false);
  }
  recorder.add_flat(capture::write_of(0, 0), 24, 0);
  recorder.add_flat(capture::write_of(0, 0), 24, 0);
  const capture::Capture value = recorder.value();
  EXPECT_EQ(value.structures, (std::vector<layout::Layout>{strided, layout::Layout::contiguous(24)}));
  ASSERT_EQ(value.programs[0].size(), 3U);
  EXPECT_EQ(value.programs[0][1].count, 3) << "where memory lies does not count";
  EXPECT_EQ(value.programs[0][2].count, 2);
}

}  // namespace
}  // namespace weir::trace
