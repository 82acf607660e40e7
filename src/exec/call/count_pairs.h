// Which pairs of a plan have bytes for each other, as one rank knows it.
#pragma once

#include "exec/stage/schedule.h"
#include "plan/pairs.h"

namespace weir::exec {

// The pairs and turns with bytes that this rank counts: its own with aggregators that it meets in memory and, as local
// aggregator, those with all others. Summed over the ranks, every pair counts once. REQUIRES near_bytes and parcels.
plan::Pairs count_pairs(const Schedule& schedule);

}  // namespace weir::exec
