// Layout: which bytes an instance of a datatype touches, in type-map order, kept as nested strided runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/extent.h"

namespace weir::layout {

// `count` pieces of `length` bytes each; piece i begins at offset + i * stride. The stride of a single piece is 0.
struct Run {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  std::int64_t stride = 0;
  std::int64_t count = 1;
  std::int64_t bytes() const { return length * count; }
  bool operator==(const Run&) const = default;
};

struct Node;

// An immutable value, cheap to copy (it shares its nodes). Offsets are relative to the instance's origin and may be
// negative in memory layouts. A regular pattern costs a few nodes however many pieces it has; an irregular list costs
// at most 16 bytes per piece.
//
// Equal patterns built in different ways usually meet in one normal form: touching pieces are joined and equally
// spaced copies become a repeat. A pattern that 64-bit offsets or byte counts cannot express gives a layout without
// bytes whose overflowed() is true, and so does everything built from it.
class Layout {
 public:
  Layout() = default;  // no bytes

  static Layout contiguous(std::int64_t bytes);
  // `count` copies of `child`, the i-th moved by i * stride.
  static Layout repeat(std::int64_t count, std::int64_t stride, const Layout& child);
  // Contiguous blocks: block i is lengths[i] bytes at displacements[i]. Empty blocks count for nothing.
  // REQUIRES: as many lengths as displacements.
  static Layout blocks(std::span<const std::int64_t> displacements, std::span<const std::int64_t> lengths);
  // Copies of one child at the given displacements.
  static Layout copies(std::span<const std::int64_t> displacements, const Layout& child);
  struct Part;
  // Different children one after the other.
  static Layout sequence(std::span<const Part> parts);
  // As many copies of `child`, each moved by `stride` from the one before, as 64-bit offsets and byte counts can
  // express; an overlapping pattern (stride 0) ends with the byte count. Never overflows.
  static Layout endless(std::int64_t stride, const Layout& child);

  // What stands for a pattern that 64 bits cannot express.
  static Layout overflow();

  // This layout, moved by `displacement` bytes.
  Layout shifted(std::int64_t displacement) const;

  bool overflowed() const { return overflowed_; }
  bool empty() const { return root_ == nullptr; }
  std::int64_t data_bytes() const;
  std::int64_t piece_count() const;  // maximal contiguous pieces may be fewer; never more than the type map's entries
  Extent span() const;               // [first byte, last byte + 1); {0, 0} when empty
  bool is_contiguous() const;        // one piece at most
  bool is_ascending() const;         // no piece begins before the end of the one before it
  bool is_monotone() const;          // no piece begins before the begin of the one before it; may overlap
  int depth() const;                 // nodes from the root to the deepest leaf; 0 when empty
  std::size_t memory_bytes() const;  // of all nodes reachable from here; walks them

  // The offset of the first byte in type-map order; the origin of root(). 0 when empty.
  std::int64_t first() const { return first_; }
  const Node* root() const { return root_.get(); }

  // Same structure and place: then also the same bytes in the same order. Normal forms differ for some equal patterns.
  bool operator==(const Layout& other) const;
  // Equal for equal layouts, on every rank and in every process.
  std::uint64_t fingerprint() const;

 private:
  Layout(std::int64_t first, std::shared_ptr<const Node> root) : first_(first), root_(std::move(root)) {}
  static Layout place(std::int64_t first, std::shared_ptr<const Node> root);
  friend class LayoutBuilder;

  std::int64_t first_ = 0;
  std::shared_ptr<const Node> root_;
  bool overflowed_ = false;
};

struct Layout::Part {
  std::int64_t displacement;
  Layout layout;
};

// The structure as text, e.g. "@16 repeat 3 by 100 of (run 4 x 8 by 24)". For reports and failing tests; lists are cut
// after a few entries.
std::string describe(const Layout& layout);

}  // namespace weir::layout
