#include "layout/query.h"

#include <algorithm>

#include "layout/node.h"

namespace weir::layout {
namespace {

Extent moved(Extent extent, std::int64_t distance) { return {extent.begin + distance, extent.end + distance}; }

std::int64_t offset_in(const Node* node, std::int64_t data_offset) {
  std::int64_t offset = 0;
  while (node != nullptr) {
    const std::int64_t index = entry_at(*node, data_offset);
    data_offset -= entry_begin(*node, index);
    offset += entry_offset(*node, index);
    node = entry_child(*node, index);
  }
  return offset + data_offset;
}

std::int64_t below(const Node& node, std::int64_t offset);

std::int64_t below_in_entry(const Node& node, std::int64_t index, std::int64_t offset) {
  const std::int64_t inner = offset - entry_offset(node, index);
  const Node* child = entry_child(node, index);
  return child ? below(*child, inner) : std::clamp<std::int64_t>(inner, 0, entry_bytes(node, index));
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Equal entries at equal distance: those wholly below are counted, only those that straddle `offset` are entered.
std::int64_t below_in_repeat(const Node& node, std::int64_t stride, Extent entry_span, std::int64_t offset) {
  const std::int64_t entries = entry_count(node);
  const std::int64_t bytes = entry_bytes(node, 0);
  if (stride == 0) return entries * below_in_entry(node, 0, offset);
  // With a negative stride the last entry is the lowest: count from there.
  const std::int64_t step = stride > 0 ? stride : -stride;
  const std::int64_t from_lowest = stride > 0 ? offset : offset - (entries - 1) * stride;
  const auto clamp = [&](std::int64_t value) { return std::clamp<std::int64_t>(value, 0, entries); };
  const std::int64_t whole = clamp(floor_div(from_lowest - entry_span.end, step) + 1);
  const std::int64_t touched = clamp(floor_div(from_lowest - entry_span.begin - 1, step) + 1);
  std::int64_t total = whole * bytes;
  for (std::int64_t i = whole; i < touched; ++i) {
    total += below_in_entry(node, stride > 0 ? i : entries - 1 - i, offset);
  }
  return total;
}

std::int64_t below_in_list(const Node& node, std::int64_t offset) {
  if (node.ascending) {
    const auto& displacements = displacements_of(node);
    const auto next = std::lower_bound(displacements.begin(), displacements.end(), offset);
    const std::int64_t index = next - displacements.begin() - 1;
    return entry_begin(node, index) + below_in_entry(node, index, offset);
  }
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < entry_count(node); ++i) total += below_in_entry(node, i, offset);
  return total;
}

std::int64_t below(const Node& node, std::int64_t offset) {
  if (offset <= node.span.begin) return 0;
  if (offset >= node.span.end) return node.data_bytes;
  switch (node.kind) {
    case NodeKind::kRun: {
      const auto& run = as<RunNode>(node);
      return below_in_repeat(node, run.stride, {0, run.length}, offset);
    }
    case NodeKind::kRepeat: {
      const auto& repeat = as<RepeatNode>(node);
      return below_in_repeat(node, repeat.stride, repeat.child->span, offset);
    }
    default: return below_in_list(node, offset);
  }
}

Extent hull_in(const Node& node, Extent data);

// The span of the part `data` of entry `index`; `data` is relative to the node and may reach beyond the entry.
Extent hull_in_entry(const Node& node, std::int64_t index, Extent data) {
  const std::int64_t begin = entry_begin(node, index);
  const Extent part = intersection(moved(data, -begin), {0, entry_bytes(node, index)});
  const Node* child = entry_child(node, index);
  return moved(child ? hull_in(*child, part) : part, entry_offset(node, index));
}

// Entries [from, to), whole.
Extent hull_of_entries(const Node& node, std::int64_t from, std::int64_t to) {
  if (from >= to) return {};
  const Extent all{0, node.data_bytes};
  Extent result = hull(hull_in_entry(node, from, all), hull_in_entry(node, to - 1, all));
  if (node.kind == NodeKind::kRun || node.kind == NodeKind::kRepeat) return result;
  for (std::int64_t i = from + 1; i < to - 1; ++i) result = hull(result, hull_in_entry(node, i, all));
  return result;
}

Extent hull_in(const Node& node, Extent data) {
  if (data.begin <= 0 && data.end >= node.data_bytes) return node.span;
  if (node.ascending) return {offset_in(&node, data.begin), offset_in(&node, data.end - 1) + 1};
  const std::int64_t first = entry_at(node, data.begin);
  const std::int64_t last = entry_at(node, data.end - 1);
  const Extent ends = hull(hull_in_entry(node, first, data), hull_in_entry(node, last, data));
  return hull(ends, hull_of_entries(node, first + 1, last));
}

// Pieces, joined where they touch, and where the last of them in type-map order ends.
struct JoinedPieces {
  std::int64_t count = 0;
  std::int64_t end = 0;
};

JoinedPieces joined_in(const Node& node);

JoinedPieces joined_in_entry(const Node& node, std::int64_t index) {
  const Node* child = entry_child(node, index);
  return child ? joined_in(*child) : JoinedPieces{1, entry_bytes(node, index)};
}

JoinedPieces joined_in_list(const Node& node) {
  JoinedPieces total;
  JoinedPieces entry;
  for (std::int64_t i = 0; i < entry_count(node); ++i) {
    if (i == 0 || node.kind != NodeKind::kCopies) entry = joined_in_entry(node, i);
    const std::int64_t offset = entry_offset(node, i);
    total.count += entry.count - (i > 0 && offset == total.end ? 1 : 0);
    total.end = offset + entry.end;
  }
  return total;
}

JoinedPieces joined_in(const Node& node) {
  if (node.kind != NodeKind::kRun && node.kind != NodeKind::kRepeat) return joined_in_list(node);
  const std::int64_t entries = entry_count(node);
  const JoinedPieces entry = joined_in_entry(node, 0);
  const bool touching = entry_offset(node, 1) == entry.end;
  return {entries * entry.count - (touching ? entries - 1 : 0), entry_offset(node, entries - 1) + entry.end};
}

}  // namespace

std::int64_t offset_of(const Layout& layout, std::int64_t data_offset) {
  return layout.first() + offset_in(layout.root(), data_offset);
}

std::int64_t data_bytes_below(const Layout& layout, std::int64_t offset) {
  const Extent span = layout.span();
  if (layout.empty() || offset <= span.begin) return 0;
  if (offset >= span.end) return layout.data_bytes();
  return below(*layout.root(), offset - layout.first());
}

Extent extent_of(const Layout& layout, Extent data) {
  if (data.empty()) return {};
  return moved(hull_in(*layout.root(), data), layout.first());
}

std::int64_t joined_pieces(const Layout& layout) { return layout.empty() ? 0 : joined_in(*layout.root()).count; }

}  // namespace weir::layout
