// Whether the requests of the ranks that a local aggregator serves are merged before they leave the node. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "layout/merge.h"
#include "plan/facts.h"
#include "plan/plan.h"
#include "plan/summary.h"

namespace weir::plan {

// Sets plan.merging: off where nothing can be gained, as far as summaries tell; else to be tried. With the reason.
// REQUIRES: the plan's exchange and local aggregators.
void choose_merging(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan);

// What merging found, of one local aggregator or summed up over all.
struct MergeCounts {
  layout::PieceCounts pieces;
  std::int64_t too_long = 0;  // local aggregators whose merged requests take more memory than they are worth
  std::int64_t cannot = 0;    // local aggregators whose merged requests cannot be expressed
};

// The memory that a merged request of `data_bytes` bytes may take on each of `ranks` ranks: a quarter of the data in
// all, and always a little.
std::int64_t most_merged_memory(std::int64_t data_bytes, std::int64_t ranks);

// Whether what was found turns merging on or off; where it is on already, only if it cannot be done.
Merging settled_merging(const Plan& plan, const MergeCounts& found);
// Settles it in the plan, with the reason.
void settle_merging(Plan& plan, const MergeCounts& found);

}  // namespace weir::plan
