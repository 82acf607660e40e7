// Workloads made of blocks of arrays: a cube of points, a block of it for every rank of a grid.

#include <array>
#include <numeric>

#include "workloads/kinds.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

using Triple = std::array<int, 3>;

constexpr std::array kS3dComponents = {11, 3, 1, 1};  // mass, velocity, pressure, temperature
constexpr std::int64_t kS3dPointBytes = 16 * 8;
constexpr int kGapComponents = 5;
constexpr int kGapHalo = 2;

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

// Points along the sides of the whole array, and of each rank's block.
struct Sides {
  Triple global;
  Triple block;
};

Sides sides_of(const Settled& settled, const Triple& grid) {
  const auto found = settled.values.find("block");
  const bool by_block = found != settled.values.end() && found->second != kFromSize;
  Sides sides{};
  for (std::size_t d = 0; d < 3; ++d) {
    sides.block[d] = static_cast<int>(by_block ? found->second : settled["side"] / grid[d]);
    sides.global[d] = by_block ? sides.block[d] * grid[d] : static_cast<int>(settled["side"]);
  }
  return sides;
}

Block block_of(const Settled& settled, int rank, Order order) {
  const Triple grid = grid_of(settled.shape.ranks);
  const Triple place = place_of(rank, grid, order);
  const Sides sides = sides_of(settled, grid);
  Block block{};
  for (std::size_t d = 0; d < 3; ++d) {
    block.extent[d] = sides.block[d];
    block.global[d] = sides.global[d];
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

Access access_of(std::int64_t displacement, const Subarray& file, const TypeSpec& memory) {
  return {.displacement = displacement,
          .file = file,
          .memory = memory,
          .calls = 1,
          .stride_bytes = span_bytes(TypeSpec(file)),
          .offsets = {}};
}

Share share_of_access(const Access& access) {
  return {.accesses = {access}, .file_bytes = span_bytes(access.file), .collective = true, .holes = false};
}

// The block with `halo` more elements on each side, which are not moved.
Subarray with_halo(const Triple& extent, int halo, Order order, const Element& element) {
  Subarray memory{.sizes = list(extent), .subsizes = list(extent), .starts = {}, .order = order, .element = element};
  for (int& size : memory.sizes) size += 2 * halo;
  memory.starts.assign(memory.sizes.size(), halo);
  return memory;
}

// A cube of so many points a side for each rank. REQUIRES: "block" is given.
weir::Status settle_block(const Settled& settled, std::int64_t point_bytes, std::int64_t most_values) {
  const std::int64_t side = settled["block"];
  if (settled.is_given("side")) return refused("give side or block, not both");
  const auto bytes = product({side, side, side, point_bytes, settled.shape.ranks}, "the array");
  if (!bytes.ok()) return bytes.status();
  if (weir::Status status = fits_int(side * grid_of(settled.shape.ranks)[0], "the side"); !status.ok()) return status;
  return fits_int(bytes.value() / point_bytes * most_values / settled.shape.ranks, "a rank's number of elements");
}

// Settles "side" for a cube of points of `point_bytes` each. `most_values` is how many values of a point one call
// moves.
weir::Status settle_side(Settled& settled, std::int64_t point_bytes, std::int64_t most_values) {
  if (settled.is_given("block")) return settle_block(settled, point_bytes, most_values);
  const Triple grid = grid_of(settled.shape.ranks);
  const std::int64_t step = std::lcm(std::lcm(grid[0], grid[1]), grid[2]);
  std::int64_t& side = settled.values.find("side")->second;
  if (side == kFromSize) side = nearest_side(settled.shape.bytes, point_bytes, step, step);
  const std::string why = "the grid of ranks is " + std::to_string(grid[0]) + " x " + std::to_string(grid[1]) + " x " +
                          std::to_string(grid[2]);
  if (weir::Status status = is_multiple("side", side, step, why); !status.ok()) return status;
  if (weir::Status status = fits_int(side, "the side"); !status.ok()) return status;
  const auto bytes = product({side, side, side, point_bytes}, "the array");
  if (!bytes.ok()) return bytes.status();
  return fits_int(bytes.value() / point_bytes * most_values / settled.shape.ranks, "a rank's number of elements");
}

}  // namespace

weir::Status settle_coll_perf(Settled& settled) { return settle_side(settled, basic_bytes(Basic::kInt), 1); }

Share coll_perf_share(const Settled& settled, int rank) {
  const Element element = element_of(Basic::kInt);
  const Block block = block_of(settled, rank, Order::kC);
  const Plain memory{.element = element, .count = volume(block.extent)};
  return share_of_access(access_of(0, part_of_file(block, Order::kC, element), memory));
}

weir::Status settle_memgaps(Settled& settled) { return settle_side(settled, basic_bytes(Basic::kDouble), 1); }

Share memgaps_share(const Settled& settled, int rank) {
  const Element one_component = {
      .basic = Basic::kDouble, .count = 1, .extent_bytes = kGapComponents * basic_bytes(Basic::kDouble)};
  const Block block = block_of(settled, rank, Order::kC);
  const Subarray memory = with_halo(block.extent, kGapHalo, Order::kC, one_component);
  return share_of_access(access_of(0, part_of_file(block, Order::kC, element_of(Basic::kDouble)), memory));
}

weir::Status settle_s3d(Settled& settled) { return settle_side(settled, kS3dPointBytes, kS3dComponents.front()); }

// Variables follow one another in the file. Each is an array (x, y, z, component) in Fortran order: x is fastest.
Share s3d_share(const Settled& settled, int rank) {
  const Element element = element_of(Basic::kDouble);
  const Block block = block_of(settled, rank, Order::kFortran);
  Share share;
  for (const int components : kS3dComponents) {
    Subarray file = part_of_file(block, Order::kFortran, element);
    if (components > 1) {
      file.sizes.push_back(components);
      file.subsizes.push_back(components);
      file.starts.push_back(0);
    }
    const Plain memory{.element = element, .count = volume(block.extent) * components};
    share.accesses.push_back(access_of(share.file_bytes, file, memory));
    share.file_bytes += span_bytes(TypeSpec(file));
  }
  return share;
}

}  // namespace bench
