// The slow, obvious answers: a type as the list of its bytes in type-map order.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/cursor.h"
#include "layout/layout.h"
#include "layout/type_tree.h"

namespace weir::layout {

// A type map: every basic value in order, and the bounds.
struct ByteMap {
  std::vector<std::int64_t> offsets;  // of each data byte
  std::vector<BasicKind> kinds;       // of each basic value; pairs as their members
  bool present = false;               // has entries or markers
  bool marked = false;
  std::int64_t lb = 0;
  std::int64_t ub = 0;
  std::int64_t alignment = 1;
};

// From the constructors, instance by instance, as the standard defines them.
ByteMap byte_map(const TypeNode& type, const Representation& representation);

// The bytes of `layout` as its nodes say, one entry after the other.
std::vector<std::int64_t> bytes_of(const Layout& layout);

// The bytes of `count` tiles.
std::vector<std::int64_t> tile_bytes(const std::vector<std::int64_t>& offsets, std::int64_t stride, std::int64_t count,
                                     std::int64_t origin);

// Maximal ranges of consecutive offsets.
std::vector<Piece> pieces_of(const std::vector<std::int64_t>& offsets);

}  // namespace weir::layout
