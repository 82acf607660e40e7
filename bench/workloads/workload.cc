#include "workloads/workload.h"

#include <algorithm>
#include <array>
#include <limits>

#include "workloads/kinds.h"
#include "workloads/random.h"
#include "workloads/sizes.h"

namespace bench {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::string_view kDomains = "Domains paper";
constexpr std::string_view kGpfs = "GPFS paper";

constexpr Parameter kSide{.name = "side", .text = "points along each side of the cube"};
constexpr Parameter kSeed{.name = "seed", .fallback = kDefaultSeed, .least = 0, .text = "of what is random"};
constexpr Parameter kMerged{
    .name = "merged", .fallback = 1, .least = 0, .text = "1: all variables in one call; 0: one call per variable"};
constexpr Parameter kFile{
    .name = "file", .text = "a PIO decomposition to take the lists from", .kind = ParameterKind::kPath};
constexpr Parameter kVariables{.name = "variables", .text = "with file: arrays of that decomposition"};

constexpr std::array kCube = {kSide};
// The papers give every rank a cube of its own.
constexpr std::array kBlocks = {
    kSide, Parameter{.name = "block", .text = "points along each side of a rank's block, instead of side"}};
constexpr std::array kBtio = {Parameter{.name = "arrays", .fallback = 40, .text = "written one after another"}, kSide};
constexpr std::array kFlash = {Parameter{.name = "side", .text = "points along each side of a block"}};
constexpr std::array kE3smF = {Parameter{.name = "columns", .text = "of the atmosphere"}, kMerged, kFile, kVariables,
                               kSeed};
constexpr std::array kE3smG = {Parameter{.name = "cells", .text = "of the ocean's mesh"}, kMerged, kFile, kVariables,
                               kSeed};
constexpr std::array kDiscontiguous = {
    Parameter{.name = "block", .fallback = 1024, .text = "bytes of a block"},
    Parameter{.name = "region", .text = "bytes of the file that one call covers; default: a quarter, at most 1 GiB"},
    kSeed};
constexpr std::array kDataShipping = {
    Parameter{.name = "block", .fallback = 4096, .text = "bytes of a block"},
    Parameter{.name = "spread", .fallback = 4, .text = "how many times the data the file is long"}, kSeed};
constexpr std::array kAccessRange = {Parameter{.name = "block", .fallback = 262144, .text = "bytes of a file block"},
                                     Parameter{.name = "subblock", .fallback = 4096, .text = "bytes of a subblock"},
                                     Parameter{.name = "subblocks", .fallback = 32, .text = "moved of each file block"},
                                     kSeed};
constexpr std::array kSparse = {
    Parameter{.name = "block", .fallback = 16384, .text = "bytes of a block"},
    Parameter{.name = "sparsity", .fallback = 25, .text = "per cent of the stripes in which a rank has a block"},
    Parameter{.name = "stripe", .text = "bytes of a stripe; default: one block for every rank"}, kSeed};
constexpr std::array kCyclic = {Parameter{.name = "block", .fallback = 64, .text = "bytes of a block"},
                                Parameter{.name = "bx", .text = "instead of block: B_x, entries of 4 bytes in a block"},
                                Parameter{.name = "nx", .text = "instead of the size: N_x, entries of 4 bytes in all"}};
constexpr std::array kInterleaved = {Parameter{.name = "block", .fallback = 64, .text = "bytes of a block"}};
constexpr std::array kIrregular = {kSeed};

constexpr std::array kWorkloads = {
    Workload{"coll_perf", "3-D array of ints, a block per rank", kDomains, kBlocks, 128 * kMiB, settle_coll_perf,
             nullptr, coll_perf_share},
    Workload{"btio", "40 arrays of 5 doubles per point, multi-partition cells, one call per array (NAS BT-IO)",
             kDomains, kBtio, 128 * kMiB, settle_btio, nullptr, btio_share},
    Workload{"flash", "24 variables, 80 to 82 blocks per rank, rank after rank, one call per variable", kDomains,
             kFlash, 128 * kMiB, settle_flash, nullptr, flash_share},
    Workload{"s3d", "two 4-D and two 3-D variables of doubles, blocks, one call per variable", kDomains, kBlocks,
             128 * kMiB, settle_s3d, nullptr, s3d_share},
    Workload{"e3sm_f", "387 variables on columns of the atmosphere, about 11 bytes per piece", "TAM paper", kE3smF,
             16 * kMiB, settle_e3sm_f, nullptr, e3sm_f_share},
    Workload{"e3sm_g", "41 variables on an ocean mesh, about 500 bytes per piece", "TAM paper", kE3smG, 64 * kMiB,
             settle_e3sm_g, nullptr, e3sm_g_share},
    Workload{"discontiguous", "random 1 KiB blocks that tile the file, one view and call per region", kGpfs,
             kDiscontiguous, 128 * kMiB, settle_discontiguous, block_per_rank, discontiguous_share},
    Workload{"data_shipping", "random 4 KiB blocks, one independent call each", kGpfs, kDataShipping, 16 * kMiB,
             settle_data_shipping, block_per_rank, data_shipping_share},
    Workload{"multiple_access_range", "subblocks scattered through random file blocks", kGpfs, kAccessRange, 64 * kMiB,
             settle_access_range, access_range_unit, access_range_share},
    Workload{"sparse", "random 16 KiB blocks, at most one per rank and stripe", kGpfs, kSparse, 32 * kMiB,
             settle_sparse, block_per_rank, sparse_share},
    Workload{"cyclic", "blocks of a vector dealt to the ranks in turn", "IEC paper", kCyclic, 128 * kMiB, settle_cyclic,
             block_per_rank, cyclic_share},
    Workload{"interleaved", "small blocks dealt to the ranks in turn, one independent call each", "", kInterleaved,
             16 * kMiB, settle_interleaved, block_per_rank, interleaved_share},
    Workload{"tasks_per_node", "the access of discontiguous, to be started with more or fewer ranks per node", kGpfs,
             kDiscontiguous, 128 * kMiB, settle_discontiguous, block_per_rank, discontiguous_share},
    Workload{"memgaps", "3-D blocks, one of 5 interleaved components, from arrays with a halo", "", kCube, 128 * kMiB,
             settle_memgaps, nullptr, memgaps_share},
    Workload{"irregular", "runs of 4 to 64 bytes dealt to the ranks at random", "", kIrregular, 64 * kMiB,
             settle_irregular, word_unit, irregular_share},
    Workload{"contiguous",
             "one contiguous share per rank",
             "",
             {},
             128 * kMiB,
             settle_contiguous,
             word_unit,
             contiguous_share},
    Workload{"independent",
             "one contiguous share per rank, independent calls",
             "",
             {},
             128 * kMiB,
             settle_contiguous,
             word_unit,
             independent_share},
};

// The spec with its defaults; not settled yet.
Settled with_defaults(const WorkloadSpec& spec, const Shape& shape) {
  Settled settled{.spec = spec, .shape = shape, .values = spec.given};
  for (const Parameter& parameter : spec.workload->parameters) {
    if (parameter.kind == ParameterKind::kNumber)
      settled.values.try_emplace(std::string(parameter.name), parameter.fallback);
  }
  return settled;
}

// Refuses a size that leaves some ranks with more than others.
weir::Status check_unit(const Settled& settled) {
  if (settled.spec.workload->unit_bytes == nullptr) return {};
  return is_multiple("size", settled.shape.bytes, settled.spec.workload->unit_bytes(settled),
                     "whole blocks, equally many for each of " + std::to_string(settled.shape.ranks) + " ranks");
}

}  // namespace

