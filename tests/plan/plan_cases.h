// Situations that plans are made for, for the tests of planning.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace weir::plan {

using Summaries = std::vector<AccessSummary>;

inline constexpr std::int64_t kKiB = 1024;
inline constexpr std::int64_t kMiB = 1024 * kKiB;

// What a rank with `bytes` bytes in `pieces` pieces within the extent tells the others.
inline AccessSummary summary(Extent extent, std::int64_t bytes, std::int64_t pieces) {
  return {extent, bytes, pieces, 1, extent.begin, 0, 1};
}

// Ranks that each have `pieces` blocks of `block_bytes`, in turn.
inline Summaries interleaved(int ranks, std::int64_t block_bytes, std::int64_t pieces) {
  Summaries summaries;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const std::int64_t begin = rank * block_bytes;
    summaries.push_back(
        summary({begin, begin + (pieces - 1) * ranks * block_bytes + block_bytes}, pieces * block_bytes, pieces));
  }
  return summaries;
}

// Ranks that each have one block, one behind the other.
inline Summaries segmented(int ranks, std::int64_t block_bytes) {
  Summaries summaries;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    summaries.push_back(summary({rank * block_bytes, (rank + 1) * block_bytes}, block_bytes, 1));
  }
  return summaries;
}

// The same requests, moved in the file.
inline Summaries moved(Summaries summaries, std::int64_t distance) {
  for (AccessSummary& each : summaries) {
    each.file_extent = {each.file_extent.begin + distance, each.file_extent.end + distance};
    each.first_piece += distance;
  }
  return summaries;
}

inline Machine machine_of(int nodes, int ranks_per_node) {
  Machine machine = Machine::evenly(nodes * ranks_per_node, ranks_per_node);
  machine.cores_per_node = 4;
  return machine;
}

// A local file system.
inline Facts facts_of(Direction direction, int nodes, int ranks_per_node) {
  Facts facts;
  facts.direction = direction;
  facts.machine = machine_of(nodes, ranks_per_node);
  return facts;
}

// Stripes of 1 MiB on eight servers that lock for themselves.
inline Storage striped() { return {kMiB, 8, LockProtocol::kServer, true}; }
// Blocks of 4 MiB whose locks one manager hands out.
inline Storage tokens() { return {4 * kMiB, 1, LockProtocol::kToken, true}; }

}  // namespace weir::plan
