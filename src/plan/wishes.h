// What hints wish for a collective access, as planning sees it.
#pragma once

#include <cstdint>

#include "base/extent.h"
#include "hints/hint_set.h"
#include "plan/facts.h"

namespace weir::plan {

// What the hints wish for a collective access in this direction.
Wishes wishes_of(const hints::HintSet& hints, Direction direction);

// Whether the hints ask for I/O agents.
bool wants_agents(const hints::HintSet& hints);
// How large the blocks of I/O agents are: as the paper has them, where no hint says, but no larger than lets every
// rank, with so much memory each, hold a few. In whole words of marks.
std::int64_t agent_block(const hints::HintSet& hints, std::int64_t lock_bytes, std::int64_t rank_memory_bytes);

}  // namespace weir::plan
