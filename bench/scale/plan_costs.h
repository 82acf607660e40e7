// What the pure code of a collective call costs, whatever carries its messages.
#pragma once

#include <chrono>
#include <cstdint>

#include "scale/engine_costs.h"

namespace weir::scale {

struct PlanCost {
  int aggregators = 0;
  std::chrono::nanoseconds make{0};  // make_plan()
  std::int64_t make_allocated_bytes = 0;
  std::chrono::nanoseconds look_up{0};  // a call that was planned before, among as many as are kept
  std::int64_t look_up_allocations = 0;
};

// The best of several times. All ranks have blocks in turn, on a network file system with as many servers as nodes.
PlanCost plan_cost(const Shape& shape);

}  // namespace weir::scale
