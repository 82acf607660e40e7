// A small captured program.
#pragma once

#include "capture/capture.h"

namespace weir::capture {

inline Op op_of(OpKind kind, int what = kNothing, std::int64_t place = 0) {
  Op op;
  op.kind = kind;
  op.what = what;
  op.place = place;
  return op;
}

inline Op write_of(int structure, std::int64_t place) {
  Op op = op_of(OpKind::kAccess, structure, place);
  op.direction = Direction::kWrite;
  op.collective = true;
  return op;
}

// Rank `rank` of two: every second block of 8 bytes is its own; it writes 64 bytes, 16 at a time.
inline Capture sample_of(int rank) {
  Capture one;
  one.made_by = "weir 0.1.0";
  one.ranks = 2;
  one.structures = {layout::Layout::contiguous(8), layout::Layout::contiguous(16)};
  one.hints = {{{"cb_nodes", "1"}}};
  one.groups = {{0, 1}};
  one.opens = {{"/scratch/f", kReads | kWrites | kCreates, 0, 0, 100}};
  Op view = op_of(OpKind::kSetView, 0, 8 * rank);
  view.etype_bytes = 4;
  view.extent = 16;
  std::vector<Op> program = {op_of(OpKind::kOpen, 0), view};
  for (int i = 0; i < 4; ++i) append(program, write_of(1, 4 * i));
  append(program, op_of(OpKind::kSync));
  append(program, op_of(OpKind::kSetSize, kNothing, 4096));
  append(program, op_of(OpKind::kClose));
  one.programs = {program};
  return one;
}

inline Capture sample() {
  Capture all;
  join(all, sample_of(0));
  join(all, sample_of(1));
  return all;
}

}  // namespace weir::capture
