// A layout as bytes that another process can read.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/status.h"
#include "layout/layout.h"

namespace weir::layout {

// Nodes nested deeper are refused: what walks or frees them goes down level by level.
inline constexpr std::int32_t kDeepestEncoded = 1000;

// Appends the layout to `out`. A regular pattern takes a few bytes per node, however many pieces it has; a list takes
// the bytes of its distances as variable-length integers: a few per piece. REQUIRES: layout.depth() <=
// kDeepestEncoded.
void encode(const Layout& layout, std::vector<std::byte>& out);

// Takes one encoded layout from the front of `in`; it equals the one encoded. Fails with kInternal when the input is
// truncated or corrupt; then `in` is unchanged. Allocates no more than a fixed multiple of the bytes read.
Result<Layout> decode(std::span<const std::byte>& in);

}  // namespace weir::layout
