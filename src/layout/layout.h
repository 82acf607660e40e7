// Layout: which bytes an instance of a datatype touches, in type-map order, kept as nested strided runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/extent.h"

namespace weir::layout {

// `count` pieces of `length` bytes each; piece i begins at offset + i * stride.
struct Run {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::int64_t stride = 0;
  std::int64_t count = 1;
  bool operator==(const Run&) const = default;
};

class Node;

// An immutable value, cheap to copy (it shares its nodes). Offsets are relative to the instance's origin and may be
// negative in memory layouts. A regular pattern costs a few nodes however many pieces it has; an irregular list costs
// at most 16 bytes per piece.
class Layout {
 public:
  Layout() = default;  // no bytes

  static Layout contiguous(std::int64_t bytes);
  // `count` copies of `child`, the i-th moved by i * stride.
  static Layout repeat(std::int64_t count, std::int64_t stride, const Layout& child);
  // Contiguous blocks: block i is lengths[i] bytes at displacements[i]. Empty blocks count for nothing.
  static Layout blocks(std::span<const std::int64_t> displacements, std::span<const std::int64_t> lengths);
  // Copies of one child at the given displacements.
  static Layout copies(std::span<const std::int64_t> displacements, const Layout& child);
  struct Part {
    std::int64_t displacement;
    Layout layout;
  };
  // Different children one after the other.
  static Layout sequence(std::span<const Part> parts);

  std::int64_t data_bytes() const;
  std::int64_t piece_count() const;  // maximal contiguous pieces may be fewer; never more than the type map's entries
  Extent span() const;               // [first byte, last byte + 1); {0, 0} when empty
  bool is_contiguous() const;        // one piece at most
  bool is_ascending() const;         // no piece begins before the end of the one before it
  int depth() const;
  std::size_t memory_bytes() const;  // of all nodes reachable from here

  const Node* root() const { return root_.get(); }

 private:
  explicit Layout(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace weir::layout
