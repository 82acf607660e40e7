// Merging layouts that repeat themselves at distances which fit each other, by arithmetic. Internal to layout/.
#pragma once

#include <span>

#include "layout/layout.h"
#include "layout/part_joiner.h"

namespace weir::layout {

// Adds all bytes of the layouts, each once, by merging what one period of the file has of them, once for all periods
// that have the same. False, and nothing added, when there is no such period or pieces are cheaper.
// REQUIRES: no layout is empty, copies or a sequence, or begins before the end of what `out` has; copies of a repeat
// are ascending, and so is all else.
bool merge_periods(std::span<const Layout> layouts, PartJoiner& out);

}  // namespace weir::layout
