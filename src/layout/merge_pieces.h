// The k-way merge of pieces, for layouts whose structures do not fit each other. Internal to layout/.
#pragma once

#include <span>

#include "layout/layout.h"
#include "layout/part_joiner.h"

namespace weir::layout {

// Adds all bytes of the layouts, each once. O(pieces * log(layouts)); layouts that are not ascending are sorted first.
// REQUIRES: no layout begins before the end of what `out` has.
void merge_pieces(std::span<const Layout> layouts, PartJoiner& out);

}  // namespace weir::layout
