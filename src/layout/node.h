// The nodes a Layout is made of: immutable, shared, and normalised so that the first data byte is at offset 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/extent.h"

namespace weir::layout {

enum class NodeKind : std::uint8_t {
  kRun,          // leaf: equal pieces at equal distance; one piece when contiguous
  kBlocks,       // leaf: pieces of any length anywhere
  kEqualBlocks,  // leaf: pieces of one length anywhere
  kRepeat,       // copies of one child at equal distance
  kCopies,       // copies of one child anywhere
  kSequence,     // different children anywhere
};

// What every node knows about the bytes below it. Offsets are relative to its first data byte in type-map order.
struct Node {
  NodeKind kind = NodeKind::kRun;
  bool ascending = true;  // no piece begins before the end of the one before it; then span.begin == 0
  bool monotone = true;   // no piece begins before the begin of the one before it
  std::int32_t depth = 1;
  std::int64_t data_bytes = 0;
  std::int64_t piece_count = 0;
  Extent span;                  // its width fits 64 bits
  std::int64_t last_piece = 0;  // where the last piece in type-map order begins
  std::uint64_t fingerprint = 0;
};

using NodePtr = std::shared_ptr<const Node>;

struct RunNode : Node {
  std::int64_t length = 0;
  std::int64_t stride = 0;  // 0 when count == 1
  std::int64_t count = 1;
};

struct BlocksNode : Node {
  std::vector<std::int64_t> displacements;
  std::vector<std::int64_t> prefix;  // bytes before block i; one more entry for the sum
};

struct EqualBlocksNode : Node {
  std::vector<std::int64_t> displacements;
  std::int64_t length = 0;
};

struct RepeatNode : Node {
  std::int64_t stride = 0;
  std::int64_t count = 1;
  NodePtr child;
};

struct CopiesNode : Node {
  std::vector<std::int64_t> displacements;
  NodePtr child;
};

struct SequenceNode : Node {
  std::vector<std::int64_t> displacements;
  std::vector<std::int64_t> prefix;  // data bytes before child i; one more entry for the sum
  std::vector<NodePtr> children;
};

// REQUIRES: T is the type of node.kind.
template <typename T>
const T& as(const Node& node) {
  return static_cast<const T&>(node);
}

inline bool is_leaf(const Node& node) { return node.kind <= NodeKind::kEqualBlocks; }

inline bool is_one_piece(const Node& node) { return node.kind == NodeKind::kRun && as<RunNode>(node).count == 1; }

// Constructors of nodes. Each gives null when the result cannot be expressed in 64 bits.
// REQUIRES of all: nothing empty, at least one entry, displacements[0] == 0, vectors without spare capacity.
NodePtr make_run(std::int64_t length, std::int64_t stride, std::int64_t count);
NodePtr make_blocks(std::vector<std::int64_t> displacements, std::vector<std::int64_t> prefix);
NodePtr make_equal_blocks(std::vector<std::int64_t> displacements, std::int64_t length);
NodePtr make_repeat(std::int64_t stride, std::int64_t count, NodePtr child);
NodePtr make_copies(std::vector<std::int64_t> displacements, NodePtr child);
NodePtr make_sequence(std::vector<std::int64_t> displacements, std::vector<NodePtr> children);

// Same structure. Compares lists only where the fingerprints agree.
bool same(const Node& a, const Node& b);

// Every node is a list of entries: pieces in a leaf, copies or children elsewhere. What follows reads that list.

inline std::int64_t entry_count(const Node& node) {
  switch (node.kind) {
    case NodeKind::kRun: return as<RunNode>(node).count;
    case NodeKind::kBlocks: return static_cast<std::int64_t>(as<BlocksNode>(node).displacements.size());
    case NodeKind::kEqualBlocks: return static_cast<std::int64_t>(as<EqualBlocksNode>(node).displacements.size());
    case NodeKind::kRepeat: return as<RepeatNode>(node).count;
    case NodeKind::kCopies: return static_cast<std::int64_t>(as<CopiesNode>(node).displacements.size());
    case NodeKind::kSequence: return static_cast<std::int64_t>(as<SequenceNode>(node).displacements.size());
  }
  return 0;
}

// The displacements of a node that is neither a run nor a repeat.
inline const std::vector<std::int64_t>& displacements_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::kBlocks: return as<BlocksNode>(node).displacements;
    case NodeKind::kEqualBlocks: return as<EqualBlocksNode>(node).displacements;
    case NodeKind::kCopies: return as<CopiesNode>(node).displacements;
    default: return as<SequenceNode>(node).displacements;
  }
}

