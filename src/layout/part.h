// part_of: a range of a layout's data bytes, as a layout.
#pragma once

#include "base/extent.h"
#include "layout/layout.h"

namespace weir::layout {

// The data bytes [data.begin, data.end) of the layout, in the same order at the same offsets. The structure is kept: a
// repeat that is cut in two places becomes a part, a repeat and a part. What reaches beyond [0, data_bytes()) is cut
// off. O(depth + list entries within the range).
Layout part_of(const Layout& layout, Extent data);

}  // namespace weir::layout
