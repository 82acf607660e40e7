// Which cells a call of `weir bench` has. Pure, but for a workload's own input file.
#pragma once

#include <vector>

#include "base/status.h"
#include "compare/cell.h"
#include "compare/options.h"

namespace weir::tool::compare {

// What is left out, and why, is told in `left_out`. Failure: an unknown workload, parameter, peer or comparison (with
// the nearest name), and a workload that cannot be had with so many ranks or this size; says what would do.
Result<std::vector<Group>> plan_groups(const BenchOptions& options, const std::vector<Host>& hosts, Words& left_out);

// The peers to measure, from options or by default. Failure: an unknown one.
Result<Words> peers_wanted(const BenchOptions& options);

}  // namespace weir::tool::compare
