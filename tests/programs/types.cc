#include "programs/types.h"

#include <algorithm>

namespace weir::programs {

namespace {

// Joins pieces that touch.
void add(std::vector<Extent>& pieces, Extent piece) {
  if (piece.begin == piece.end) return;
  if (!pieces.empty() && pieces.back().end == piece.begin) {
    pieces.back().end = piece.end;
  } else {
    pieces.push_back(piece);
  }
}

void add_subarray(std::vector<Extent>& pieces, const std::vector<std::int64_t>& n, std::int64_t unit) {
  for (std::int64_t x = n[6]; x < n[6] + n[3]; ++x) {
    for (std::int64_t y = n[7]; y < n[7] + n[4]; ++y) {
      const std::int64_t begin = (x * n[1] + y) * n[2] + n[8];
      add(pieces, {begin * unit, (begin + n[5]) * unit});
    }
  }
}

}  // namespace

Tile tile_of(const View& view) {
  const std::int64_t unit = view.etype_bytes;
  const std::vector<std::int64_t>& n = view.numbers;
  Tile tile;
  tile.extent = view.extent * unit;
  switch (view.kind) {
    case View::Kind::kPlain: add(tile.pieces, {0, unit}); break;
    case View::Kind::kVector:
      for (std::int64_t i = 0; i < n[0]; ++i) add(tile.pieces, {i * n[2] * unit, (i * n[2] + n[1]) * unit});
      break;
    case View::Kind::kIndexed:
      for (std::size_t i = 0; i + 1 < n.size(); i += 2) add(tile.pieces, {n[i] * unit, (n[i] + n[i + 1]) * unit});
      break;
    case View::Kind::kSubarray: add_subarray(tile.pieces, n, unit); break;
  }
  for (const Extent& piece : tile.pieces) tile.data_bytes += piece.end - piece.begin;
  return tile;
}

std::vector<Extent> file_pieces(const View& view, std::int64_t first, std::int64_t bytes) {
  std::vector<Extent> pieces;
  if (bytes == 0) return pieces;
  if (view.kind == View::Kind::kPlain) return {{view.displacement + first, view.displacement + first + bytes}};
  const Tile tile = tile_of(view);
  std::int64_t begin = view.displacement + first / tile.data_bytes * tile.extent;
  std::int64_t skip = first % tile.data_bytes;
  for (; bytes > 0; begin += tile.extent) {
    for (const Extent& piece : tile.pieces) {
      const std::int64_t length = piece.end - piece.begin;
      const std::int64_t skipped = std::min(skip, length);
      const std::int64_t taken = std::min(bytes, length - skipped);
      add(pieces, {begin + piece.begin + skipped, begin + piece.begin + skipped + taken});
      skip -= skipped;
      bytes -= taken;
    }
  }
  return pieces;
}

std::vector<Extent> memory_pieces(const Memory& memory, std::int64_t etype_bytes, std::int64_t count) {
  if (count == 0) return {};
  const std::int64_t length = memory.block * etype_bytes;
  const std::int64_t stride = (memory.block + memory.gap) * etype_bytes;
  if (memory.kind == Memory::Kind::kPlain || memory.kind == Memory::Kind::kOne) return {{0, count * etype_bytes}};
  std::vector<Extent> pieces;
  const std::int64_t blocks = count / memory.block;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::int64_t begin = (memory.kind == Memory::Kind::kReversed ? blocks - 1 - i : i) * stride;
    add(pieces, {begin, begin + length});
  }
  return pieces;
}

std::int64_t memory_bytes(const Memory& memory, std::int64_t etype_bytes, std::int64_t count) {
  if (count == 0) return 0;
  if (memory.kind == Memory::Kind::kPlain || memory.kind == Memory::Kind::kOne) return count * etype_bytes;
  return count / memory.block * (memory.block + memory.gap) * etype_bytes;
}

}  // namespace weir::programs
