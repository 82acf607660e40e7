// FLASH: blocks of an adaptive mesh, about 80 on every rank. Each variable is written by one call, in which a rank's
// blocks follow those of the rank before.

#include "workloads/kinds.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

constexpr int kVariables = 24;

std::int64_t blocks_of(int rank) { return 80 + rank % 3; }

std::int64_t blocks_before(int rank) {
  std::int64_t blocks = 0;
  for (int r = 0; r < rank; ++r) blocks += blocks_of(r);
  return blocks;
}

}  // namespace

weir::Status settle_flash(Settled& settled) {
  const std::int64_t all_blocks = blocks_before(settled.shape.ranks);
  const std::int64_t point_bytes = kVariables * all_blocks * basic_bytes(Basic::kDouble);
  std::int64_t& side = settled.values.find("side")->second;
  if (side == kFromSize) side = nearest_side(settled.shape.bytes, point_bytes, 1, 1);
  const auto bytes = product({side, side, side, point_bytes}, "the file");
  if (!bytes.ok()) return bytes.status();
  return fits_int(side * side * side * blocks_of(2), "a rank's number of elements");
}

Share flash_share(const Settled& settled, int rank) {
  const std::int64_t side = settled["side"];
  const Element element = element_of(Basic::kDouble);
  const std::int64_t block_bytes = side * side * side * element.bytes();
  const Plain own{.element = element, .count = blocks_of(rank) * side * side * side};
  const Access access{.displacement = blocks_before(rank) * block_bytes,
                      .file = own,
                      .memory = own,
                      .calls = kVariables,
                      .stride_bytes = blocks_before(settled.shape.ranks) * block_bytes,
                      .offsets = {}};
  return {.accesses = {access}, .file_bytes = kVariables * access.stride_bytes, .collective = true, .holes = false};
}

}  // namespace bench
