// Questions about a layout that need no walk over its pieces.
#pragma once

#include <cstdint>

#include "base/extent.h"
#include "layout/layout.h"

namespace weir::layout {

// Where data byte `data_offset` (in type-map order) lies. O(depth * log(list length)).
// REQUIRES: 0 <= data_offset < layout.data_bytes().
std::int64_t offset_of(const Layout& layout, std::int64_t data_offset);

// How many data bytes lie before `offset`. O(depth * log(list length)) for an ascending layout; otherwise linear in
// list lengths and in the copies that straddle `offset`.
std::int64_t data_bytes_below(const Layout& layout, std::int64_t offset);

// The smallest extent that holds the data bytes [data.begin, data.end) of the layout. Costs as data_bytes_below().
// REQUIRES: 0 <= data.begin, data.end <= layout.data_bytes(). Empty (at 0) when `data` is empty.
Extent extent_of(const Layout& layout, Extent data);

// How many pieces a cursor finds: neighbours that touch count as one. O(nodes + list entries), however many pieces.
std::int64_t joined_pieces(const Layout& layout);

}  // namespace weir::layout
