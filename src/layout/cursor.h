// Cursor: walks a tiled layout in type-map order, piece by piece or run by run.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "layout/layout.h"

namespace weir::layout {

struct Node;

// One contiguous range; no bytes at the end of a layout.
struct Piece {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  bool operator==(const Piece&) const = default;
};

constexpr std::int64_t kUnlimitedTiles = -1;

// `tile_count` copies of `tile`, the i-th at origin + i * tile_stride; with kUnlimitedTiles as many as 64-bit offsets
// can express. The result overflowed() when a given count of tiles does not fit.
Layout tiled(const Layout& tile, std::int64_t tile_stride, std::int64_t tile_count, std::int64_t origin);

// A position in a layout. Allocates when constructed and never again; keeps the layout's nodes alive.
class Cursor {
 public:
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  Cursor() : Cursor(Layout()) {}
  // At data offset 0. An overflowed layout has no bytes.
  explicit Cursor(Layout layout);
  Cursor(const Layout& tile, std::int64_t tile_stride, std::int64_t tile_count, std::int64_t origin)
      : Cursor(tiled(tile, tile_stride, tile_count, origin)) {}

  // Goes to a data byte, or to the end when there is none. O(depth * log(list length)).
  // REQUIRES: data_offset >= 0.
  void seek(std::int64_t data_offset);

  std::int64_t data_position() const { return position_; }
  std::int64_t data_bytes() const { return layout_.data_bytes(); }
  std::int64_t remaining_bytes() const { return data_bytes() - position_; }
  bool at_end() const { return leaf_ == nullptr; }
  // Where the byte at the cursor lies. REQUIRES: !at_end().
  std::int64_t offset() const { return piece_offset_ + inner_; }

  // The longest piece at the cursor, at most max_bytes; goes behind it. Pieces that touch are one, also across
  // copies and tiles. Length 0 at the end or when max_bytes <= 0.
  Piece next_piece(std::int64_t max_bytes = kNoLimit);

  // The regular run at the cursor, at most max_bytes; goes behind it. What is left of a piece entered in its middle,
  // and a piece longer than max_bytes, come as a run of one. Length 0 at the end or when max_bytes <= 0.
  Run next_run(std::int64_t max_bytes = kNoLimit);

  // The same run, without moving.
  Run peek_run(std::int64_t max_bytes = kNoLimit) const;
  // Goes forward within the run that peek_run() shows. REQUIRES: 0 <= bytes <= peek_run().bytes().
  void skip(std::int64_t bytes);

  // The leaf at the cursor and the place in it, for loops that walk its entries themselves.
  struct LeafPosition {
    const Node* leaf;
    std::int64_t base;     // where the leaf's first byte lies
    std::int64_t entries;  // of the leaf
    std::int64_t index;    // of the entry at the cursor
    std::int64_t inner;    // bytes of that entry that are behind the cursor
    std::int64_t left;     // bytes of that entry that are not
  };
  // REQUIRES: !at_end().
  LeafPosition leaf_position() const {
    return {leaf_, leaf_base_, leaf_entries_, index_, inner_, piece_length_ - inner_};
  }
  // Goes `bytes` forward, which leads to byte `inner` of the entry `entries` behind this one, or to the end of the leaf
  // when that entry is none of it. REQUIRES: inner is less than that entry has, and 0 at the end of the leaf.
  void skip_entries(std::int64_t entries, std::int64_t inner, std::int64_t bytes);

 private:
  struct Frame {
    const Node* node;
    std::int64_t base;   // where the node's first byte lies
    std::int64_t index;  // the entry that the frame above, or the leaf, is a copy of
  };

  void descend(const Node* node, std::int64_t base, std::int64_t data_offset);
  void enter_leaf(const Node* leaf, std::int64_t base, std::int64_t index);
  void load_entry();
  void next_entry();
  void climb();
  void go_to_end();

  Layout layout_;
  std::vector<Frame> frames_;  // from the root down to the leaf's parent; reserved for the whole depth

  const Node* leaf_ = nullptr;  // null at the end
  std::int64_t leaf_base_ = 0;
  std::int64_t leaf_entries_ = 0;
  std::int64_t index_ = 0;  // entry of the leaf
  std::int64_t piece_offset_ = 0;
  std::int64_t piece_length_ = 0;
  std::int64_t inner_ = 0;  // bytes of the piece that are behind the cursor
  std::int64_t position_ = 0;
};

}  // namespace weir::layout
