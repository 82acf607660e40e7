// From what a start left behind to the cell's outcome. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/cell.h"
#include "bench/job.h"

namespace weir::tool::bench {

// Adds the program's result, one JSON object. False if it is none.
bool add_result(Outcome& outcome, const std::string& text);

// Adds what weir's report (WEIR_REPORT) says about the file "subject": one entry for every repeat, the first `warmups`
// of which are left out. A report that cannot be read adds nothing.
void add_breakdown(Outcome& outcome, const std::string& report, int warmups, const std::string& direction);

// How a start ended, for people; empty if all went well. `complaint` is the end of what it printed as errors.
std::string failure_of(const JobEnd& end, int timeout_seconds, const std::string& complaint);

// The line of an error output worth showing: what weir's own programs say, or the first one.
std::string complaint_in(const std::string& errors);

}  // namespace weir::tool::bench