// Where entry `index` has its first byte.
inline std::int64_t entry_offset(const Node& node, std::int64_t index) {
  switch (node.kind) {
    case NodeKind::kRun: return index * as<RunNode>(node).stride;
    case NodeKind::kRepeat: return index * as<RepeatNode>(node).stride;
    default: return displacements_of(node)[static_cast<std::size_t>(index)];
  }
}

// The node that entry `index` is a copy of; null for the pieces of a leaf.
inline const Node* entry_child(const Node& node, std::int64_t index) {
  switch (node.kind) {
    case NodeKind::kRepeat: return as<RepeatNode>(node).child.get();
    case NodeKind::kCopies: return as<CopiesNode>(node).child.get();
    case NodeKind::kSequence: return as<SequenceNode>(node).children[static_cast<std::size_t>(index)].get();
    default: return nullptr;
  }
}

// The same, shared. REQUIRES: not a leaf.
inline const NodePtr& shared_child(const Node& node, std::int64_t index) {
  switch (node.kind) {
    case NodeKind::kRepeat: return as<RepeatNode>(node).child;
    case NodeKind::kCopies: return as<CopiesNode>(node).child;
    default: return as<SequenceNode>(node).children[static_cast<std::size_t>(index)];
  }
}

// Data bytes of all entries before `index`, which may be entry_count().
inline std::int64_t entry_begin(const Node& node, std::int64_t index) {
  switch (node.kind) {
    case NodeKind::kRun: return index * as<RunNode>(node).length;
    case NodeKind::kBlocks: return as<BlocksNode>(node).prefix[static_cast<std::size_t>(index)];
    case NodeKind::kEqualBlocks: return index * as<EqualBlocksNode>(node).length;
    case NodeKind::kRepeat: return index * as<RepeatNode>(node).child->data_bytes;
    case NodeKind::kCopies: return index * as<CopiesNode>(node).child->data_bytes;
    case NodeKind::kSequence: return as<SequenceNode>(node).prefix[static_cast<std::size_t>(index)];
  }
  return 0;
}

inline std::int64_t entry_bytes(const Node& node, std::int64_t index) {
  return entry_begin(node, index + 1) - entry_begin(node, index);
}

// Of the first piece in type-map order; touching ones are not joined.
inline std::int64_t first_piece_bytes(const Node& node) {
  const Node* leaf = &node;
  while (!is_leaf(*leaf)) leaf = entry_child(*leaf, 0);
  return entry_bytes(*leaf, 0);
}

inline std::int64_t index_in_prefix(const std::vector<std::int64_t>& prefix, std::int64_t data_offset) {
  return std::upper_bound(prefix.begin(), prefix.end(), data_offset) - prefix.begin() - 1;
}

// The entry that holds the data byte. REQUIRES: 0 <= data_offset < node.data_bytes.
inline std::int64_t entry_at(const Node& node, std::int64_t data_offset) {
  switch (node.kind) {
    case NodeKind::kBlocks: return index_in_prefix(as<BlocksNode>(node).prefix, data_offset);
    case NodeKind::kSequence: return index_in_prefix(as<SequenceNode>(node).prefix, data_offset);
    default: return data_offset / entry_begin(node, 1);
  }
}

}  // namespace weir::layout
