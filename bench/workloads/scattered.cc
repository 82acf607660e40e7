// The benchmarks of the GPFS paper: blocks scattered at random.

#include <algorithm>

#include "workloads/kinds.h"
#include "workloads/random.h"
#include "workloads/runs.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

constexpr std::int64_t kWordBytes = 4;
constexpr std::int64_t kLargestRegion = std::int64_t{1} << 30;

HindexedBlock blocks_of(std::int64_t block_bytes) {
  return {.length = static_cast<int>(block_bytes), .displacements = {}, .element = element_of(Basic::kByte)};
}

// What all have in common: whole words, and numbers that fit.
weir::Status settle_blocks(const Settled& settled, std::string_view name) {
  const std::int64_t block = settled[name];
  if (weir::Status status = is_multiple(name, block, kWordBytes, "a word"); !status.ok()) return status;
  if (weir::Status status = fits_int(block, name); !status.ok()) return status;
  if (weir::Status status = product({block, settled.shape.ranks}, "a block for every rank").status(); !status.ok()) {
    return status;
  }
  return fits_int(settled.shape.bytes / block, "the number of blocks");
}

// Refuses a file that is larger than 64 bits can say.
weir::Status settle_file(std::int64_t blocks, std::int64_t block_bytes) {
  return product({blocks, block_bytes}, "the file").status();
}

}  // namespace

weir::Status settle_discontiguous(Settled& settled) {
  if (weir::Status status = settle_blocks(settled, "block"); !status.ok()) return status;
  const std::int64_t block = settled["block"];
  std::int64_t& region = settled.values.find("region")->second;
  if (region == kFromSize) {
    const std::int64_t quarter = std::min((settled.shape.bytes + 3) / 4, kLargestRegion);
    region = std::max(quarter / block, std::int64_t{1}) * block;
  }
  return is_multiple("region", region, block, "a block");
}

// Region by region, one view and one call for the blocks in each.
Share discontiguous_share(const Settled& settled, int rank) {
  const std::int64_t block = settled["block"];
  const std::int64_t region = settled["region"];
  const std::int64_t bytes = settled.shape.bytes;
  const auto own = deal_blocks(bytes / block, settled.shape.ranks, rank, settled["seed"]);
  Share share{.accesses = {}, .file_bytes = bytes, .collective = true, .holes = false};
  auto next = own.begin();
  for (std::int64_t begin = 0; begin < bytes; begin += region) {
    HindexedBlock file = blocks_of(block);
    for (; next != own.end() && *next * block < begin + region; ++next) file.displacements.push_back(*next * block);
    share.accesses.push_back(list_access(file));
  }
  return share;
}

weir::Status settle_data_shipping(Settled& settled) {
  if (weir::Status status = settle_blocks(settled, "block"); !status.ok()) return status;
  return settle_file(settled["spread"], settled.shape.bytes);
}

// The blocks lie in ascending order with gaps of random length between them, so that none overlap; a rank visits its
// own in random order.
Share data_shipping_share(const Settled& settled, int rank) {
  const std::int64_t block = settled["block"];
  const std::int64_t file_bytes = settled["spread"] * settled.shape.bytes;
  const std::int64_t hole_words = (file_bytes - settled.shape.bytes) / kWordBytes;
  std::vector<std::int64_t> holes_before(static_cast<std::size_t>(settled.shape.bytes / block));
  Random random(settled["seed"]);
  for (std::int64_t& words : holes_before) words = random.below(hole_words + 1);
  std::ranges::sort(holes_before);

  const Plain one{.element = element_of(Basic::kByte), .count = block};
  Access access{.displacement = 0, .file = one, .memory = one, .calls = 0, .stride_bytes = 0, .offsets = {}};
  const auto blocks = static_cast<std::int64_t>(holes_before.size());
  for (const std::int64_t number : deal_blocks(blocks, settled.shape.ranks, rank, settled["seed"])) {
    access.offsets.push_back(holes_before[static_cast<std::size_t>(number)] * kWordBytes + number * block);
  }
  Random(settled["seed"], rank).shuffle(access.offsets);
  access.calls = static_cast<int>(access.offsets.size());
  return {
      .accesses = {access}, .file_bytes = file_bytes, .collective = false, .holes = hole_words > 0, .to_close = true};
}

