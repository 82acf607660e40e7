// LayoutBuilder: the normal forms behind the constructors of Layout. Internal to layout/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/checked.h"
#include "layout/layout.h"
#include "layout/node.h"

namespace weir::layout {

class LayoutBuilder {
 public:
  struct Block {
    std::int64_t displacement;
    std::int64_t length;
  };

  // The layout whose root is `node`, with its first byte at `first`. Overflowed when it cannot be expressed.
  static Layout placed(std::int64_t first, NodePtr node) { return Layout::place(first, std::move(node)); }

  // Null when it cannot be expressed. REQUIRES: count >= 1.
  static NodePtr repeat_node(std::int64_t count, std::int64_t stride, const NodePtr& child);

  // The blocks block_at(0) ... block_at(block_count - 1), empty ones left out and touching ones joined. The list is
  // read twice and never stored as given, so that the peak is the result's own size.
  template <typename BlockAt>
  static Layout blocks(std::size_t block_count, const BlockAt& block_at);

  // REQUIRES: at least one displacement; a child that is neither empty nor one piece.
  static Layout copies(std::span<const std::int64_t> displacements, const Layout& child);

  static Layout sequence(std::span<const Layout::Part> parts);

 private:
  // A part of a sequence, with its own first byte folded into the displacement.
  struct Placed {
    std::int64_t first;
    NodePtr node;
  };

  // What a first pass over joined blocks finds out.
  struct Survey {
    std::size_t block_count = 0;
    Block front{};
    Block back{};
    std::int64_t distance = 0;
    bool equal_lengths = true;
    bool equal_distances = true;
    bool fits = true;

    void add(Block block);
  };

  template <typename BlockAt, typename Visit>
  static bool for_each_joined(std::size_t block_count, const BlockAt& block_at, const Visit& visit);

  static std::optional<std::vector<Placed>> flatten(std::span<const Layout::Part> parts);
  static std::vector<Placed> group(const std::vector<Placed>& parts, bool& fits);
  static Layout group_blocks(std::span<const Placed> parts);
  static Layout group_copies(std::span<const Placed> parts);
  static Layout sequence_of(std::span<const Placed> parts);
};

// Calls visit(Block) for each joined block; false when a block's end cannot be expressed.
template <typename BlockAt, typename Visit>
bool LayoutBuilder::for_each_joined(std::size_t block_count, const BlockAt& block_at, const Visit& visit) {
  Block joined{0, 0};
  for (std::size_t i = 0; i < block_count; ++i) {
    const Block block = block_at(i);
    if (block.length <= 0) continue;
    if (!(Checked(block.displacement) + block.length).ok()) return false;
    if (joined.length > 0 && joined.displacement + joined.length == block.displacement) {
      const Checked length = Checked(joined.length) + block.length;
      if (!length.ok()) return false;
      joined.length = length.value();
      continue;
    }
    if (joined.length > 0) visit(joined);
    joined = block;
  }
  if (joined.length > 0) visit(joined);
  return true;
}

template <typename BlockAt>
Layout LayoutBuilder::blocks(std::size_t block_count, const BlockAt& block_at) {
  Survey survey;
  if (!for_each_joined(block_count, block_at, [&](Block block) { survey.add(block); })) return Layout::overflow();
  if (!survey.fits) return Layout::overflow();
  if (survey.block_count == 0) return {};
  const std::int64_t first = survey.front.displacement;
  const std::int64_t length = survey.front.length;
  if (survey.equal_lengths && survey.equal_distances) {
    return Layout::place(first, make_run(length, survey.distance, static_cast<std::int64_t>(survey.block_count)));
  }
  std::vector<std::int64_t> displacements;
  displacements.reserve(survey.block_count);
  if (survey.equal_lengths) {
    for_each_joined(block_count, block_at, [&](Block block) { displacements.push_back(block.displacement - first); });
    return Layout::place(first, make_equal_blocks(std::move(displacements), length));
  }
  std::vector<std::int64_t> prefix;
  prefix.reserve(survey.block_count + 1);
  Checked total = 0;
  for_each_joined(block_count, block_at, [&](Block block) {
    displacements.push_back(block.displacement - first);
    prefix.push_back(total.value());
    total += block.length;
  });
  if (!total.ok()) return Layout::overflow();
  prefix.push_back(total.value());
  return Layout::place(first, make_blocks(std::move(displacements), std::move(prefix)));
}

}  // namespace weir::layout
