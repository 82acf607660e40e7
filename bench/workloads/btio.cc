// BT-IO of the NAS parallel benchmarks, "full" mode: a cube of p x p x p cells for p x p ranks; each rank has one cell
// in every layer, shifted along a diagonal from layer to layer (multi-partition). Cells lie in memory with two ghost
// elements on every side.

#include <algorithm>
#include <array>
#include <string>

#include "workloads/kinds.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

constexpr int kGhosts = 2;
constexpr int kValues = 5;  // of a point
constexpr std::int64_t kPointBytes = kValues * 8;

// The largest number whose square is at most `ranks`.
int root_of(int ranks) {
  int p = 1;
  while ((p + 1) * (p + 1) <= ranks) ++p;
  return p;
}

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
  const Element element = element_of(Basic::kDouble, kValues);
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

weir::Status settle_btio(Settled& settled) {
  const int ranks = settled.shape.ranks;
  const int p = root_of(ranks);
  if (p * p != ranks) {
    return refused("needs a square number of ranks, not " + std::to_string(ranks) + ": use " + std::to_string(p * p) +
                   " or " + std::to_string((p + 1) * (p + 1)));
  }
  const std::int64_t arrays = settled["arrays"];
  std::int64_t& side = settled.values.find("side")->second;
  if (side == kFromSize) side = nearest_side(settled.shape.bytes, kPointBytes * arrays, 1, p);
  if (side < p) return refused("side " + std::to_string(side) + " is too small: use " + std::to_string(p) + " or more");
  if (weir::Status status = fits_int(side, "the side"); !status.ok()) return status;
  if (weir::Status status = fits_int(arrays, "the number of arrays"); !status.ok()) return status;
  const auto bytes = product({side, side, side, kPointBytes, arrays}, "the file");
  if (!bytes.ok()) return bytes.status();
  return fits_int(side * side * side / ranks, "a rank's number of points in an array");
}

Share btio_share(const Settled& settled, int rank) {
  const Cells cells = cells_of(rank, root_of(settled.shape.ranks), static_cast<int>(settled["side"]));
  const Access access{.displacement = 0,
                      .file = cells.file,
                      .memory = cells.memory,
                      .calls = static_cast<int>(settled["arrays"]),
                      .stride_bytes = span_bytes(TypeSpec(cells.file)),
                      .offsets = {}};
  return {.accesses = {access}, .file_bytes = access.calls * access.stride_bytes, .collective = true, .holes = false};
}

}  // namespace bench
