// The ranks that a local aggregator serves, and what merging their requests there gives.
#pragma once

#include <functional>
#include <vector>

#include "layout/layout.h"
#include "layout/merge.h"
#include "plan/plan.h"

namespace weir::plan {

// The ranks that have the same local aggregator as `rank`, itself among them, ascending. O(ranks).
std::vector<int> served_with(const Plan& plan, int rank);

// How many pieces these ranks have in the file, each for itself and merged. `request_of` gives the bytes of the file
// that a rank asks for, and is called once for each of them. REQUIRES: none reaches over 2^61 bytes.
layout::PieceCounts count_served_pieces(const Plan& plan, int rank,
                                        const std::function<layout::Layout(int rank)>& request_of);

}  // namespace weir::plan
