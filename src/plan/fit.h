// What fits the memory that the ranks of a node share, where it may not grow.
#pragma once

#include "plan/facts.h"
#include "plan/plan.h"

namespace weir::plan {

// Makes the windows of a two-phase plan fit Machine::buffer_limit_bytes: with fewer rounds in flight, then with smaller
// windows; says so in plan.replaced. They may be too small then, or too many: ask fits().
void fit_windows(const Machine& machine, Plan& plan);

// The window with which one round's messages of a rank keep to plan.most_message_bytes, when the most that one has with
// the plan's window is `message_bytes`. The plan's own window when they do already (an eighth more is let pass, for
// headers and uneven shares), or when it is so small that it is not made smaller.
std::int64_t window_for_messages(const Plan& plan, std::int64_t message_bytes);

// Gives the plan smaller windows for that reason; says so in plan.replaced.
void shrink_windows(Plan& plan, std::int64_t window_bytes);

// Whether the plan's tables and windows keep to the limits of the machine. Plans that do not meet in memory do.
bool fits(const Machine& machine, const Plan& plan);

}  // namespace weir::plan
