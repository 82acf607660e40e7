#include "layout/oracle.h"

#include <algorithm>

#include "layout/node.h"

namespace weir::layout {
namespace {

// Puts one instance of `child` at `displacement` behind what `map` has.
void append(ByteMap& map, const ByteMap& child, std::int64_t displacement) {
  for (const std::int64_t offset : child.offsets) map.offsets.push_back(offset + displacement);
  map.kinds.insert(map.kinds.end(), child.kinds.begin(), child.kinds.end());
  map.alignment = std::max(map.alignment, child.alignment);
  if (!child.present) return;
  const std::int64_t lb = child.lb + displacement;
  const std::int64_t ub = child.ub + displacement;
  if (!map.present || (child.marked && !map.marked)) {
    map.lb = lb;
    map.ub = ub;
    map.marked = child.marked;
  } else if (child.marked == map.marked) {
    map.lb = std::min(map.lb, lb);
    map.ub = std::max(map.ub, ub);
  }
  map.present = true;
}

std::int64_t extent(const ByteMap& map) { return map.ub - map.lb; }

void append_block(ByteMap& map, const ByteMap& child, std::int64_t block_length, std::int64_t displacement) {
  for (std::int64_t i = 0; i < block_length; ++i) append(map, child, displacement + i * extent(child));
}

void pad(ByteMap& map) {
  while (!map.marked && extent(map) % map.alignment != 0) ++map.ub;
}

struct Mapper {
  const Representation& representation;

  ByteMap child_map(const TypeTree& child) const { return byte_map(*child, representation); }

  ByteMap plain(BasicKind kind) const {
    ByteMap map;
    for (std::int64_t i = 0; i < representation.bytes(kind); ++i) map.offsets.push_back(i);
    map.kinds = {kind};
    map.present = true;
    map.ub = representation.bytes(kind);
    map.alignment = representation.alignment(kind);
    return map;
  }

