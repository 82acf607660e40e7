// Measuring for others than `weir bench`: results as values, nothing printed but progress.
#pragma once

#include <vector>

#include "base/status.h"
#include "compare/cell.h"
#include "compare/options.h"

namespace weir::tool::compare {

// The groups that the options ask for, with their outcomes. REQUIRES: options complete; workloads, or b_eff_io
// alone. Failure: as of plan_groups(), find_hosts() and Scratch::make(); or stopped by a signal.
Result<std::vector<Group>> measured(const BenchOptions& options);

}  // namespace weir::tool::compare
