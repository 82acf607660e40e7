// What hints wish for a collective access, as planning sees it.
#pragma once

#include "base/extent.h"
#include "hints/hint_set.h"
#include "plan/facts.h"

namespace weir::plan {

// What the hints wish for a collective access in this direction.
Wishes wishes_of(const hints::HintSet& hints, Direction direction);

}  // namespace weir::plan
