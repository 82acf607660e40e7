#include "layout/node.h"

#include <utility>

#include "layout/checked.h"

namespace weir::layout {
namespace {

// Adds up what a node knows about its bytes, entry by entry in type-map order.
class Facts {
 public:
  void add(Checked displacement, const Node& child) {
    const Checked begin = displacement + child.span.begin;
    const Checked end = displacement + child.span.end;
    if (piece_count_.value() == 0) {
      span_ = {begin.value(), end.value()};
      ascending_ = child.ascending;
      monotone_ = child.monotone;
    } else {
      ascending_ = ascending_ && child.ascending && begin.value() >= span_.end;
      monotone_ = monotone_ && child.monotone && displacement.value() >= last_piece_;
      span_ = hull(span_, {begin.value(), end.value()});
    }
    const Checked last = displacement + child.last_piece;
    last_piece_ = last.value();
    data_bytes_ += child.data_bytes;
    piece_count_ += child.piece_count;
    depth_ = std::max(depth_, child.depth);
    ok_ = ok_ && begin.ok() && end.ok() && last.ok();
  }

  void add_piece(std::int64_t displacement, std::int64_t length) {
    Node piece;
    piece.data_bytes = length;
    piece.piece_count = 1;
    piece.span = {0, length};
    piece.depth = 0;
    add(displacement, piece);
  }

  // Writes the sums into `node`; false when they do not fit.
  bool store(NodeKind kind, Node& node) const {
    node.kind = kind;
    node.ascending = ascending_;
    node.monotone = monotone_;
    node.depth = depth_ + 1;
    node.data_bytes = data_bytes_.value();
    node.piece_count = piece_count_.value();
    node.span = span_;
    node.last_piece = last_piece_;
    return ok_ && data_bytes_.ok() && piece_count_.ok() && (Checked(span_.end) - span_.begin).ok();
  }

 private:
  Checked data_bytes_ = 0;
  Checked piece_count_ = 0;
  Extent span_;
  std::int64_t last_piece_ = 0;
  std::int32_t depth_ = 0;
  bool ascending_ = true;
  bool monotone_ = true;
  bool ok_ = true;
};

// The facts of `count` entries like `first`, at equal distance: those of the first and the last, scaled.
bool store_repeated(NodeKind kind, const Node& first, std::int64_t stride, std::int64_t count, Node& node) {
  Facts facts;
  facts.add(0, first);
  const Checked last = Checked(count - 1) * stride;
  if (count > 1) facts.add(last, first);
  const bool hull_fits = facts.store(kind, node);
  const Checked data_bytes = Checked(count) * first.data_bytes;
  const Checked piece_count = Checked(count) * first.piece_count;
  node.data_bytes = data_bytes.value();
  node.piece_count = piece_count.value();
  if (count > 1) {
    node.ascending = first.ascending && stride >= first.span.end;
    node.monotone = first.monotone && stride >= first.last_piece;
  }
  return hull_fits && last.ok() && data_bytes.ok() && piece_count.ok();
}

std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
  state = (state ^ value) * 0x9E3779B97F4A7C15U;
  return state ^ (state >> 29U);
}

std::uint64_t mix(std::uint64_t state, std::int64_t value) { return mix(state, static_cast<std::uint64_t>(value)); }

std::uint64_t mix(std::uint64_t state, const std::vector<std::int64_t>& values) {
  state = mix(state, static_cast<std::uint64_t>(values.size()));
  for (const std::int64_t value : values) state = mix(state, value);
  return state;
}

std::uint64_t seed_of(const Node& node) { return mix(0x77656972U, static_cast<std::uint64_t>(node.kind) + 1); }

template <typename T>
bool same_list(const Node& a, const Node& b) {
  return as<T>(a).displacements == as<T>(b).displacements;
}

bool same_children(const SequenceNode& a, const SequenceNode& b) {
  return a.displacements == b.displacements &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const NodePtr& x, const NodePtr& y) { return same(*x, *y); });
}

}  // namespace

NodePtr make_run(std::int64_t length, std::int64_t stride, std::int64_t count) {
  auto node = std::make_shared<RunNode>();
  node->length = length;
  node->stride = count == 1 ? 0 : stride;
  node->count = count;
  Node piece;
  piece.data_bytes = length;
  piece.piece_count = 1;
  piece.span = {0, length};
  piece.depth = 0;
  if (!store_repeated(NodeKind::kRun, piece, node->stride, count, *node)) return nullptr;
  node->fingerprint = mix(mix(mix(seed_of(*node), length), node->stride), count);
  return node;
}

