#include "layout/array_layout.h"

#include <algorithm>
#include <array>

#include "layout/checked.h"

namespace weir::layout {
namespace {

// The indices of one dimension that a rank owns: `full_blocks` blocks of block_length, `period` apart, from `start` on,
// and behind them a last, shorter one of `tail` (which may be 0).
struct OwnedIndices {
  std::int64_t start = 0;
  std::int64_t block_length = 0;
  std::int64_t period = 0;
  std::int64_t full_blocks = 0;
  std::int64_t tail = 0;
  std::int64_t total() const { return full_blocks * block_length + tail; }
};

OwnedIndices owned_block(std::int64_t size, std::int64_t processes, std::int64_t coordinate, std::int64_t argument) {
  const bool given = argument != Distribution::kDefaultArgument;
  const std::int64_t block = given ? argument : size / processes + (size % processes != 0 ? 1 : 0);
  const std::int64_t start = std::min(size, block * coordinate);
  return {start, std::min(block, size - start), 0, 1, 0};
}

OwnedIndices owned_cyclic(std::int64_t size, std::int64_t processes, std::int64_t coordinate, std::int64_t argument) {
  const std::int64_t block = argument == Distribution::kDefaultArgument ? 1 : argument;
  // Blocks longer than the array are as good as ones of its length, and cannot overflow.
  const std::int64_t length = std::min(block, std::max<std::int64_t>(size, 1));
  const Checked start = Checked(length) * coordinate;
  const Checked period = Checked(length) * processes;
  if (!start.ok() || start.value() >= size) return {};
  if (!period.ok()) return {start.value(), std::min(length, size - start.value()), 0, 1, 0};
  const std::int64_t reach = size - start.value();
  const std::int64_t tail = std::min(reach % period.value(), length);
  const bool tail_is_full = tail == length;
  return {start.value(), length, period.value(), reach / period.value() + (tail_is_full ? 1 : 0),
          tail_is_full ? 0 : tail};
}

OwnedIndices owned_indices(const Darray& shape, std::size_t dimension, std::int64_t coordinate) {
  const std::int64_t size = shape.sizes[dimension];
  const std::int64_t processes = shape.process_sizes[dimension];
  const Distribution distribution = shape.distributions[dimension];
  switch (distribution.kind) {
    case Distribution::Kind::kBlock: return owned_block(size, processes, coordinate, distribution.argument);
    case Distribution::Kind::kCyclic: return owned_cyclic(size, processes, coordinate, distribution.argument);
    case Distribution::Kind::kNone: break;
  }
  return {0, size, 0, 1, 0};
}

// The rank's place in the process grid.
std::vector<std::int64_t> coordinates_of(const Darray& shape) {
  std::vector<std::int64_t> coordinates;
  std::int64_t group = shape.process_count;
  std::int64_t rank = shape.rank;
  for (const std::int64_t processes : shape.process_sizes) {
    group /= processes;
    coordinates.push_back(rank / group);
    rank %= group;
  }
  return coordinates;
}

// The dimensions from the fastest to the slowest.
std::vector<std::size_t> fastest_first(std::size_t dimensions, ArrayOrder order) {
  std::vector<std::size_t> result(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) result[i] = order == ArrayOrder::kC ? dimensions - 1 - i : i;
  return result;
}

// The owned indices of one dimension whose elements are like `element`, `extent` bytes apart.
Layout dimension_layout(const OwnedIndices& owned, const Layout& element, std::int64_t extent) {
  const Checked period = Checked(owned.period) * extent;
  const Checked start = Checked(owned.start) * extent;
  const Checked tail_start = start + period * owned.full_blocks;
  if (!tail_start.ok()) return Layout::overflow();
  const Layout block = Layout::repeat(owned.block_length, extent, element);
  const std::array<Layout::Part, 2> parts = {{
      {start.value(), Layout::repeat(owned.full_blocks, period.value(), block)},
      {tail_start.value(), Layout::repeat(owned.tail, extent, element)},
  }};
  return Layout::sequence(parts);
}

}  // namespace

Layout subarray_layout(const Subarray& shape, const Layout& element, std::int64_t extent) {
  Layout layout = element;
  Checked stride = extent;
  for (const std::size_t dimension : fastest_first(shape.sizes.size(), shape.order)) {
    const OwnedIndices owned{shape.starts[dimension], shape.subsizes[dimension], 0, 1, 0};
    if (!stride.ok()) return Layout::overflow();
    layout = dimension_layout(owned, layout, stride.value());
    stride *= shape.sizes[dimension];
  }
  return layout;
}

Layout darray_layout(const Darray& shape, const Layout& element, std::int64_t extent) {
  const std::vector<std::int64_t> coordinates = coordinates_of(shape);
  Layout layout = element;
  Checked stride = extent;
  for (const std::size_t dimension : fastest_first(shape.sizes.size(), shape.order)) {
    if (!stride.ok()) return Layout::overflow();
    layout = dimension_layout(owned_indices(shape, dimension, coordinates[dimension]), layout, stride.value());
    stride *= shape.sizes[dimension];
  }
  return layout;
}

std::int64_t darray_elements(const Darray& shape) {
  const std::vector<std::int64_t> coordinates = coordinates_of(shape);
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < coordinates.size(); ++i) elements *= owned_indices(shape, i, coordinates[i]).total();
  return elements;
}

}  // namespace weir::layout