weir::Status settle_access_range(Settled& settled) {
  if (weir::Status status = settle_blocks(settled, "subblock"); !status.ok()) return status;
  const std::int64_t subblock = settled["subblock"];
  const std::int64_t subblocks = settled["subblocks"];
  const std::int64_t block = settled["block"];
  if (weir::Status status = is_multiple("block", block, subblock, "a subblock"); !status.ok()) return status;
  if (subblocks > block / subblock) {
    return refused(std::to_string(subblocks) + " subblocks are too many: a block holds " +
                   std::to_string(block / subblock));
  }
  const auto unit = product({subblock, subblocks, settled.shape.ranks}, "the subblocks of a block for every rank");
  if (!unit.ok()) return unit.status();
  return settle_file(settled.shape.bytes / subblock / subblocks, block);
}

std::int64_t access_range_unit(const Settled& settled) {
  return settled["subblock"] * settled["subblocks"] * settled.shape.ranks;
}

Share access_range_share(const Settled& settled, int rank) {
  const std::int64_t block = settled["block"];
  const std::int64_t subblock = settled["subblock"];
  const std::int64_t subblocks = settled["subblocks"];
  const std::int64_t blocks = settled.shape.bytes / subblock / subblocks;
  HindexedBlock file = blocks_of(subblock);
  for (const std::int64_t number : deal_blocks(blocks, settled.shape.ranks, rank, settled["seed"])) {
    for (const std::int64_t place : Random(settled["seed"], number).sample(subblocks, block / subblock)) {
      file.displacements.push_back(number * block + place * subblock);
    }
  }
  return {.accesses = {list_access(file)},
          .file_bytes = blocks * block,
          .collective = true,
          .holes = subblocks < block / subblock};
}

weir::Status settle_sparse(Settled& settled) {
  if (weir::Status status = settle_blocks(settled, "block"); !status.ok()) return status;
  const std::int64_t block = settled["block"];
  if (settled["sparsity"] > 100) return refused("sparsity is in per cent: 100 is dense");
  std::int64_t& stripe = settled.values.find("stripe")->second;
  if (stripe == kFromSize) stripe = block_per_rank(settled);
  if (weir::Status status = is_multiple("stripe", stripe, block, "a block"); !status.ok()) return status;
  if (stripe < block_per_rank(settled)) {
    return refused("stripe " + std::to_string(stripe) + " has no room for a block of every rank: use " +
                   std::to_string(block_per_rank(settled)) + " or more");
  }
  return settle_file(settled.shape.bytes / block_per_rank(settled) * 100 / settled["sparsity"] + 1, stripe);
}

// A rank has a block in as many of 100 stripes as `sparsity` says, and never two in one. Ranks that meet in a stripe
// have different places there: those of a random order of its places.
Share sparse_share(const Settled& settled, int rank) {
  const std::int64_t block = settled["block"];
  const std::int64_t stripe = settled["stripe"];
  const std::int64_t sparsity = settled["sparsity"];
  const std::int64_t own_blocks = settled.shape.bytes / block_per_rank(settled);
  const std::int64_t stripes = (own_blocks * 100 + sparsity - 1) / sparsity;
  HindexedBlock file = blocks_of(block);
  for (const std::int64_t number : Random(settled["seed"], rank).sample(own_blocks, stripes)) {
    std::vector<std::int64_t> places(static_cast<std::size_t>(stripe / block));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i);
    Random(settled["seed"], settled.shape.ranks + number).shuffle(places);
    file.displacements.push_back(number * stripe + places[static_cast<std::size_t>(rank)] * block);
  }
  const std::int64_t file_bytes = stripes * stripe;
  return {.accesses = {list_access(file)},
          .file_bytes = file_bytes,
          .collective = true,
          .holes = file_bytes > settled.shape.bytes};
}

}  // namespace bench
