#include "layout/part.h"

#include <algorithm>
#include <array>
#include <vector>

#include "layout/layout_builder.h"
#include "layout/node.h"

namespace weir::layout {
namespace {

// Everything here is relative to the first byte of the node it is about.
Layout part_of_node(const Node& node, Extent data);

// The part `data` of entry `index`, relative to the entry; `data` is relative to the node and may reach beyond it.
Extent data_in_entry(const Node& node, std::int64_t index, Extent data) {
  const std::int64_t begin = entry_begin(node, index);
  return intersection({data.begin - begin, data.end - begin}, {0, entry_bytes(node, index)});
}

Layout part_of_entry(const Node& node, std::int64_t index, Extent data) {
  const Extent part = data_in_entry(node, index, data);
  const std::int64_t offset = entry_offset(node, index);
  if (is_leaf(node)) return Layout::contiguous(part.bytes()).shifted(offset + part.begin);
  const NodePtr& child = shared_child(node, index);
  const bool whole = part.bytes() == child->data_bytes;
  return (whole ? LayoutBuilder::placed(0, child) : part_of_node(*child, part)).shifted(offset);
}

// The entries [from, to) of a list leaf, the first and the last cut to `data`.
Layout part_of_list(const Node& node, std::int64_t from, std::int64_t to, Extent data) {
  return LayoutBuilder::blocks(static_cast<std::size_t>(to - from), [&](std::size_t i) {
    const std::int64_t index = from + static_cast<std::int64_t>(i);
    const Extent part = data_in_entry(node, index, data);
    return LayoutBuilder::Block{entry_offset(node, index) + part.begin, part.bytes()};
  });
}

Layout part_of_sequence(const Node& node, std::int64_t from, std::int64_t to) {
  std::vector<Layout::Part> parts;
  parts.reserve(static_cast<std::size_t>(to - from));
  for (std::int64_t i = from; i < to; ++i) {
    parts.push_back({entry_offset(node, i), LayoutBuilder::placed(0, shared_child(node, i))});
  }
  return Layout::sequence(parts);
}

// The entries [from, to) of the node, whole.
Layout whole_entries(const Node& node, std::int64_t from, std::int64_t to) {
  if (from >= to) return {};
  switch (node.kind) {
    case NodeKind::kRun: {
      const auto& run = as<RunNode>(node);
      return Layout::repeat(to - from, run.stride, Layout::contiguous(run.length)).shifted(from * run.stride);
    }
    case NodeKind::kRepeat: {
      const auto& repeat = as<RepeatNode>(node);
      const Layout child = LayoutBuilder::placed(0, repeat.child);
      return Layout::repeat(to - from, repeat.stride, child).shifted(from * repeat.stride);
    }
    case NodeKind::kCopies: {
      const std::span<const std::int64_t> all(as<CopiesNode>(node).displacements);
      const auto entries = all.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
      return Layout::copies(entries, LayoutBuilder::placed(0, as<CopiesNode>(node).child));
    }
    case NodeKind::kSequence: return part_of_sequence(node, from, to);
    default: return part_of_list(node, from, to, {0, node.data_bytes});
  }
}

// REQUIRES: data is not empty and lies within the node.
Layout part_of_node(const Node& node, Extent data) {
  const std::int64_t first = entry_at(node, data.begin);
  const std::int64_t last = entry_at(node, data.end - 1);
  if (first == last) return part_of_entry(node, first, data);
  if (node.kind == NodeKind::kBlocks || node.kind == NodeKind::kEqualBlocks) {
    return part_of_list(node, first, last + 1, data);
  }
  // The first and the last entry join the others when they are whole.
  const std::int64_t from = entry_begin(node, first) == data.begin ? first : first + 1;
  const std::int64_t to = entry_begin(node, last + 1) == data.end ? last + 1 : last;
  const std::array<Layout::Part, 3> parts = {
      Layout::Part{0, from > first ? part_of_entry(node, first, data) : Layout()},
      Layout::Part{0, whole_entries(node, from, to)},
      Layout::Part{0, to <= last ? part_of_entry(node, last, data) : Layout()},
  };
  return Layout::sequence(parts);
}

}  // namespace

Layout part_of(const Layout& layout, Extent data) {
  const Extent part = intersection(data, {0, layout.data_bytes()});
  if (part.empty()) return {};
  if (part.bytes() == layout.data_bytes()) return layout;
  return part_of_node(*layout.root(), part).shifted(layout.first());
}

}  // namespace weir::layout
