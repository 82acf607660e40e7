// Which bytes views and memory types touch: slow and obvious.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/program.h"

namespace weir::programs {

// One instance of a view's file type, in bytes.
struct Tile {
  std::vector<Extent> pieces;  // relative to the tile's begin, ascending
  std::int64_t extent = 0;
  std::int64_t data_bytes = 0;
};

Tile tile_of(const View& view);

// The pieces of the file that hold the view's bytes [first, first + bytes), ascending, in the order of the data.
std::vector<Extent> file_pieces(const View& view, std::int64_t first, std::int64_t bytes);

// The pieces of a buffer that hold `count` etypes, in the order of the data.
std::vector<Extent> memory_pieces(const Memory& memory, std::int64_t etype_bytes, std::int64_t count);

// How many bytes a buffer for them has to have.
std::int64_t memory_bytes(const Memory& memory, std::int64_t etype_bytes, std::int64_t count);

}  // namespace weir::programs
