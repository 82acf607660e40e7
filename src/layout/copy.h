// Copy kernels: between memory described by a layout and a contiguous buffer, run by run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/extent.h"
#include "layout/cursor.h"

namespace weir::layout {

// Pieces at equal distance: piece i begins at address + i * stride.
struct StridedBytes {
  std::byte* address;
  std::int64_t stride;
};
struct ConstStridedBytes {
  const std::byte* address;
  std::int64_t stride;
};

// Copies `count` pieces of `bytes` bytes in order. REQUIRES: no piece of `to` overlaps one of `from`.
void copy_pieces(StridedBytes to, ConstStridedBytes from, std::int64_t bytes, std::int64_t count);

// Moves bytes between the memory at the cursor (offsets are relative to `base`) and the front of the buffer: kWrite
// gathers memory into the buffer, kRead scatters the buffer into memory. Moves as many bytes as both have, goes
// forward by as many, and returns how many. REQUIRES: buffer and memory do not overlap.
std::int64_t transfer(Direction direction, std::byte* base, Cursor& memory, std::span<std::byte> buffer);

}  // namespace weir::layout
