#include "layout/part_joiner.h"

#include <optional>

#include "layout/cursor.h"
#include "layout/node.h"
#include "layout/part.h"

namespace weir::layout {
namespace {

// A part of fewer pieces takes more memory as a node than its pieces do in a list.
constexpr std::int64_t kCheaperAsPieces = 16;

// A layout as `count` copies of one thing: of a child, or where that is null of a piece.
struct Series {
  std::int64_t first = 0;
  std::int64_t stride = 0;
  std::int64_t count = 1;
  const Node* child = nullptr;
  std::int64_t piece_bytes = 0;
};

Series as_one(const Layout& layout) {
  if (layout.is_contiguous()) return {layout.first(), 0, 1, nullptr, layout.data_bytes()};
  return {layout.first(), 0, 1, layout.root(), 0};
}

Series as_copies(const Layout& layout) {
  const Node& root = *layout.root();
  if (root.kind == NodeKind::kRun) {
    const auto& run = as<RunNode>(root);
    return {layout.first(), run.stride, run.count, nullptr, run.length};
  }
  if (root.kind != NodeKind::kRepeat) return as_one(layout);
  const auto& repeat = as<RepeatNode>(root);
  return {layout.first(), repeat.stride, repeat.count, repeat.child.get(), 0};
}

bool same_things(const Series& a, const Series& b) {
  if (a.child == nullptr || b.child == nullptr) return a.child == b.child && a.piece_bytes == b.piece_bytes;
  return same(*a.child, *b.child);
}

// Whether `b` has the copies that come next in `a`, or the other way round. Two single things say no distance.
bool goes_on(const Series& a, const Series& b) {
  if (a.count == 1 && b.count == 1) return false;
  if (a.count > 1 && b.count > 1 && a.stride != b.stride) return false;
  const std::int64_t stride = a.count > 1 ? a.stride : b.stride;
  return b.first - a.first == a.count * stride && same_things(a, b);
}

// REQUIRES: `layout` is a run or a repeat.
Layout with_count(const Layout& layout, std::int64_t first, std::int64_t count) {
  const Series series = as_copies(layout);
  const Layout thing = series.child == nullptr ? Layout::contiguous(series.piece_bytes)
                                               : LayoutBuilder::placed(0, shared_child(*layout.root(), 0));
  return Layout::repeat(count, series.stride, thing).shifted(first);
}

// Both as one run or repeat, when they are that.
std::optional<Layout> continued(const Layout& a, const Layout& b) {
  const Series copies_a = as_copies(a);
  const Series copies_b = as_copies(b);
  if (goes_on(copies_a, copies_b)) {
    return with_count(copies_a.count > 1 ? a : b, a.first(), copies_a.count + copies_b.count);
  }
  if (goes_on(copies_a, as_one(b))) return with_count(a, a.first(), copies_a.count + 1);
  if (goes_on(as_one(a), copies_b)) return with_count(b, a.first(), copies_b.count + 1);
  return std::nullopt;
}

}  // namespace

void PartJoiner::add(const Layout& part) {
  if (part.empty()) return;
  if (part.is_contiguous()) return add_piece(part.span());
  if (!touches(part.span().begin)) return keep(part);
  const std::int64_t first = first_piece_bytes(*part.root());
  const std::int64_t begin = part.span().begin;
  add_piece({begin, begin + first});
  add(part_of(part, {first, part.data_bytes()}));
}

void PartJoiner::add_piece(Extent piece) {
  if (touches(piece.begin)) {
    if (pieces_.empty()) take_last_piece();
    pieces_.back().length += piece.bytes();
  } else {
    pieces_.push_back({piece.begin, piece.bytes()});
  }
  end_ = piece.end;
}

// The last piece of the parts stands alone from now on.
void PartJoiner::take_last_piece() {
  Layout& last = parts_.back().layout;
  const std::int64_t begin = last.first() + last.root()->last_piece;
  const std::int64_t bytes = end_ - begin;
  last = part_of(last, {0, last.data_bytes() - bytes});
  if (last.empty()) parts_.pop_back();
  pieces_.push_back({begin, bytes});
}

// REQUIRES: touches nothing; more than one piece.
void PartJoiner::keep(const Layout& part) {
  end_ = part.span().end;
  const Layout kept = with_pieces_before(part);
  if (pieces_.empty() && !parts_.empty()) {
    if (const std::optional<Layout> both = continued(parts_.back().layout, kept)) {
      parts_.back().layout = *both;
      return;
    }
  }
  if (kept.piece_count() < kCheaperAsPieces) {
    Cursor cursor(kept);
    for (Piece piece = cursor.next_piece(); piece.length > 0; piece = cursor.next_piece()) {
      pieces_.push_back({piece.offset, piece.length});
    }
    return;
  }
  keep_pieces();
  parts_.push_back({0, kept});
}

// The part, with those of the last pieces that are the ones before in its run.
Layout PartJoiner::with_pieces_before(Layout part) {
  while (!pieces_.empty() && part.root()->kind == NodeKind::kRun) {
    const Layout piece = Layout::contiguous(pieces_.back().length).shifted(pieces_.back().displacement);
    const std::optional<Layout> both = continued(piece, part);
    if (!both) break;
    part = *both;
    pieces_.pop_back();
  }
  return part;
}

void PartJoiner::keep_pieces() {
  if (pieces_.empty()) return;
  parts_.push_back({0, LayoutBuilder::blocks(pieces_.size(), [&](std::size_t i) { return pieces_[i]; })});
  pieces_.clear();
}

Layout PartJoiner::finish() {
  keep_pieces();
  return Layout::sequence(parts_);
}

}  // namespace weir::layout