  ByteMap operator()(const Basic& shape) const {
    const auto pair = pair_members(shape.kind);
    if (!pair) return plain(shape.kind);
    ByteMap map = plain(pair->first);
    const ByteMap second = plain(pair->second);
    std::int64_t displacement = map.ub;
    while (displacement % second.alignment != 0) ++displacement;
    append(map, second, displacement);
    pad(map);
    return map;
  }
  ByteMap operator()(const Contiguous& shape) const {
    ByteMap map;
    append_block(map, child_map(shape.child), shape.count, 0);
    return map;
  }
  ByteMap operator()(const Vector& shape) const {
    const ByteMap child = child_map(shape.child);
    ByteMap map;
    for (std::int64_t i = 0; i < shape.count; ++i) {
      append_block(map, child, shape.block_length, i * shape.stride * extent(child));
    }
    return map;
  }
  ByteMap operator()(const Hvector& shape) const {
    const ByteMap child = child_map(shape.child);
    ByteMap map;
    for (std::int64_t i = 0; i < shape.count; ++i) append_block(map, child, shape.block_length, i * shape.stride_bytes);
    return map;
  }
  ByteMap operator()(const Indexed& shape) const {
    const ByteMap child = child_map(shape.child);
    ByteMap map;
    for (std::size_t i = 0; i < shape.displacements.size(); ++i) {
      append_block(map, child, shape.block_lengths[i], shape.displacements[i] * extent(child));
    }
    return map;
  }
  ByteMap operator()(const Hindexed& shape) const {
    const ByteMap child = child_map(shape.child);
    ByteMap map;
    for (std::size_t i = 0; i < shape.displacement_bytes.size(); ++i) {
      append_block(map, child, shape.block_lengths[i], shape.displacement_bytes[i]);
    }
    return map;
  }
  ByteMap operator()(const IndexedBlock& shape) const {
    const ByteMap child = child_map(shape.child);
    ByteMap map;
    for (const std::int64_t d : shape.displacements) append_block(map, child, shape.block_length, d * extent(child));
    return map;
  }
  ByteMap operator()(const HindexedBlock& shape) const {
    const ByteMap child = child_map(shape.child);
    ByteMap map;
    for (const std::int64_t d : shape.displacement_bytes) append_block(map, child, shape.block_length, d);
    return map;
  }
  ByteMap operator()(const Struct& shape) const {
    ByteMap map;
    for (std::size_t i = 0; i < shape.children.size(); ++i) {
      append_block(map, child_map(shape.children[i]), shape.block_lengths[i], shape.displacement_bytes[i]);
    }
    pad(map);
    return map;
  }
  // Visits every element of the whole array in storage order and keeps those of the part.
  template <typename IsOwned>
  ByteMap array(const std::vector<std::int64_t>& sizes, ArrayOrder order, const ByteMap& child,
                const IsOwned& is_owned) const {
    ByteMap map;
    std::int64_t elements = 1;
    for (const std::int64_t size : sizes) elements *= size;
    for (std::int64_t element = 0; element < elements; ++element) {
      std::vector<std::int64_t> index(sizes.size());
      std::int64_t rest = element;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t dimension = order == ArrayOrder::kC ? sizes.size() - 1 - i : i;
        index[dimension] = rest % sizes[dimension];
        rest /= sizes[dimension];
      }
      if (is_owned(index)) append(map, child, element * extent(child));
    }
    map.present = map.marked = true;
    map.lb = 0;
    map.ub = elements * extent(child);
    return map;
  }
  ByteMap operator()(const Subarray& shape) const {
    return array(shape.sizes, shape.order, child_map(shape.child), [&](const std::vector<std::int64_t>& index) {
      for (std::size_t i = 0; i < index.size(); ++i) {
        if (index[i] < shape.starts[i] || index[i] >= shape.starts[i] + shape.subsizes[i]) return false;
      }
      return true;
    });
  }
  // The ownership formulas of High Performance Fortran, per element: none of the builder's block arithmetic.
  static std::int64_t owner(const Distribution& distribution, std::int64_t index, std::int64_t size,
                            std::int64_t processes) {
    if (distribution.kind == Distribution::Kind::kNone) return 0;
    const bool given = distribution.argument != Distribution::kDefaultArgument;
    if (distribution.kind == Distribution::Kind::kBlock) {
      return index / (given ? distribution.argument : (size + processes - 1) / processes);
    }
    return index / (given ? distribution.argument : 1) % processes;
  }
  ByteMap operator()(const Darray& shape) const {
    return array(shape.sizes, shape.order, child_map(shape.child), [&](const std::vector<std::int64_t>& index) {
      std::int64_t rank = 0;
      for (std::size_t i = 0; i < index.size(); ++i) {
        const std::int64_t coordinate = owner(shape.distributions[i], index[i], shape.sizes[i], shape.process_sizes[i]);
        rank = rank * shape.process_sizes[i] + coordinate;
      }
      return rank == shape.rank;
    });
  }
  ByteMap operator()(const Resized& shape) const {
    ByteMap map = child_map(shape.child);
    map.present = map.marked = true;
    map.lb = shape.lb;
    map.ub = shape.lb + shape.extent;
    return map;
  }
};

void append_node(const Node& node, std::int64_t base, std::vector<std::int64_t>& offsets) {
  for (std::int64_t i = 0; i < entry_count(node); ++i) {
    const std::int64_t entry = base + entry_offset(node, i);
    if (const Node* child = entry_child(node, i)) {
      append_node(*child, entry, offsets);
    } else {
      for (std::int64_t b = 0; b < entry_bytes(node, i); ++b) offsets.push_back(entry + b);
    }
  }
}

}  // namespace

ByteMap byte_map(const TypeNode& type, const Representation& representation) {
  return std::visit(Mapper{representation}, type.shape);
}

std::vector<std::int64_t> bytes_of(const Layout& layout) {
  std::vector<std::int64_t> offsets;
  if (!layout.empty()) append_node(*layout.root(), layout.first(), offsets);
  return offsets;
}

std::vector<std::int64_t> tile_bytes(const std::vector<std::int64_t>& offsets, std::int64_t stride, std::int64_t count,
                                     std::int64_t origin) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < count; ++i) {
    for (const std::int64_t offset : offsets) result.push_back(origin + i * stride + offset);
  }
  return result;
}

std::vector<Piece> pieces_of(const std::vector<std::int64_t>& offsets) {
  std::vector<Piece> pieces;
  for (const std::int64_t offset : offsets) {
    if (!pieces.empty() && pieces.back().offset + pieces.back().length == offset) {
      ++pieces.back().length;
    } else {
      pieces.push_back({offset, 1});
    }
  }
  return pieces;
}

}  // namespace weir::layout