std::span<const Workload> all_workloads() { return kWorkloads; }

const Workload* find_workload(std::string_view name) {
  const auto found = std::ranges::find(kWorkloads, name, &Workload::name);
  return found == kWorkloads.end() ? nullptr : &*found;
}

weir::Result<Settled> settle(const WorkloadSpec& spec, const Shape& shape) {
  const std::string name(spec.workload->name);
  if (shape.ranks < 1) return refused(name + ": needs at least one rank");
  if (shape.bytes < 1) return refused(name + ": the size is zero: give a number of bytes");
  Settled settled = with_defaults(spec, shape);
  weir::Status status = spec.workload->settle(settled);
  if (status.ok()) status = check_unit(settled);
  if (!status.ok()) return refused(name + ": " + status.text());
  for (const Parameter& parameter : spec.workload->parameters) {
    const auto left_open = settled.values.find(parameter.name);
    if (left_open == settled.values.end() || parameter.fallback != kFromSize || left_open->second != kFromSize)
      continue;
    settled.values.erase(left_open);
  }
  return settled;
}

weir::Status check(const WorkloadSpec& spec, const Shape& shape) { return settle(spec, shape).status(); }

std::int64_t nearest_bytes(const WorkloadSpec& spec, int ranks, std::int64_t bytes) {
  const Workload& workload = *spec.workload;
  if (workload.unit_bytes == nullptr) return bytes;
  Settled settled = with_defaults(spec, {.ranks = ranks, .bytes = bytes});
  if (!workload.settle(settled).ok()) return bytes;
  const std::int64_t unit = workload.unit_bytes(settled);
  return nearest_count(bytes, unit) * unit;
}

std::int64_t default_bytes(const WorkloadSpec& spec, int ranks) {
  return nearest_bytes(spec, ranks, spec.workload->default_bytes);
}

Share share_of(const Settled& settled, int rank) { return settled.spec.workload->share(settled, rank); }

std::int64_t seed_of(const Settled& settled) {
  const auto found = settled.values.find("seed");
  return found == settled.values.end() ? 0 : found->second;
}

}  // namespace bench