NodePtr make_blocks(std::vector<std::int64_t> displacements, std::vector<std::int64_t> prefix) {
  auto node = std::make_shared<BlocksNode>();
  Facts facts;
  for (std::size_t i = 0; i < displacements.size(); ++i) facts.add_piece(displacements[i], prefix[i + 1] - prefix[i]);
  if (!facts.store(NodeKind::kBlocks, *node)) return nullptr;
  node->displacements = std::move(displacements);
  node->prefix = std::move(prefix);
  node->fingerprint = mix(mix(seed_of(*node), node->displacements), node->prefix);
  return node;
}

NodePtr make_equal_blocks(std::vector<std::int64_t> displacements, std::int64_t length) {
  auto node = std::make_shared<EqualBlocksNode>();
  Facts facts;
  for (const std::int64_t displacement : displacements) facts.add_piece(displacement, length);
  if (!facts.store(NodeKind::kEqualBlocks, *node)) return nullptr;
  node->displacements = std::move(displacements);
  node->length = length;
  node->fingerprint = mix(mix(seed_of(*node), node->displacements), length);
  return node;
}

NodePtr make_repeat(std::int64_t stride, std::int64_t count, NodePtr child) {
  auto node = std::make_shared<RepeatNode>();
  if (!store_repeated(NodeKind::kRepeat, *child, stride, count, *node)) return nullptr;
  node->stride = stride;
  node->count = count;
  node->fingerprint = mix(mix(mix(seed_of(*node), stride), count), child->fingerprint);
  node->child = std::move(child);
  return node;
}

NodePtr make_copies(std::vector<std::int64_t> displacements, NodePtr child) {
  auto node = std::make_shared<CopiesNode>();
  Facts facts;
  for (const std::int64_t displacement : displacements) facts.add(displacement, *child);
  if (!facts.store(NodeKind::kCopies, *node)) return nullptr;
  node->displacements = std::move(displacements);
  node->fingerprint = mix(mix(seed_of(*node), node->displacements), child->fingerprint);
  node->child = std::move(child);
  return node;
}

NodePtr make_sequence(std::vector<std::int64_t> displacements, std::vector<NodePtr> children) {
  auto node = std::make_shared<SequenceNode>();
  Facts facts;
  for (std::size_t i = 0; i < displacements.size(); ++i) facts.add(displacements[i], *children[i]);
  if (!facts.store(NodeKind::kSequence, *node)) return nullptr;
  node->fingerprint = mix(seed_of(*node), displacements);
  node->prefix.reserve(children.size() + 1);
  node->prefix.push_back(0);
  for (const NodePtr& child : children) {
    node->prefix.push_back(node->prefix.back() + child->data_bytes);
    node->fingerprint = mix(node->fingerprint, child->fingerprint);
  }
  node->displacements = std::move(displacements);
  node->children = std::move(children);
  return node;
}

bool same(const Node& a, const Node& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.fingerprint != b.fingerprint || a.data_bytes != b.data_bytes) return false;
  switch (a.kind) {
    case NodeKind::kRun:
      return as<RunNode>(a).length == as<RunNode>(b).length && as<RunNode>(a).stride == as<RunNode>(b).stride &&
             as<RunNode>(a).count == as<RunNode>(b).count;
    case NodeKind::kBlocks: return same_list<BlocksNode>(a, b) && as<BlocksNode>(a).prefix == as<BlocksNode>(b).prefix;
    case NodeKind::kEqualBlocks:
      return same_list<EqualBlocksNode>(a, b) && as<EqualBlocksNode>(a).length == as<EqualBlocksNode>(b).length;
    case NodeKind::kRepeat:
      return as<RepeatNode>(a).stride == as<RepeatNode>(b).stride &&
             as<RepeatNode>(a).count == as<RepeatNode>(b).count &&
             same(*as<RepeatNode>(a).child, *as<RepeatNode>(b).child);
    case NodeKind::kCopies:
      return same_list<CopiesNode>(a, b) && same(*as<CopiesNode>(a).child, *as<CopiesNode>(b).child);
    case NodeKind::kSequence: return same_children(as<SequenceNode>(a), as<SequenceNode>(b));
  }
  return false;
}

}  // namespace weir::layout
