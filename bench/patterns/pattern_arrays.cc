// Patterns made of blocks of arrays.

#include <algorithm>
#include <array>
#include <cmath>

#include "pattern_kinds.h"

namespace bench {
namespace {

using Triple = std::array<int, 3>;

// The block of a global array that one rank holds.
struct Block {
  Triple global;
  Triple extent;
  Triple start;
};

// Where a rank is in the grid; ranks are counted along the fastest dimension first.
Triple place_of(int rank, const Triple& grid, Order order) {
  if (order == Order::kC) return {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
  return {rank % grid[0], rank / grid[0] % grid[1], rank / (grid[0] * grid[1])};
}

// Blocks of equal extent over the grid of ranks, the array being about a cube of `elements` elements.
Block block_of(const Shape& shape, int rank, std::int64_t elements, Order order) {
  const Triple& grid = shape.grid;
  const Triple place = place_of(rank, grid, order);
  const double side = std::cbrt(static_cast<double>(elements));
  Block block{};
  for (std::size_t d = 0; d < 3; ++d) {
    block.extent[d] = std::max(1, static_cast<int>(std::lround(side / grid[d])));
    block.global[d] = block.extent[d] * grid[d];
    block.start[d] = block.extent[d] * place[d];
  }
  return block;
}

std::int64_t volume(const Triple& sides) { return std::int64_t{sides[0]} * sides[1] * sides[2]; }

std::vector<int> list(const Triple& triple) { return {triple.begin(), triple.end()}; }

Subarray part_of_file(const Block& block, Order order, const Element& element) {
  return {.sizes = list(block.global),
          .subsizes = list(block.extent),
          .starts = list(block.start),
          .order = order,
          .element = element};
}

Access access_of(std::int64_t displacement, const Subarray& file, const TypeSpec& memory, int calls = 1) {
  return {.displacement = displacement,
          .file = file,
          .memory = memory,
          .calls = calls,
          .stride_bytes = span_bytes(TypeSpec(file))};
}

// The block with `halo` more elements on each side, which are not moved.
Subarray with_halo(const Triple& extent, int halo, Order order, const Element& element) {
  Subarray memory{.sizes = list(extent), .subsizes = list(extent), .starts = {}, .order = order, .element = element};
  for (int& size : memory.sizes) size += 2 * halo;
  memory.starts.assign(memory.sizes.size(), halo);
  return memory;
}

}  // namespace

Workload block_3d(const Shape& shape, int rank) {
  const Element element = element_of(Basic::kInt);
  const Block block = block_of(shape, rank, shape.bytes / element.bytes(), Order::kC);
  const Plain memory{.element = element, .count = volume(block.extent)};
  return {.accesses = {access_of(0, part_of_file(block, Order::kC, element), memory)},
          .file_bytes = volume(block.global) * element.bytes(),
          .collective = true,
          .note = {}};
}

Workload memory_gaps(const Shape& shape, int rank) {
  constexpr int kComponents = 5;
  constexpr int kHalo = 2;
  const Element element = element_of(Basic::kDouble);
  const Element one_component = {
      .basic = Basic::kDouble, .count = 1, .extent_bytes = kComponents * basic_bytes(Basic::kDouble)};
  const Block block = block_of(shape, rank, shape.bytes / element.bytes(), Order::kC);
  const Subarray memory = with_halo(block.extent, kHalo, Order::kC, one_component);
  return {.accesses = {access_of(0, part_of_file(block, Order::kC, element), memory)},
          .file_bytes = volume(block.global) * element.bytes(),
          .collective = true,
          .note = {}};
}

// Variables follow one another in the file. Each is an array (x, y, z, component) in Fortran order: x is fastest.
Workload s3d(const Shape& shape, int rank) {
  constexpr std::array kComponents = {11, 3, 1, 1};
  constexpr int kAllComponents = 16;
  const Element element = element_of(Basic::kDouble);
  const Block block = block_of(shape, rank, shape.bytes / element.bytes() / kAllComponents, Order::kFortran);
  Workload workload;
  for (const int components : kComponents) {
    Subarray file = part_of_file(block, Order::kFortran, element);
    if (components > 1) {
      file.sizes.push_back(components);
      file.subsizes.push_back(components);
      file.starts.push_back(0);
    }
    const Plain memory{.element = element, .count = volume(block.extent) * components};
    workload.accesses.push_back(access_of(workload.file_bytes, file, memory));
    workload.file_bytes += volume(block.global) * components * element.bytes();
  }
  return workload;
}

}  // namespace bench
