// The ranks that a local aggregator serves.
#pragma once

#include <vector>

#include "plan/plan.h"

namespace weir::plan {

// The ranks that have the same local aggregator as `rank`, itself among them, ascending. O(ranks).
std::vector<int> served_with(const Plan& plan, int rank);

}  // namespace weir::plan
