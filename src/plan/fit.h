// Windows whose messages fit the memory that a collective buffer may have.
#pragma once

#include <cstdint>

#include "plan/plan.h"

namespace weir::plan {

// The window with which one round's messages of a rank keep to plan.most_message_bytes, when the most that one has with
// the plan's window is `message_bytes`. The plan's own window when they do already (an eighth more is let pass, for
// headers and uneven shares), or when it is so small that it is not made smaller.
std::int64_t window_for_messages(const Plan& plan, std::int64_t message_bytes);

// Gives the plan smaller windows for that reason; says so in plan.replaced.
void shrink_windows(Plan& plan, std::int64_t window_bytes);

}  // namespace weir::plan
