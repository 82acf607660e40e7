// Values between their native form and external32, the standard's canonical form: big-endian, fixed sizes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/extent.h"
#include "base/status.h"
#include "layout/basic_kind.h"

namespace weir::layout {

// Converts `count` packed values of one kind: kWrite from `native` to `external`, kRead back. Integers are narrowed or
// widened where the sizes differ; one that does not fit is kConversion, and the values after it are not converted.
// REQUIRES: not a pair; room for count values on both sides.
Status convert_external32(Direction direction, BasicKind kind, std::int64_t count, const Representation& native_sizes,
                          std::byte* native, std::byte* external);

}  // namespace weir::layout
