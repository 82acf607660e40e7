// What fits the memory that the ranks of a node share, where it may not grow.
#pragma once

#include "plan/facts.h"
#include "plan/plan.h"

namespace weir::plan {

// Makes the windows of a two-phase plan fit Machine::buffer_limit_bytes: with fewer rounds in flight, then with smaller
// windows; says so in plan.replaced. They may be too small then, or too many: ask fits().
void fit_windows(const Machine& machine, Plan& plan);

// Whether the plan's tables and windows keep to the limits of the machine. Plans that do not meet in memory do.
bool fits(const Machine& machine, const Plan& plan);

}  // namespace weir::plan
