#include "layout/copy_slices.h"

#include <algorithm>

#include "layout/copy.h"
#include "layout/leaf_pieces.h"
#include "layout/small_copy.h"

namespace weir::layout {
namespace {

// One side of a copy: offset x of its cursor is the byte data[x + shift].
struct Side {
  Cursor& cursor;
  std::byte* data;
  std::int64_t shift;

  std::byte* address() const { return data + (cursor.offset() + shift); }
};

// Whether contiguous bytes are packed from pieces, or unpacked into them.
enum class Packing : std::uint8_t { kPack, kUnpack };

template <Packing kPacking, typename Length>
inline void move_bytes(std::byte* piece, std::byte* packed, Length length) {
  if constexpr (kPacking == Packing::kPack) {
    copy_bytes(packed, piece, length);
  } else {
    copy_bytes(piece, packed, length);
  }
}

// Moves the pieces from piece `index` on that fit `bytes` whole; returns which piece comes next.
template <Packing kPacking, typename Pieces>
std::int64_t move_whole_pieces(const Pieces& pieces, std::int64_t index, std::byte* data, std::byte* packed,
                               std::int64_t bytes) {
  const std::int64_t end = index + whole_pieces(pieces.count - index, pieces.piece_length, bytes);
  with_length(pieces.piece_length, [=](auto length) {
    std::byte* next = packed;
#pragma GCC unroll 4
    for (std::int64_t i = index; i < end; ++i, next += length) {
      move_bytes<kPacking>(data + pieces.offset(i), next, length);
    }
  });
  return end;
}

template <Packing kPacking>
std::int64_t move_whole_pieces(const BlockPieces& pieces, std::int64_t index, std::byte* data, std::byte* packed,
                               std::int64_t bytes) {
  const std::int64_t packed_end = pieces.prefix[index] + bytes;
  std::int64_t begin = pieces.prefix[index];
  while (index < pieces.count) {
    const std::int64_t end = pieces.prefix[index + 1];
    if (end > packed_end) break;
    move_bytes<kPacking>(data + pieces.offset(index), packed, end - begin);
    packed += end - begin;
    begin = end;
    ++index;
  }
  return index;
}

// Moves `bytes` contiguous bytes from or to the pieces, from byte `inner` of the first piece on.
// REQUIRES: the pieces have as many.
template <Packing kPacking, typename Pieces>
LeafPlace move_packed(const Pieces& pieces, std::int64_t inner, std::byte* data, std::byte* packed,
                      std::int64_t bytes) {
  std::int64_t index = 0;
  if (inner != 0) {
    const std::int64_t head = std::min(pieces.length(0) - inner, bytes);
    move_bytes<kPacking>(data + (pieces.offset(0) + inner), packed, head);
    if (inner + head < pieces.length(0)) return {0, inner + head};
    packed += head;
    bytes -= head;
    index = 1;
  }
  const std::int64_t end = move_whole_pieces<kPacking>(pieces, index, data, packed, bytes);
  const std::int64_t whole = pieces.bytes_before(end) - pieces.bytes_before(index);
  const std::int64_t tail = bytes - whole;
  if (tail > 0) move_bytes<kPacking>(data + pieces.offset(end), packed + whole, tail);
  return {end, tail};
}

// Between the rest of the leaf on one side and the rest of the piece on the other; returns the bytes moved.
template <Packing kPacking>
std::int64_t copy_packed(const Side& scattered, const Side& packed, std::int64_t limit) {
  std::int64_t moved = 0;
  const std::int64_t inner = scattered.cursor.leaf_position().inner;
  const std::int64_t packed_left = std::min(limit, packed.cursor.leaf_position().left);
  with_leaf_pieces(scattered.cursor, scattered.shift, [&](const auto& pieces) {
    moved = std::min(packed_left, pieces.bytes_before(pieces.count) - inner);
    const LeafPlace place = move_packed<kPacking>(pieces, inner, scattered.data, packed.address(), moved);
    scattered.cursor.skip_entries(place.index, place.inner, moved);
  });
  packed.cursor.skip(moved);
  return moved;
}

// A walk over the pieces of a leaf, from byte `inner` of the first one on.
template <typename Pieces>
class Walk {
 public:
  Walk(const Pieces& pieces, std::byte* data, std::int64_t inner)
      : pieces_(pieces), data_(data), at_(data + (pieces.offset(0) + inner)), left_(pieces.length(0) - inner) {}

