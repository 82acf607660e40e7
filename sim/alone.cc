#include "sim/alone.h"

#include <algorithm>

#include "layout/cursor.h"

namespace weir::sim {

void Alone::start(std::int64_t first, std::int64_t last, std::int64_t most_pieces) {
  ranks_.resize(static_cast<std::size_t>(program_.ranks()));
  const std::int64_t of_rank = std::max<std::int64_t>(most_pieces / program_.ranks(), 1);
  for (int rank = 0; rank < program_.ranks(); ++rank) collect(rank, first, last, of_rank);
  for (int rank = 0; rank < program_.ranks(); ++rank) go_on(rank);
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
  stage_.store.access({.direction = direction_,
                       .rank = rank,
                       .node = stage_.network.node_of(rank),
                       .extents = {piece},
                       .more_calls = 0,
                       .bytes = piece.bytes()},
                      [this, rank] { go_on(rank); });
}

}  // namespace weir::sim
