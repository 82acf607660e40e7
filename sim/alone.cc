#include "sim/alone.h"

#include <algorithm>

#include "layout/cursor.h"

namespace weir::sim {

void Alone::start(std::int64_t first, std::int64_t last, std::int64_t most_pieces) {
  ranks_.resize(static_cast<std::size_t>(program_.ranks()));
  const std::int64_t of_rank = std::max<std::int64_t>(most_pieces / program_.ranks(), 1);
  for (int rank = 0; rank < program_.ranks(); ++rank) collect(rank, first, last, of_rank);
  const bool advised = direction_ == Direction::kRead && prefetch_.max_acc > 0 && agents_ == nullptr;
  for (int rank = 0; rank < program_.ranks(); ++rank) {
    if (advised) {
      find_ranges(ranks_[static_cast<std::size_t>(rank)]);
      advise(rank);
    } else {
      go_on(rank);
    }
  }
}

void Alone::collect(int rank, std::int64_t first, std::int64_t last, std::int64_t most_pieces) {
  std::vector<Extent>& pieces = ranks_[static_cast<std::size_t>(rank)].pieces;
  for (std::int64_t call = first; call < last; ++call) {
    const layout::Layout request = program_.request(call, rank);
    bytes_ += request.data_bytes();
    layout::Cursor cursor(request);
    while (!cursor.at_end() && static_cast<std::int64_t>(pieces.size()) < most_pieces) {
      const layout::Piece piece = cursor.next_piece();
      pieces.push_back({piece.offset, piece.offset + piece.length});
      played_ += piece.length;
    }
  }
}

void Alone::go_on(int rank) {
  Rank& own = ranks_[static_cast<std::size_t>(rank)];
  if (own.next == own.pieces.size()) return;
  const Extent piece = own.pieces[own.next++];
  if (agents_ != nullptr) {
    agents_->access(direction_, rank, piece, [this, rank] { go_on(rank); });
    return;
  }
  stage_.store.access({.direction = direction_,
                       .rank = rank,
                       .node = stage_.network.node_of(rank),
                       .extents = {piece},
                       .more_calls = 0,
                       .bytes = piece.bytes()},
                      [this, rank] { go_on(rank); });
}

void Alone::find_ranges(Rank& rank) const {
  rank.policy = plan::PrefetchPolicy(prefetch_.max_acc);
  std::int64_t last = -1;
  for (const Extent& piece : rank.pieces) {
    const std::int64_t block = piece.begin / prefetch_.block_bytes;
    if (block != last) rank.ranges.push_back({piece, 0, 0, {}});
    last = block;
    Range& range = rank.ranges.back();
    range.span = hull(range.span, piece);
    range.bytes += piece.bytes();
    ++range.pieces;
  }
}

// A step of the policy: the file system takes all that it is asked for.
void Alone::advise(int rank) {
  Rank& own = ranks_[static_cast<std::size_t>(rank)];
  if (own.read == own.ranges.size()) return;
  const std::size_t wanted = own.asked + static_cast<std::size_t>(own.policy.to_ask());
  const std::size_t before = own.asked;
  for (; own.asked < std::min(wanted, own.ranges.size()); ++own.asked) {
    Range& range = own.ranges[own.asked];
    stage_.store.advise(stage_.network.node_of(rank), range.span, [&range] { range.there.open(); });
  }
  own.policy.took(static_cast<std::int64_t>(own.asked - before));
  own.to_read = own.policy.to_access();
  read_range(rank);
}

void Alone::read_range(int rank) {
  Rank& own = ranks_[static_cast<std::size_t>(rank)];
  own.ranges[own.read].there.when_open([this, rank] {
    Rank& reader = ranks_[static_cast<std::size_t>(rank)];
    const Range& range = reader.ranges[reader.read++];
    const model::Storage& storage = stage_.machine.storage;
    const Micros time =
        static_cast<double>(range.pieces) * storage.call_us + static_cast<double>(range.bytes) / storage.cache_mb_s;
    const bool asks = --reader.to_read == 0 || reader.read == reader.ranges.size();
    if (asks) reader.policy.accessed(reader.policy.to_access());
    stage_.events.after(time, [this, rank, asks] { asks ? advise(rank) : read_range(rank); });
  });
}

}  // namespace weir::sim
