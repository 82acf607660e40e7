#include <gtest/gtest.h>

#include "capture/sample.h"
#include "replay/distinct.h"
#include "replay/expected.h"

namespace bench {
namespace {

using weir::capture::append;
using weir::capture::Capture;
using weir::capture::kNothing;
using weir::capture::Op;
using weir::capture::op_of;
using weir::capture::OpKind;
using weir::capture::write_of;

// One rank and one file, which has so many bytes before; structure 0 is 4 bytes.
Capture capture_of(const std::vector<Op>& calls, std::int64_t size_before = 0) {
  Capture capture;
  capture.ranks = 1;
  capture.structures = {weir::layout::Layout::contiguous(4)};
  capture.groups = {{0}};
  capture.opens = {{"f", weir::capture::kWrites, 0, kNothing, size_before}};
  std::vector<Op> program = {op_of(OpKind::kOpen, 0)};
  for (const Op& call : calls) append(program, call);
  append(program, op_of(OpKind::kClose));
  capture.programs = {program};
  return capture;
}

Op size_of(std::int64_t bytes) { return op_of(OpKind::kSetSize, kNothing, bytes); }

// "wwww..00": written, as before, zero.
std::string picture(const Capture& capture, std::int64_t bytes) {
  std::string text;
  for (const Content content : content_of(capture, files_of(capture), 0, {0, bytes})) {
    text += content == Content::kWritten ? 'w' : content == Content::kAsBefore ? '.' : '0';
  }
  return text;
}

TEST(ReplayExpected, WhatIsWrittenAndWhatWasThere) {
  const Capture capture = capture_of({write_of(0, 2), write_of(0, 9)}, 8);
  const std::vector<ReplayedFile> files = files_of(capture).all;
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].begin_bytes, 8);
  EXPECT_EQ(files[0].end_bytes, 13);
  EXPECT_FALSE(files[0].shrinks);
  EXPECT_EQ(picture(capture, 13), "..wwww..0wwww");
}

TEST(ReplayExpected, WhatIsCutOffIsGone) {
  const Capture capture = capture_of({write_of(0, 0), size_of(2), size_of(10), write_of(0, 6)}, 12);
  const ReplayedFile file = files_of(capture).all[0];
  EXPECT_EQ(file.end_bytes, 10);
  EXPECT_TRUE(file.shrinks);
  EXPECT_EQ(picture(capture, 10), "ww0000wwww");
}

TEST(ReplayExpected, PreallocationNeverShrinks) {
  const Op reserve = op_of(OpKind::kPreallocate, kNothing, 6);
  EXPECT_EQ(files_of(capture_of({write_of(0, 0), reserve})).all[0].end_bytes, 6);
  EXPECT_EQ(files_of(capture_of({write_of(0, 10), reserve})).all[0].end_bytes, 14);
}

// Opened again and empty: the program has removed it in between.
TEST(ReplayExpected, WhatIsMadeAnewIsAnotherFile) {
  Capture capture = capture_of({write_of(0, 0)});
  std::vector<Op>& program = capture.programs[0];
  for (int i = 1; i < 3; ++i) {
    capture.opens.push_back({"f", weir::capture::kWrites, 0, kNothing, i == 1 ? 4 : 0});
    Op open = op_of(OpKind::kOpen, i);
    Op write = write_of(0, 8 * i);
    Op close = op_of(OpKind::kClose);
    open.file = write.file = close.file = i;
    program.insert(program.end(), {open, write, close});
  }
  const ReplayedFiles files = files_of(capture);
  ASSERT_EQ(files.all.size(), 2U);
  EXPECT_EQ(files.of_rank[0], (std::vector<std::size_t>{0, 0, 1}));
  EXPECT_EQ(files.all[0].end_bytes, 12);
  EXPECT_EQ(files.all[1].end_bytes, 20);
}

TEST(ReplayDistinct, EveryByteHasAPlaceOfItsOwn) {
  using weir::layout::Layout;
  const Layout four = Layout::contiguous(4);
  const Layout strided = Layout::repeat(3, 10, four);
  EXPECT_EQ(distinct(strided), strided);
  const Layout backwards = Layout::repeat(3, -10, four);
  EXPECT_EQ(distinct(backwards), backwards);
  EXPECT_EQ(distinct(Layout::repeat(3, 0, four)), Layout::contiguous(12)) << "one value for many places";
  const std::vector<std::int64_t> displacements = {8, 0, 20, 10};
  EXPECT_EQ(distinct(Layout::copies(displacements, four)), Layout::contiguous(16)) << "two of them overlap";
}

TEST(ReplayExpected, RanksWithViews) {
  Capture capture = weir::capture::sample();  // two ranks, every second block of 8; 100 bytes before; 4096 in the end
  const ReplayedFile file = files_of(capture).all[0];
  EXPECT_EQ(file.begin_bytes, 100);
  EXPECT_EQ(file.end_bytes, 4096);
  EXPECT_EQ(picture(capture, 130), std::string(128, 'w') + "00");
}

}  // namespace
}  // namespace bench
