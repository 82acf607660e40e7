// A report of a file that never was, with something in every field.
#pragma once

#include "trace/report.h"

namespace weir::trace {

inline std::int64_t& at(CounterValues& values, Counter counter) { return values[static_cast<std::size_t>(counter)]; }

// Of 4 ranks on 2 nodes, 2 of which aggregate.
plan::Plan made_up_plan(Direction direction);

FileReport made_up_report();

}  // namespace weir::trace
