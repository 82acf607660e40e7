// Arguments of a collective access that are wrong on one rank.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "exec/file_ranks.h"

namespace weir::exec {

// What one rank may do wrong, and the class for it.
struct Mistake {
  const char* what;
  ErrorClass error_class;
  void (*make)(Transfer&);
};

inline const Mistake kMistakes[] = {
    {"negative offset", ErrorClass::kArgument, [](Transfer& transfer) { transfer.offset = -1; }},
    {"part of an etype", ErrorClass::kIo,
     [](Transfer& transfer) { transfer.memory.layout = layout::Layout::contiguous(3); }},
    {"too large a buffer", ErrorClass::kCount,
     [](Transfer& transfer) { transfer.memory.layout = layout::Layout::overflow(); }},
    {"too far", ErrorClass::kArgument,
     [](Transfer& transfer) { transfer.offset = std::numeric_limits<std::int64_t>::max() / 2; }},
};

// COLLECTIVE: an access of 40 bytes in which `bad` makes the mistake, or nobody when negative. Fails the test when a
// call that was refused moved anything.
inline driver::IoOutcome run_with_mistake(Rank& rank, OpenFile& file, Direction direction, const Mistake& mistake,
                                          int bad) {
  const Bytes before = pattern(40, rank.number());
  Bytes buffer = before;
  Transfer transfer = transfer_of(direction, Positioning::kExplicit, true, buffer);
  if (rank.number() == bad) mistake.make(transfer);
  driver::IoOutcome outcome = run_transfer(file, transfer);
  if (!outcome.status.ok()) {
    EXPECT_EQ(outcome.bytes_moved, 0);
    EXPECT_EQ(buffer, before);
  }
  return outcome;
}

}  // namespace weir::exec
