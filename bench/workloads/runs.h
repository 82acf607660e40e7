// Lists of blocks and runs, and how they are dealt to the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/share.h"

namespace bench {

// Points [begin, begin + length) of some array.
struct Run {
  std::int64_t begin = 0;
  std::int64_t length = 0;

  bool operator==(const Run&) const = default;
};

// Adds a run behind all others; joined with the last one where they touch.
void append_run(std::vector<Run>& runs, const Run& run);

// `points` points cut in runs of 1 to `longest` points at random; the first runs are dealt to the ranks in turn, so
// that each has one if there are enough, the others at random. The runs of `rank`.
struct RunDeal {
  std::int64_t points = 0;
  std::int64_t longest = 1;
  int ranks = 1;
  std::int64_t seed = 0;
};
std::vector<Run> deal_runs(const RunDeal& deal, int rank);

// The numbers of the blocks, ascending, that `rank` gets when `blocks` blocks are dealt at random and every rank gets
// equally many. REQUIRES: ranks divides blocks.
std::vector<std::int64_t> deal_blocks(std::int64_t blocks, int ranks, int rank, std::int64_t seed);

// One call through a view of `file`, from contiguous memory. A type without pieces becomes an empty Plain: a filetype
// of no bytes is more than some MPI libraries can take.
Access list_access(const Hindexed& file);
Access list_access(const HindexedBlock& file);

}  // namespace bench
