// Timelines in the Trace Event Format (JSON), which Perfetto and chrome://tracing open. docs/timeline.md says what is
// in them. A document is timeline_begin(), the events of each rank, timeline_end().
#pragma once

#include <string>
#include <string_view>

#include "trace/clock_fit.h"
#include "trace/timeline.h"

namespace weir::trace {

// `title` says what was run, or simulated.
std::string timeline_begin(std::string_view title);

// The events of one rank: a process of that number, with a thread for each track. Times count from `zero`, both on the
// clock that `clock` leads to. Sorted by track and begin; ends with a newline. REQUIRES indices that are within their
// lists.
std::string timeline_events(const RankTimeline& rank, const ClockFit& clock, Nanoseconds zero);

std::string timeline_end();

}  // namespace weir::trace
