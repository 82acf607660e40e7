#include "pattern.h"

#include <algorithm>

#include "pattern_kinds.h"

namespace bench {
namespace {

constexpr std::array kPatterns = {
    Pattern{"block3d", "3-D array of ints, a block per rank (coll_perf)", block_3d},
    Pattern{"btio", "cells of 5 doubles, multi-partition, one array per call (NAS BT-IO full)", btio},
    Pattern{"s3d", "two 4-D and two 3-D variables of doubles, blocks, one call per variable (S3D)", s3d},
    Pattern{"cyclic64", "blocks of 64 bytes dealt to the ranks in turn", cyclic_64},
    Pattern{"cyclic4", "blocks of 4 bytes dealt to the ranks in turn", cyclic_4},
    Pattern{"random1k", "blocks of 1 KiB dealt to the ranks at random", random_1k},
    Pattern{"irregular", "runs of 4 to 64 bytes dealt to the ranks at random (like E3SM)", irregular},
    Pattern{"memgaps", "3-D blocks, one of 5 interleaved components, from arrays with a halo", memory_gaps},
    Pattern{"flash", "24 variables, rank after rank, one call per variable (FLASH)", flash},
    Pattern{"contiguous", "one contiguous share per rank", contiguous},
    Pattern{"blockio", "the limit: one contiguous share per rank, independent calls", block_io},
};

}  // namespace

std::span<const Pattern> all_patterns() { return kPatterns; }

const Pattern* find_pattern(std::string_view name) {
  const auto found = std::ranges::find(kPatterns, name, &Pattern::name);
  return found == kPatterns.end() ? nullptr : &*found;
}

std::int64_t memory_bytes(const Workload& workload) {
  std::int64_t bytes = 0;
  for (const Access& access : workload.accesses) bytes += access.calls * span_bytes(access.memory);
  return bytes;
}

}  // namespace bench
