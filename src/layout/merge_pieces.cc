#include "layout/merge_pieces.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "layout/cursor.h"
#include "layout/source_heap.h"

namespace weir::layout {
namespace {

class PieceSource {
 public:
  explicit PieceSource(const Layout& layout) : cursor_(layout) { next(); }

  bool at_end() const { return piece_.length == 0; }
  std::int64_t begin() const { return piece_.offset; }
  std::int64_t end() const { return piece_.offset + piece_.length; }
  void next() { piece_ = cursor_.next_piece(); }

 private:
  Cursor cursor_;
  Piece piece_;
};

// Gives pieces in ascending order on, united where they overlap.
class Union {
 public:
  explicit Union(PartJoiner& out) : out_(out) {}

  void add(Extent piece) {
    if (!pending_.empty() && piece.begin <= pending_.end) {
      pending_.end = std::max(pending_.end, piece.end);
      return;
    }
    finish();
    pending_ = piece;
  }

  void finish() {
    if (!pending_.empty()) out_.add_piece(pending_);
    pending_ = {};
  }

 private:
  PartJoiner& out_;
  Extent pending_;
};

void collect(const Layout& layout, std::vector<Extent>& pieces) {
  for (PieceSource source(layout); !source.at_end(); source.next()) pieces.push_back({source.begin(), source.end()});
}

Layout sorted(std::vector<Extent> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](Extent a, Extent b) { return a.begin < b.begin; });
  PartJoiner joiner;
  Union united(joiner);
  for (const Extent piece : pieces) united.add(piece);
  united.finish();
  return joiner.finish();
}

}  // namespace

void merge_pieces(std::span<const Layout> layouts, PartJoiner& out) {
  SourceHeap<PieceSource> sources;
  std::vector<Extent> unsorted;
  for (const Layout& layout : layouts) {
    if (layout.is_ascending()) {
      sources.add(PieceSource(layout));
    } else {
      collect(layout, unsorted);
    }
  }
  if (!unsorted.empty()) sources.add(PieceSource(sorted(std::move(unsorted))));
  Union united(out);
  for (; !sources.empty(); sources.reorder()) {
    PieceSource& front = sources.front();
    united.add({front.begin(), front.end()});
    front.next();
  }
  united.finish();
}

}  // namespace weir::layout
