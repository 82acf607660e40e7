// BT-IO of the NAS parallel benchmarks, "full" mode: a cube of p x p x p cells for p x p ranks; each rank has one cell
// in every layer, shifted along a diagonal from layer to layer (multi-partition). Cells lie in memory with two ghost
// elements on every side.

#include <algorithm>
#include <cmath>
#include <string>

#include "pattern_kinds.h"

namespace bench {
namespace {

constexpr int kLargestSide = 64;  // class A
constexpr int kFewestCalls = 4;
constexpr int kGhosts = 2;

// One dimension of a cell: cut number `place` of `cuts` of a side; the first cuts take what does not divide.
struct Cut {
  int begin;
  int length;
};

Cut cut(int side, int cuts, int place) {
  const int rest = side % cuts;
  return {.begin = place * (side / cuts) + std::min(place, rest), .length = side / cuts + (place < rest ? 1 : 0)};
}

// The cell that `rank` has in `layer`, in x, y, z.
std::array<Cut, 3> cell_of(int rank, int p, int layer, int side) {
  const int x = (rank % p + layer) % p;
  const int y = (rank / p + p - layer) % p;
  return {cut(side, p, x), cut(side, p, y), cut(side, p, layer)};
}

struct Cells {
  Joined file;
  Joined memory;
};

Cells cells_of(int rank, int p, int side) {
  const Element element = element_of(Basic::kDouble, 5);
  const int outer = cut(side, p, 0).length + 2 * kGhosts;  // the largest cell and its ghosts
  Cells cells;
  for (int layer = 0; layer < p; ++layer) {
    Subarray file{
        .sizes = {side, side, side}, .subsizes = {}, .starts = {}, .order = Order::kFortran, .element = element};
    Subarray memory{.sizes = {outer, outer, outer, p},
                    .subsizes = {},
                    .starts = {kGhosts, kGhosts, kGhosts, layer},
                    .order = Order::kFortran,
                    .element = element};
    for (const Cut& dimension : cell_of(rank, p, layer, side)) {
      file.starts.push_back(dimension.begin);
      file.subsizes.push_back(dimension.length);
      memory.subsizes.push_back(dimension.length);
    }
    memory.subsizes.push_back(1);
    cells.file.parts.push_back(file);
    cells.memory.parts.push_back(memory);
  }
  return cells;
}

}  // namespace

Workload btio(const Shape& shape, int rank) {
  const int p = static_cast<int>(std::sqrt(static_cast<double>(shape.ranks)));
  const double cell_bytes = 5.0 * static_cast<double>(basic_bytes(Basic::kDouble));
  const double wished_side = std::cbrt(static_cast<double>(shape.bytes) / cell_bytes / kFewestCalls);
  const int side = std::max(p, std::min(kLargestSide, static_cast<int>(wished_side)));
  const auto array_bytes = static_cast<std::int64_t>(cell_bytes) * side * side * side;
  const int calls = static_cast<int>(std::max<std::int64_t>(1, shape.bytes / array_bytes));

  Workload workload{.accesses = {}, .file_bytes = array_bytes * calls, .collective = true, .note = {}};
  const Plain nothing{.element = element_of(Basic::kDouble, 5), .count = 0};
  Access access{.displacement = 0, .file = nothing, .memory = nothing, .calls = calls, .stride_bytes = array_bytes};
  if (p * p != shape.ranks) workload.note = "only " + std::to_string(p * p) + " ranks have data: not a square";
  if (rank < p * p) {
    const Cells cells = cells_of(rank, p, side);
    access.file = cells.file;
    access.memory = cells.memory;
  }
  workload.accesses.push_back(access);
  return workload;
}

}  // namespace bench