  std::byte* at() const { return at_; }
  std::int64_t left() const { return left_; }  // of the piece; 0 at the end of the leaf

  void advance(std::int64_t bytes) {
    left_ -= bytes;
    at_ += bytes;
    if (left_ > 0 || ++index_ == pieces_.count) return;
    at_ = data_ + pieces_.offset(index_);
    left_ = pieces_.length(index_);
  }

  LeafPlace place() const { return {index_, left_ == 0 ? 0 : pieces_.length(index_) - left_}; }

 private:
  Pieces pieces_;
  std::byte* data_;
  std::int64_t index_ = 0;
  std::byte* at_;
  std::int64_t left_;
};

// From slice to slice, until one of the leaves ends; returns the bytes moved.
template <typename ToPieces, typename FromPieces>
std::int64_t copy_side_by_side(Walk<ToPieces>& to, Walk<FromPieces>& from, std::int64_t limit) {
  std::int64_t left = limit;
  while (left > 0 && to.left() > 0 && from.left() > 0) {
    const std::int64_t bytes = std::min(std::min(to.left(), from.left()), left);
    copy_bytes(to.at(), from.at(), bytes);
    to.advance(bytes);
    from.advance(bytes);
    left -= bytes;
  }
  return limit - left;
}

// Runs of equal pieces on both sides, as far as both go and the pieces fit the limit whole; returns the bytes moved.
std::int64_t copy_equal_runs(const Side& to, const Side& from, std::int64_t limit) {
  const Run to_run = to.cursor.peek_run(limit);
  const Run from_run = from.cursor.peek_run(limit);
  const std::int64_t count = std::min(to_run.count, from_run.count);
  copy_pieces({to.address(), to_run.stride}, {from.address(), from_run.stride}, to_run.length, count);
  const std::int64_t moved = count * to_run.length;
  to.cursor.skip(moved);
  from.cursor.skip(moved);
  return moved;
}

std::int64_t copy_leaves(const Side& to, const Side& from, std::int64_t limit) {
  std::int64_t moved = 0;
  const std::int64_t to_inner = to.cursor.leaf_position().inner;
  const std::int64_t from_inner = from.cursor.leaf_position().inner;
  with_leaf_pieces(to.cursor, to.shift, [&](const auto& to_pieces) {
    with_leaf_pieces(from.cursor, from.shift, [&](const auto& from_pieces) {
      Walk to_walk(to_pieces, to.data, to_inner);
      Walk from_walk(from_pieces, from.data, from_inner);
      moved = copy_side_by_side(to_walk, from_walk, limit);
      to.cursor.skip_entries(to_walk.place().index, to_walk.place().inner, moved);
      from.cursor.skip_entries(from_walk.place().index, from_walk.place().inner, moved);
    });
  });
  return moved;
}

// Whether what is left of the piece at `a` holds several pieces like the one at `b`.
bool holds_several(const Cursor::LeafPosition& a, const Cursor::LeafPosition& b) {
  return a.left / 4 >= b.inner + b.left;
}

bool are_equal_runs(const Cursor::LeafPosition& a, const Cursor::LeafPosition& b) {
  return a.leaf->kind == NodeKind::kRun && b.leaf->kind == NodeKind::kRun && a.inner == 0 && b.inner == 0 &&
         a.left == b.left;
}

// Moves the next bytes, at most `limit`, by the loop that suits the leaves; returns how many.
std::int64_t copy_next(const Side& to, const Side& from, std::int64_t limit) {
  const Cursor::LeafPosition to_at = to.cursor.leaf_position();
  const Cursor::LeafPosition from_at = from.cursor.leaf_position();
  if (holds_several(from_at, to_at)) return copy_packed<Packing::kUnpack>(to, from, limit);
  if (holds_several(to_at, from_at)) return copy_packed<Packing::kPack>(from, to, limit);
  if (are_equal_runs(to_at, from_at)) return copy_equal_runs(to, from, limit);
  return copy_leaves(to, from, limit);
}

}  // namespace

void copy_slices(Direction direction, SliceCursor& slices, WindowBytes window, std::int64_t bytes) {
  const SliceCursor::Sides sides = slices.sides();
  const Side file{sides.file, window.data, -window.begin};
  const Side memory{sides.memory, sides.base, 0};
  const bool writing = direction == Direction::kWrite;
  while (bytes > 0) bytes -= writing ? copy_next(file, memory, bytes) : copy_next(memory, file, bytes);
}

}  // namespace weir::layout
