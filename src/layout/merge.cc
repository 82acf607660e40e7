#include "layout/merge.h"

#include <algorithm>
#include <vector>

#include "base/extent.h"
#include "layout/checked.h"
#include "layout/cursor.h"
#include "layout/layout_builder.h"
#include "layout/merge_periods.h"
#include "layout/merge_pieces.h"
#include "layout/node.h"
#include "layout/part.h"
#include "layout/part_joiner.h"
#include "layout/query.h"
#include "layout/source_heap.h"

namespace weir::layout {
namespace {

constexpr std::int64_t kWidest = std::int64_t{1} << 61;

// A layout is cut where others have pieces when it has this many times theirs: a cut costs as much as some pieces.
constexpr std::int64_t kPiecesWorthACut = 16;

// Layouts that have fewer pieces on average are merged piece by piece: structures would cost more, and time is bounded.
constexpr std::int64_t kPiecesWorthStructure = 8;

bool lists_children(const Layout& layout) {
  return layout.root()->kind == NodeKind::kCopies || layout.root()->kind == NodeKind::kSequence;
}

bool is_joined(const Layout& layout) { return joined_pieces(layout) == layout.piece_count(); }

Checked total_pieces(std::span<const Layout> layouts) {
  Checked pieces = 0;
  for (const Layout& layout : layouts) pieces += layout.piece_count();
  return pieces;
}

bool has_few_pieces(std::span<const Layout> layouts) {
  const Checked pieces = total_pieces(layouts);
  return pieces.ok() && pieces.value() < kPiecesWorthStructure * static_cast<std::int64_t>(layouts.size());
}

// Child `index` of a repeat, copies or sequence, where it lies.
Layout child_layout(const Layout& layout, std::int64_t index) {
  const Node& root = *layout.root();
  return LayoutBuilder::placed(layout.first() + entry_offset(root, index), shared_child(root, index));
}

// The children of copies or of a sequence one by one; any other layout as a whole. REQUIRES: ascending.
class EntrySource {
 public:
  explicit EntrySource(const Layout& layout)
      : layout_(layout), entries_(lists_children(layout) ? entry_count(*layout.root()) : 1) {}

  bool at_end() const { return index_ == entries_; }
  std::int64_t begin() const { return layout_.first() + entry_offset(*layout_.root(), index_); }
  Layout take() {
    const std::int64_t index = index_++;
    return lists_children(layout_) ? child_layout(layout_, index) : layout_;
  }

