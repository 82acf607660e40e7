// Workloads made of blocks dealt in turn, of runs dealt at random, and of contiguous shares.

#include "workloads/kinds.h"
#include "workloads/random.h"
#include "workloads/runs.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

constexpr std::int64_t kEntryBytes = 4;
constexpr std::int64_t kLongestRun = 16;

}  // namespace

std::int64_t block_per_rank(const Settled& settled) { return settled["block"] * settled.shape.ranks; }

std::int64_t word_unit(const Settled&) { return kEntryBytes; }

// N_x and B_x of the IEC paper count entries of 4 bytes: another way to say size and block.
weir::Status settle_cyclic(Settled& settled) {
  std::int64_t& block = settled.values.find("block")->second;
  if (settled.is_given("bx")) {
    if (settled.is_given("block")) return refused("block and bx say the same: give one of them");
    const auto bytes = product({settled["bx"], kEntryBytes}, "bx");
    if (!bytes.ok()) return bytes.status();
    block = bytes.value();
  }
  if (settled.is_given("nx")) {
    const auto bytes = product({settled["nx"], kEntryBytes}, "nx");
    if (!bytes.ok()) return bytes.status();
    settled.shape.bytes = bytes.value();
  }
  if (weir::Status status = is_multiple("block", block, kEntryBytes, "an entry"); !status.ok()) return status;
  const auto unit = product({block, settled.shape.ranks}, "a block for every rank");
  if (!unit.ok()) return unit.status();
  if (weir::Status status = fits_int(unit.value() / kEntryBytes, "the stride in entries"); !status.ok()) return status;
  return fits_int(settled.shape.bytes / kEntryBytes / settled.shape.ranks, "a rank's number of entries");
}

Share cyclic_share(const Settled& settled, int rank) {
  const Element element = element_of(Basic::kInt);
  const int ranks = settled.shape.ranks;
  const auto block = static_cast<int>(settled["block"] / kEntryBytes);
  const auto blocks = static_cast<int>(settled.shape.bytes / block_per_rank(settled));
  const Vector file{.count = blocks, .block = block, .stride = block * ranks, .element = element};
  const Access access{.displacement = rank * settled["block"],
                      .file = file,
                      .memory = Plain{.element = element, .count = std::int64_t{blocks} * block},
                      .calls = 1,
                      .stride_bytes = 0,
                      .offsets = {}};
  return {.accesses = {access}, .file_bytes = settled.shape.bytes, .collective = true, .holes = false};
}

weir::Status settle_interleaved(Settled& settled) {
  const weir::Status status = is_multiple("block", settled["block"], kEntryBytes, "an entry");
  return status.ok() ? fits_int(settled.shape.bytes / block_per_rank(settled), "a rank's number of calls") : status;
}

Share interleaved_share(const Settled& settled, int rank) {
  const std::int64_t block = settled["block"];
  const Plain one{.element = element_of(Basic::kInt), .count = block / kEntryBytes};
  const Access access{.displacement = rank * block,
                      .file = one,
                      .memory = one,
                      .calls = static_cast<int>(settled.shape.bytes / block_per_rank(settled)),
                      .stride_bytes = block * settled.shape.ranks,
                      .offsets = {}};
  return {
      .accesses = {access}, .file_bytes = settled.shape.bytes, .collective = false, .holes = false, .to_close = true};
}

weir::Status settle_irregular(Settled& settled) {
  return fits_int(settled.shape.bytes / kEntryBytes, "the number of 4-byte values");
}

Share irregular_share(const Settled& settled, int rank) {
  const RunDeal deal{.points = settled.shape.bytes / kEntryBytes,
                     .longest = kLongestRun,
                     .ranks = settled.shape.ranks,
                     .seed = settled["seed"]};
  Hindexed file{.lengths = {}, .displacements = {}, .element = element_of(Basic::kInt)};
  for (const Run& run : deal_runs(deal, rank)) {
    file.lengths.push_back(static_cast<int>(run.length));
    file.displacements.push_back(run.begin * kEntryBytes);
  }
  return {.accesses = {list_access(file)}, .file_bytes = settled.shape.bytes, .collective = true, .holes = false};
}

weir::Status settle_contiguous(Settled& settled) {
  return fits_int(settled.shape.bytes / kEntryBytes / settled.shape.ranks + 1, "a rank's number of elements");
}

Share contiguous_share(const Settled& settled, int rank) {
  Share share = independent_share(settled, rank);
  share.collective = true;
  return share;
}

Share independent_share(const Settled& settled, int rank) {
  return even_share(settled.shape.bytes, settled.shape.ranks, rank);
}

}  // namespace bench
