// TypeTree: a datatype as its MPI constructors say it, without MPI; and the layout that follows from it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "base/status.h"
#include "layout/basic_kind.h"
#include "layout/layout.h"

namespace weir::layout {

struct TypeNode;
using TypeTree = std::shared_ptr<const TypeNode>;

enum class ArrayOrder : std::uint8_t { kC, kFortran };

// The constructors; MPI_Type_dup needs none. Fields are named and meant as in the standard: plain displacements and
// strides count extents of the child, those called bytes are bytes. All lists of one constructor are equally long.
struct Basic {
  BasicKind kind;
};
struct Contiguous {
  std::int64_t count;
  TypeTree child;
};
struct Vector {
  std::int64_t count;
  std::int64_t block_length;
  std::int64_t stride;
  TypeTree child;
};
struct Hvector {
  std::int64_t count;
  std::int64_t block_length;
  std::int64_t stride_bytes;
  TypeTree child;
};
struct Indexed {
  std::vector<std::int64_t> block_lengths;
  std::vector<std::int64_t> displacements;
  TypeTree child;
};
struct Hindexed {
  std::vector<std::int64_t> block_lengths;
  std::vector<std::int64_t> displacement_bytes;
  TypeTree child;
};
struct IndexedBlock {
  std::int64_t block_length;
  std::vector<std::int64_t> displacements;
  TypeTree child;
};
struct HindexedBlock {
  std::int64_t block_length;
  std::vector<std::int64_t> displacement_bytes;
  TypeTree child;
};
struct Struct {
  std::vector<std::int64_t> block_lengths;
  std::vector<std::int64_t> displacement_bytes;
  std::vector<TypeTree> children;
};
struct Subarray {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> subsizes;
  std::vector<std::int64_t> starts;
  ArrayOrder order;
  TypeTree child;
};
struct Distribution {
  enum class Kind : std::uint8_t { kNone, kBlock, kCyclic };
  static constexpr std::int64_t kDefaultArgument = -1;  // MPI_DISTRIBUTE_DFLT_DARG
  Kind kind;
  std::int64_t argument;
};
struct Darray {
  std::int64_t process_count;
  std::int64_t rank;
  std::vector<std::int64_t> sizes;
  std::vector<Distribution> distributions;
  std::vector<std::int64_t> process_sizes;  // the process grid; always in C order, as the standard says
  ArrayOrder order;
  TypeTree child;
};
struct Resized {
  std::int64_t lb;
  std::int64_t extent;
  TypeTree child;
};

struct TypeNode {
  std::variant<Basic, Contiguous, Vector, Hvector, Indexed, Hindexed, IndexedBlock, HindexedBlock, Struct, Subarray,
               Darray, Resized>
      shape;
};

template <typename Shape>
TypeTree make_type(Shape shape) {
  return std::make_shared<const TypeNode>(TypeNode{std::move(shape)});
}
inline TypeTree make_type(BasicKind kind) { return make_type(Basic{kind}); }

// A layout and the bounds that tiling goes by.
struct SizedLayout {
  Layout layout;
  std::int64_t lb = 0;
  std::int64_t ub = 0;
  std::int64_t extent() const { return ub - lb; }
};

// The layout of one instance with basic values as large as the representation says. Bounds follow the standard:
// explicit ones (of resized, subarray, darray) win over those of the data; the extent of a struct without explicit
// ones is rounded up to the greatest alignment among its basic members.
// Fails with kDatatype when the type does not fit 64-bit offsets. REQUIRES: arguments that MPI accepts.
Result<SizedLayout> build(const TypeNode& type, const Representation& representation);

// Calls fn(kind, count) for runs of equal basic values in type-map order; neighbouring runs differ in kind. Pairs come
// as their members. A type of one kind takes one call, whatever its size.
void for_each_basic(const TypeNode& type, const std::function<void(BasicKind, std::int64_t)>& fn);

}  // namespace weir::layout