 private:
  Layout layout_;
  std::int64_t entries_;
  std::int64_t index_ = 0;
};

void merge_entries(std::span<const Layout> layouts, PartJoiner& out);

// One layout of very many pieces beside few others: cut where these are, and whole between.
bool merge_around(std::span<const Layout> layouts, PartJoiner& out) {
  const auto fewer = [](const Layout& a, const Layout& b) { return a.piece_count() < b.piece_count(); };
  const auto most = std::max_element(layouts.begin(), layouts.end(), fewer);
  std::vector<Layout> others(layouts.begin(), most);
  others.insert(others.end(), most + 1, layouts.end());
  const Checked pieces = total_pieces(others);
  if (!pieces.ok() || pieces.value() > most->piece_count() / kPiecesWorthACut) return false;
  const Layout cut = is_joined(*most) ? *most : merged({most, 1});
  PartJoiner few;
  merge_pieces(others, few);
  Cursor cursor(few.finish());
  std::int64_t done = 0;
  for (Piece piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece()) {
    const Extent extent{piece.offset, piece.offset + piece.length};
    out.add(part_of(cut, {done, data_bytes_below(cut, extent.begin)}));
    out.add_piece(extent);
    done = data_bytes_below(cut, extent.end);
  }
  out.add(part_of(cut, {done, cut.data_bytes()}));
  return true;
}

// Layouts whose spans overlap, in the order in which they begin.
void merge_cluster(std::vector<Layout>& cluster, PartJoiner& out) {
  cluster.erase(std::unique(cluster.begin(), cluster.end()), cluster.end());
  if (cluster.size() == 1 && is_joined(cluster[0])) return out.add(cluster[0]);
  if (has_few_pieces(cluster)) return merge_pieces(cluster, out);
  if (std::any_of(cluster.begin(), cluster.end(), lists_children)) return merge_entries(cluster, out);
  if (merge_periods(cluster, out)) return;
  if (cluster.size() > 1 && merge_around(cluster, out)) return;
  merge_pieces(cluster, out);
}

void merge_entries(std::span<const Layout> layouts, PartJoiner& out) {
  SourceHeap<EntrySource> sources;
  for (const Layout& layout : layouts) sources.add(EntrySource(layout));
  std::vector<Layout> cluster;
  while (!sources.empty()) {
    std::int64_t end = sources.begin() + 1;
    while (!sources.empty() && sources.begin() < end) {
      cluster.push_back(sources.front().take());
      sources.reorder();
      end = std::max(end, cluster.back().span().end);
    }
    merge_cluster(cluster, out);
    cluster.clear();
  }
}

Layout ascending_form(const Layout& layout);

Layout ascending_run(const Layout& layout) {
  const auto& run = as<RunNode>(*layout.root());
  const Extent span = layout.span();
  const std::int64_t distance = run.stride < 0 ? -run.stride : run.stride;
  if (distance < run.length) return Layout::contiguous(span.bytes()).shifted(span.begin);
  return Layout::repeat(run.count, distance, Layout::contiguous(run.length)).shifted(span.begin);
}

Layout ascending_repeat(const Layout& layout) {
  const auto& repeat = as<RepeatNode>(*layout.root());
  Layout child = ascending_form(child_layout(layout, repeat.stride < 0 ? repeat.count - 1 : 0));
  if (repeat.stride == 0) return child;
  Layout forward = Layout::repeat(repeat.count, repeat.stride < 0 ? -repeat.stride : repeat.stride, child);
  if (forward.is_ascending()) return forward;
  if (forward.root()->kind == NodeKind::kRun) return ascending_run(forward);
  PartJoiner joiner;
  if (!merge_periods({&forward, 1}, joiner)) merge_pieces({&forward, 1}, joiner);
  return joiner.finish();
}

// The same bytes, each once, ascending.
Layout ascending_form(const Layout& layout) {
  if (layout.is_ascending()) return layout;
  if (layout.root()->kind == NodeKind::kRun) return ascending_run(layout);
  if (layout.root()->kind == NodeKind::kRepeat) return ascending_repeat(layout);
  if (!lists_children(layout)) {
    PartJoiner joiner;
    merge_pieces({&layout, 1}, joiner);
    return joiner.finish();
  }
  std::vector<Layout> children;
  for (std::int64_t i = 0; i < entry_count(*layout.root()); ++i) children.push_back(child_layout(layout, i));
  return merged(children);
}

}  // namespace

Layout merged(std::span<const Layout> layouts) {
  Extent reach;
  for (const Layout& layout : layouts) {
    if (layout.overflowed()) return Layout::overflow();
    reach = hull(reach, layout.span());
  }
  const Checked width = Checked(reach.end) - reach.begin;
  if (!width.ok() || width.value() >= kWidest) return Layout::overflow();
  std::vector<Layout> ascending;
  ascending.reserve(layouts.size());
  for (const Layout& layout : layouts) {
    if (!layout.empty()) ascending.push_back(ascending_form(layout));
  }
  if (ascending.size() == 1 && is_joined(ascending[0])) return ascending[0];
  PartJoiner joiner;
  merge_entries(ascending, joiner);
  return joiner.finish();
}

PieceCounts count_pieces(std::span<const Layout> layouts) {
  PieceCounts counts;
  for (const Layout& layout : layouts) counts.apart += joined_pieces(layout);
  counts.together = merged(layouts).piece_count();
  return counts;
}

}  // namespace weir::layout
