#include "layout/layout.h"

#include <limits>
#include <unordered_set>

#include "layout/checked.h"
#include "layout/layout_builder.h"
#include "layout/node.h"

namespace weir::layout {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// How many instances of a span, each moved by `stride`, stay within 64-bit offsets and a 64-bit width.
std::int64_t instances_in_range(Extent span, std::int64_t stride) {
  if (stride == 0) return kMax;
  const std::int64_t highest_end = kMax + std::min<std::int64_t>(span.begin, 0);
  const std::int64_t lowest_begin = std::max<std::int64_t>(span.end, 0) - kMax;
  const std::int64_t room = stride > 0 ? highest_end - span.end : lowest_begin - span.begin;
  return room / stride + 1;
}

template <typename T>
std::size_t list_bytes(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

std::size_t own_bytes(const Node& node) {
  switch (node.kind) {
    case NodeKind::kRun: return sizeof(RunNode);
    case NodeKind::kBlocks:
      return sizeof(BlocksNode) + list_bytes(as<BlocksNode>(node).displacements) +
             list_bytes(as<BlocksNode>(node).prefix);
    case NodeKind::kEqualBlocks: return sizeof(EqualBlocksNode) + list_bytes(as<EqualBlocksNode>(node).displacements);
    case NodeKind::kRepeat: return sizeof(RepeatNode);
    case NodeKind::kCopies: return sizeof(CopiesNode) + list_bytes(as<CopiesNode>(node).displacements);
    case NodeKind::kSequence:
      return sizeof(SequenceNode) + list_bytes(as<SequenceNode>(node).displacements) +
             list_bytes(as<SequenceNode>(node).prefix) + list_bytes(as<SequenceNode>(node).children);
  }
  return 0;
}

std::size_t reachable_bytes(const Node& node, std::unordered_set<const Node*>& seen) {
  if (!seen.insert(&node).second) return 0;
  constexpr std::size_t kSharedCounts = 16;  // what make_shared adds to a node
  std::size_t total = own_bytes(node) + kSharedCounts;
  if (node.kind == NodeKind::kSequence) {
    for (const NodePtr& child : as<SequenceNode>(node).children) total += reachable_bytes(*child, seen);
  } else if (!is_leaf(node)) {
    total += reachable_bytes(*entry_child(node, 0), seen);
  }
  return total;
}

}  // namespace

Layout Layout::overflow() {
  Layout layout;
  layout.overflowed_ = true;
  return layout;
}

Layout Layout::place(std::int64_t first, std::shared_ptr<const Node> root) {
  if (root == nullptr) return overflow();
  if (!(Checked(first) + root->span.begin).ok() || !(Checked(first) + root->span.end).ok()) return overflow();
  return {first, std::move(root)};
}

Layout Layout::contiguous(std::int64_t bytes) {
  if (bytes <= 0) return {};
  return place(0, make_run(bytes, 0, 1));
}

Layout Layout::repeat(std::int64_t count, std::int64_t stride, const Layout& child) {
  if (child.overflowed_) return overflow();
  if (count <= 0 || child.empty()) return {};
  return place(child.first_, LayoutBuilder::repeat_node(count, stride, child.root_));
}

Layout Layout::blocks(std::span<const std::int64_t> displacements, std::span<const std::int64_t> lengths) {
  return LayoutBuilder::blocks(displacements.size(), [&](std::size_t i) {
    return LayoutBuilder::Block{displacements[i], lengths[i]};
  });
}

Layout Layout::copies(std::span<const std::int64_t> displacements, const Layout& child) {
  if (child.overflowed_) return overflow();
  if (displacements.empty() || child.empty()) return {};
  if (is_one_piece(*child.root_)) {
    const Layout blocks = LayoutBuilder::blocks(displacements.size(), [&](std::size_t i) {
      return LayoutBuilder::Block{displacements[i], child.data_bytes()};
    });
    return blocks.shifted(child.first_);
  }
  return LayoutBuilder::copies(displacements, child);
}

Layout Layout::sequence(std::span<const Part> parts) { return LayoutBuilder::sequence(parts); }

Layout Layout::endless(std::int64_t stride, const Layout& child) {
  if (child.empty()) return child;
  const std::int64_t count = std::min(instances_in_range(child.span(), stride), kMax / child.data_bytes());
  return repeat(count, stride, child);
}

Layout Layout::shifted(std::int64_t displacement) const {
  if (overflowed_ || empty()) return *this;
  const Checked first = Checked(first_) + displacement;
  return first.ok() ? place(first.value(), root_) : overflow();
}

std::int64_t Layout::data_bytes() const { return root_ ? root_->data_bytes : 0; }

std::int64_t Layout::piece_count() const { return root_ ? root_->piece_count : 0; }

Extent Layout::span() const {
  if (!root_) return {};
  return {first_ + root_->span.begin, first_ + root_->span.end};
}

bool Layout::is_contiguous() const { return !root_ || is_one_piece(*root_); }

bool Layout::is_ascending() const { return !root_ || root_->ascending; }

bool Layout::is_monotone() const { return !root_ || root_->monotone; }

int Layout::depth() const { return root_ ? root_->depth : 0; }

std::size_t Layout::memory_bytes() const {
  if (!root_) return 0;
  std::unordered_set<const Node*> seen;
  return reachable_bytes(*root_, seen);
}

bool Layout::operator==(const Layout& other) const {
  if (overflowed_ != other.overflowed_ || first_ != other.first_ || empty() != other.empty()) return false;
  return empty() || same(*root_, *other.root_);
}

std::uint64_t Layout::fingerprint() const {
  if (!root_) return overflowed_ ? 1 : 0;
  return (root_->fingerprint ^ static_cast<std::uint64_t>(first_)) * 0x9E3779B97F4A7C15U;
}

}  // namespace weir::layout
