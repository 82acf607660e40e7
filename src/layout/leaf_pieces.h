// The pieces of the leaf at a cursor as plain arrays, for loops that need every cycle. Internal to layout/.
#pragma once

#include <algorithm>
#include <cstdint>

#include "layout/cursor.h"
#include "layout/node.h"

namespace weir::layout {

// The three kinds of leaves, from the piece at the cursor on, which is piece 0. Offsets are moved by what
// with_leaf_pieces() is told.

struct RunPieces {
  std::int64_t first_offset;
  std::int64_t piece_length;
  std::int64_t stride;
  std::int64_t count;

  std::int64_t offset(std::int64_t i) const { return first_offset + i * stride; }
  std::int64_t length(std::int64_t) const { return piece_length; }
  // Bytes of the pieces before piece i.
  std::int64_t bytes_before(std::int64_t i) const { return i * piece_length; }
};

struct EqualPieces {
  std::int64_t base;
  const std::int64_t* displacements;
  std::int64_t piece_length;
  std::int64_t count;

  std::int64_t offset(std::int64_t i) const { return base + displacements[i]; }
  std::int64_t length(std::int64_t) const { return piece_length; }
  std::int64_t bytes_before(std::int64_t i) const { return i * piece_length; }
};

struct BlockPieces {
  std::int64_t base;
  const std::int64_t* displacements;
  const std::int64_t* prefix;
  std::int64_t count;

  std::int64_t offset(std::int64_t i) const { return base + displacements[i]; }
  std::int64_t length(std::int64_t i) const { return prefix[i + 1] - prefix[i]; }
  std::int64_t bytes_before(std::int64_t i) const { return prefix[i] - prefix[0]; }
};

// A place among the pieces of a leaf: byte `inner` of piece `index`, or the end of the leaf.
struct LeafPlace {
  std::int64_t index;
  std::int64_t inner;
};

// Calls fn(pieces) for what is left of the leaf, all offsets moved by `shift`. Piece 0 is whole, also where the cursor
// stands inside it. REQUIRES: !cursor.at_end().
template <typename Fn>
inline void with_leaf_pieces(const Cursor& cursor, std::int64_t shift, const Fn& fn) {
  const Cursor::LeafPosition at = cursor.leaf_position();
  const std::int64_t base = at.base + shift;
  const std::int64_t count = at.entries - at.index;
  switch (at.leaf->kind) {
    case NodeKind::kBlocks: {
      const auto& blocks = as<BlocksNode>(*at.leaf);
      return fn(BlockPieces{base, blocks.displacements.data() + at.index, blocks.prefix.data() + at.index, count});
    }
    case NodeKind::kEqualBlocks: {
      const auto& blocks = as<EqualBlocksNode>(*at.leaf);
      return fn(EqualPieces{base, blocks.displacements.data() + at.index, blocks.length, count});
    }
    default: {
      const auto& run = as<RunNode>(*at.leaf);
      return fn(RunPieces{base + at.index * run.stride, run.length, run.stride, count});
    }
  }
}

// How many of `count` pieces fit `bytes` whole.
inline std::int64_t whole_pieces(std::int64_t count, std::int64_t piece_length, std::int64_t bytes) {
  return count * piece_length <= bytes ? count : bytes / piece_length;
}

}  // namespace weir::layout
