// copy_slices: moves a request's bytes between its memory and a part of the file that is in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/extent.h"
#include "layout/request_list.h"

namespace weir::layout {

// A part of the file in memory: the byte at file offset `begin` is at `data`.
struct WindowBytes {
  std::byte* data;
  std::int64_t begin;
};

// Moves the next `bytes` bytes of the request between its memory and the window (kWrite: into the window) and goes
// behind them. Touches no other byte. Allocates nothing.
// REQUIRES: bytes <= slices.remaining_bytes(); they all lie in the window; memory and window do not overlap.
void copy_slices(Direction direction, SliceCursor& slices, WindowBytes window, std::int64_t bytes);

}  // namespace weir::layout
