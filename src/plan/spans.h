// Spans: where in a part of the file the bytes of a request or of a window begin and end. Logarithmic, whatever the
// number of pieces.
#pragma once

#include <cstdint>

#include "base/extent.h"
#include "layout/request_list.h"
#include "plan/domains.h"

namespace weir::plan {

// The smallest extent that holds the bytes within `part`; empty where there are none.
// REQUIRES: the view of the request ascends.
Extent span_within(const layout::RequestList& requests, Extent part);
Extent span_within(const Window& window, Extent part);

// From the offset to the end of its block. REQUIRES offset >= 0, block_bytes >= 1.
Extent rest_of_block(std::int64_t offset, std::int64_t block_bytes);

// The span of the first block that has bytes of the request at or behind `from`, of these bytes only; empty where there
// are none. REQUIRES: the view of the request ascends.
Extent block_span_from(const layout::RequestList& requests, std::int64_t from, std::int64_t block_bytes);

}  // namespace weir::plan
