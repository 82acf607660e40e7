#include "layout/layout_builder.h"

#include <utility>

namespace weir::layout {
namespace {

// Sequences up to this many children are taken apart inside another sequence; longer ones stay shared.
constexpr std::size_t kSpliceLimit = 16;

// Whether all entries are equally far apart; `distance` is then that of the first two.
bool equally_spaced(std::span<const std::int64_t> displacements, std::int64_t distance) {
  for (std::size_t i = 1; i < displacements.size(); ++i) {
    const Checked step = Checked(displacements[i]) - displacements[i - 1];
    if (!step.ok() || step.value() != distance) return false;
  }
  return true;
}

// Whether `inner` entries at distance `inner_stride`, repeated at distance `stride`, go on at the same distance.
bool goes_on(std::int64_t stride, std::int64_t inner_stride, std::int64_t inner_count) {
  const Checked period = Checked(inner_stride) * inner_count;
  return period.ok() && period.value() == stride;
}

NodePtr repeat_of_run(std::int64_t count, std::int64_t stride, const RunNode& run) {
  if (run.count == 1 && stride == run.length) {
    const Checked length = Checked(count) * run.length;
    return length.ok() ? make_run(length.value(), 0, 1) : nullptr;
  }
  if (run.count == 1) return make_run(run.length, stride, count);
  const Checked total = Checked(count) * run.count;
  return total.ok() ? make_run(run.length, run.stride, total.value()) : nullptr;
}

}  // namespace

NodePtr LayoutBuilder::repeat_node(std::int64_t count, std::int64_t stride, const NodePtr& child) {
  if (count == 1) return child;
  if (child->kind == NodeKind::kRun) {
    const auto& run = as<RunNode>(*child);
    if (run.count == 1 || goes_on(stride, run.stride, run.count)) return repeat_of_run(count, stride, run);
  }
  if (child->kind == NodeKind::kRepeat) {
    const auto& inner = as<RepeatNode>(*child);
    if (goes_on(stride, inner.stride, inner.count)) {
      const Checked total = Checked(count) * inner.count;
      return total.ok() ? make_repeat(inner.stride, total.value(), inner.child) : nullptr;
    }
  }
  return make_repeat(stride, count, child);
}

void LayoutBuilder::Survey::add(Block block) {
  if (block_count == 0) {
    front = block;
  } else {
    const Checked step = Checked(block.displacement) - back.displacement;
    fits = fits && step.ok() && (Checked(block.displacement) - front.displacement).ok();
    if (block_count == 1) distance = step.value();
    equal_distances = equal_distances && step.value() == distance;
    equal_lengths = equal_lengths && block.length == front.length;
  }
  back = block;
  ++block_count;
}

Layout LayoutBuilder::copies(std::span<const std::int64_t> displacements, const Layout& child) {
  const Checked first = Checked(displacements[0]) + child.first_;
  if (!first.ok()) return Layout::overflow();
  if (displacements.size() == 1) return Layout::place(first.value(), child.root_);
  const Checked distance = Checked(displacements[1]) - displacements[0];
  if (distance.ok() && equally_spaced(displacements, distance.value())) {
    const auto count = static_cast<std::int64_t>(displacements.size());
    return Layout::place(first.value(), repeat_node(count, distance.value(), child.root_));
  }
  std::vector<std::int64_t> relative;
  relative.reserve(displacements.size());
  for (const std::int64_t displacement : displacements) {
    const Checked offset = Checked(displacement) - displacements[0];
    if (!offset.ok()) return Layout::overflow();
    relative.push_back(offset.value());
  }
  return Layout::place(first.value(), make_copies(std::move(relative), child.root_));
}

// Leaves out empty parts and takes short sequences apart. Nothing when a part cannot be expressed.
std::optional<std::vector<LayoutBuilder::Placed>> LayoutBuilder::flatten(std::span<const Layout::Part> parts) {
  std::vector<Placed> flat;
  flat.reserve(parts.size());
  for (const Layout::Part& part : parts) {
    const Layout moved = part.layout.shifted(part.displacement);
    if (moved.overflowed()) return std::nullopt;
    if (moved.empty()) continue;
    if (moved.root_->kind == NodeKind::kSequence) {
      const auto& sequence = as<SequenceNode>(*moved.root_);
      if (sequence.children.size() <= kSpliceLimit) {
        for (std::size_t i = 0; i < sequence.children.size(); ++i) {
          flat.push_back({moved.first_ + sequence.displacements[i], sequence.children[i]});
        }
        continue;
      }
    }
    flat.push_back({moved.first_, moved.root_});
  }
  return flat;
}

Layout LayoutBuilder::group_blocks(std::span<const Placed> parts) {
  return blocks(parts.size(), [&](std::size_t i) { return Block{parts[i].first, parts[i].node->data_bytes}; });
}

Layout LayoutBuilder::group_copies(std::span<const Placed> parts) {
  std::vector<std::int64_t> displacements;
  displacements.reserve(parts.size());
  for (const Placed& part : parts) displacements.push_back(part.first);
  return copies(displacements, Layout::place(0, parts[0].node));
}

// Neighbours that are single pieces become a block list, equal neighbours become copies.
std::vector<LayoutBuilder::Placed> LayoutBuilder::group(const std::vector<Placed>& parts, bool& fits) {
  std::vector<Placed> groups;
  for (std::size_t begin = 0; begin < parts.size();) {
    const Node& front = *parts[begin].node;
    const bool pieces = is_one_piece(front);
    std::size_t end = begin + 1;
    while (end < parts.size() && (pieces ? is_one_piece(*parts[end].node) : same(front, *parts[end].node))) ++end;
    const std::span<const Placed> neighbours(parts.data() + begin, end - begin);
    const Layout joined = pieces ? group_blocks(neighbours) : group_copies(neighbours);
    fits = fits && !joined.overflowed();
    groups.push_back({joined.first_, joined.root_});
    begin = end;
  }
  return groups;
}

Layout LayoutBuilder::sequence_of(std::span<const Placed> parts) {
  const std::int64_t first = parts[0].first;
  std::vector<std::int64_t> displacements;
  std::vector<NodePtr> children;
  displacements.reserve(parts.size());
  children.reserve(parts.size());
  for (const Placed& part : parts) {
    const Checked displacement = Checked(part.first) - first;
    if (!displacement.ok()) return Layout::overflow();
    displacements.push_back(displacement.value());
    children.push_back(part.node);
  }
  return Layout::place(first, make_sequence(std::move(displacements), std::move(children)));
}

Layout LayoutBuilder::sequence(std::span<const Layout::Part> parts) {
  const std::optional<std::vector<Placed>> flat = flatten(parts);
  if (!flat) return Layout::overflow();
  if (flat->empty()) return {};
  bool fits = true;
  const std::vector<Placed> groups = group(*flat, fits);
  if (!fits) return Layout::overflow();
  if (groups.size() == 1) return Layout::place(groups[0].first, groups[0].node);
  return sequence_of(groups);
}

}  // namespace weir::layout
