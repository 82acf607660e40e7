#include "programs/contents.h"

#include <algorithm>

namespace weir::programs {

namespace {

std::int64_t end_of(std::span<const Extent> pieces) {
  std::int64_t end = 0;
  for (const Extent& piece : pieces) end = std::max(end, piece.end);
  return end;
}

}  // namespace

void Contents::resize(std::int64_t bytes) {
  bytes_.resize(static_cast<std::size_t>(bytes), kUnwritten);
  alternatives_.erase(alternatives_.lower_bound(bytes), alternatives_.end());
}

void Contents::fill(std::int64_t bytes, int colour) {
  resize(bytes);
  for (std::int64_t i = 0; i < bytes; ++i) bytes_[static_cast<std::size_t>(i)] = origin(kInitialId, colour, i);
}

void Contents::write_byte(std::int64_t offset, Origin value) {
  Origin& byte = bytes_[static_cast<std::size_t>(offset)];
  const bool same_access = byte != kUnknown && byte >> 48 == value >> 48;
  if (same_access) {
    std::vector<Origin>& any = alternatives_[offset];
    if (any.empty()) any.push_back(byte);
    any.push_back(value);
  } else if (!alternatives_.empty()) {
    alternatives_.erase(offset);
  }
  byte = value;
}

void Contents::write(std::span<const Extent> pieces, int id, int rank) {
  if (end_of(pieces) > size()) resize(end_of(pieces));
  std::int64_t position = 0;
  for (const Extent& piece : pieces) {
    for (std::int64_t at = piece.begin; at < piece.end; ++at) write_byte(at, origin(id, rank, position++));
  }
}

void Contents::make_unknown(std::span<const Extent> pieces) {
  if (end_of(pieces) > size()) resize(end_of(pieces));
  for (const Extent& piece : pieces) {
    for (std::int64_t at = piece.begin; at < piece.end; ++at) {
      bytes_[static_cast<std::size_t>(at)] = kUnknown;
      alternatives_.erase(at);
    }
  }
}

bool Touches::conflict(Direction direction, int rank, std::span<const Extent> pieces) const {
  for (const Extent& piece : pieces) {
    const std::int64_t end = std::min(piece.end, std::ssize(bytes_));
    for (std::int64_t at = piece.begin; at < end; ++at) {
      const Touch& touch = bytes_[static_cast<std::size_t>(at)];
      if (touch.pending_writes > 0) return true;
      if (direction == Direction::kWrite && touch.pending_reads > 0) return true;
      if (touch.epoch != epoch_) continue;
      const RankSet others = direction == Direction::kWrite ? touch.readers | touch.writers : touch.writers;
      if ((others & ~only(rank)) != 0) return true;
    }
  }
  return false;
}

void Touches::grow(std::span<const Extent> pieces) {
  if (end_of(pieces) > std::ssize(bytes_)) bytes_.resize(static_cast<std::size_t>(end_of(pieces)));
}

void Touches::note(Direction direction, int rank, std::span<const Extent> pieces) {
  grow(pieces);
  for (const Extent& piece : pieces) {
    for (std::int64_t at = piece.begin; at < piece.end; ++at) {
      Touch& touch = bytes_[static_cast<std::size_t>(at)];
      if (touch.epoch != epoch_) {
        touch.readers = 0;
        touch.writers = 0;
        touch.epoch = epoch_;
      }
      (direction == Direction::kWrite ? touch.writers : touch.readers) |= only(rank);
    }
  }
}

void Touches::pend(Direction direction, std::span<const Extent> pieces, int change) {
  grow(pieces);
  for (const Extent& piece : pieces) {
    for (std::int64_t at = piece.begin; at < piece.end; ++at) {
      Touch& touch = bytes_[static_cast<std::size_t>(at)];
      std::int16_t& count = direction == Direction::kWrite ? touch.pending_writes : touch.pending_reads;
      count = static_cast<std::int16_t>(count + change);
    }
  }
}

}  // namespace weir::programs
