// merged: what several requests touch of a file, as one layout.
#pragma once

#include <cstdint>
#include <span>

#include "layout/layout.h"

namespace weir::layout {

// All bytes of the layouts, each once, ascending and in maximal pieces: no two of them touch, so that piece_count() is
// how many there are. Layouts may overlap, and need not be ascending.
//
// Structure is kept: runs and repeats are merged by arithmetic where the distance of one is that of the others or a
// multiple, level by level, and where few pieces meet a layout of many; this costs nothing for each piece. Interleaved
// vectors become one of longer blocks, neighbouring blocks of an array a larger block. What is left is merged piece by
// piece, in O(n log k) for n pieces of k layouts. A layout that is not ascending may cost O(n log n).
//
// Overflowed when one of the layouts is, or when they reach over 2^61 bytes or more.
Layout merged(std::span<const Layout> layouts);

// How many pieces requests have apart, neighbours that touch within one joined; and together, as merged() has them.
struct PieceCounts {
  std::int64_t apart = 0;
  std::int64_t together = 0;

  bool operator==(const PieceCounts&) const = default;
};

// REQUIRES: merged(layouts) does not overflow.
PieceCounts count_pieces(std::span<const Layout> layouts);

}  // namespace weir::layout
