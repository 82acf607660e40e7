#include "layout/cursor.h"

#include <algorithm>
#include <utility>

#include "layout/node.h"

namespace weir::layout {

Layout tiled(const Layout& tile, std::int64_t tile_stride, std::int64_t tile_count, std::int64_t origin) {
  const Layout placed = tile.shifted(origin);
  if (tile_count == kUnlimitedTiles) return Layout::endless(tile_stride, placed);
  return Layout::repeat(tile_count, tile_stride, placed);
}

Cursor::Cursor(Layout layout) : layout_(std::move(layout)) {
  frames_.reserve(static_cast<std::size_t>(layout_.depth()));
  seek(0);
}

void Cursor::seek(std::int64_t data_offset) {
  frames_.clear();
  if (data_offset >= layout_.data_bytes()) return go_to_end();
  position_ = data_offset;
  descend(layout_.root(), layout_.first(), data_offset);
}

void Cursor::go_to_end() {
  leaf_ = nullptr;
  position_ = layout_.data_bytes();
}

// To the data byte `data_offset` of a node whose first byte lies at `base`.
void Cursor::descend(const Node* node, std::int64_t base, std::int64_t data_offset) {
  while (true) {
    const std::int64_t index = data_offset == 0 ? 0 : entry_at(*node, data_offset);
    data_offset -= entry_begin(*node, index);
    if (is_leaf(*node)) {
      enter_leaf(node, base, index);
      inner_ = data_offset;
      return;
    }
    frames_.push_back({node, base, index});
    base += entry_offset(*node, index);
    node = entry_child(*node, index);
  }
}

void Cursor::enter_leaf(const Node* leaf, std::int64_t base, std::int64_t index) {
  leaf_ = leaf;
  leaf_base_ = base;
  leaf_entries_ = entry_count(*leaf);
  index_ = index;
  load_entry();
}

void Cursor::load_entry() {
  piece_offset_ = leaf_base_ + entry_offset(*leaf_, index_);
  piece_length_ = entry_bytes(*leaf_, index_);
  inner_ = 0;
}

void Cursor::next_entry() {
  if (++index_ < leaf_entries_) return load_entry();
  climb();
}

// From the end of a leaf to the next one.
void Cursor::climb() {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (++frame.index < entry_count(*frame.node)) {
      return descend(entry_child(*frame.node, frame.index), frame.base + entry_offset(*frame.node, frame.index), 0);
    }
    frames_.pop_back();
  }
  go_to_end();
}

Piece Cursor::next_piece(std::int64_t max_bytes) {
  Piece piece{at_end() ? 0 : offset(), 0};
  while (piece.length < max_bytes && !at_end() && offset() == piece.offset + piece.length) {
    const std::int64_t bytes = std::min(piece_length_ - inner_, max_bytes - piece.length);
    piece.length += bytes;
    position_ += bytes;
    inner_ += bytes;
    if (inner_ == piece_length_) next_entry();
  }
  return piece;
}

Run Cursor::peek_run(std::int64_t max_bytes) const {
  if (at_end() || max_bytes <= 0) return {};
  const std::int64_t left = piece_length_ - inner_;
  if (inner_ != 0 || leaf_->kind != NodeKind::kRun || max_bytes < piece_length_) {
    return {offset(), std::min(left, max_bytes), 0, 1};
  }
  std::int64_t pieces = leaf_entries_ - index_;
  if (pieces * piece_length_ > max_bytes) pieces = max_bytes < 2 * piece_length_ ? 1 : max_bytes / piece_length_;
  return {piece_offset_, piece_length_, pieces == 1 ? 0 : as<RunNode>(*leaf_).stride, pieces};
}

void Cursor::skip(std::int64_t bytes) {
  const std::int64_t left = piece_length_ - inner_;
  if (bytes < left) {
    inner_ += bytes;
    position_ += bytes;
  } else if (bytes == left) {
    position_ += bytes;
    next_entry();
  } else {
    // Only a run shows more than one piece.
    const std::int64_t from_piece = inner_ + bytes;
    const std::int64_t entries = from_piece / piece_length_;
    skip_entries(entries, from_piece - entries * piece_length_, bytes);
  }
}

void Cursor::skip_entries(std::int64_t entries, std::int64_t inner, std::int64_t bytes) {
  position_ += bytes;
  index_ += entries;
  if (index_ == leaf_entries_) return climb();
  if (entries != 0) load_entry();
  inner_ = inner;
}

Run Cursor::next_run(std::int64_t max_bytes) {
  const Run run = peek_run(max_bytes);
  if (run.length > 0) skip(run.bytes());
  return run;
}

}  // namespace weir::layout
