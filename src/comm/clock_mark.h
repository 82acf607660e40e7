// How the clock of a rank's node stands to that of rank 0's.
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"
#include "comm/comm.h"

namespace weir::comm {

struct ClockPair {
  std::int64_t here = 0;
  std::int64_t there = 0;  // what rank 0's clock showed at that moment
};

// COLLECTIVE: one moment on both clocks. The first rank of each node asks rank 0 for the time, one node after the
// other, several times, and takes the answer that came fastest: it was given half way between question and answer, as
// far as that can be known. Ranks of a node have one clock. The error is at most half the time of the fastest answer.
Result<ClockPair> mark_clock(Comm& comm, const std::function<std::int64_t()>& clock);

}  // namespace weir::comm
