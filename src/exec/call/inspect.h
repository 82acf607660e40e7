// Inspect: from a plan to a schedule. Ranks that share memory read each other's shares there; local aggregators send
// the structure of their ranks' requests to the aggregators of other groups.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "comm/comm.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "exec/stage/stores.h"
#include "layout/request_list.h"
#include "plan/plan.h"
#include "trace/counters.h"

namespace weir::exec {

struct InspectInput {
  comm::Comm& comm;
  ShareGroup& group;
  const plan::Plan& plan;
  std::span<const plan::AccessSummary> summaries;
  const layout::RequestList& requests;  // of this rank, in file offsets; ascending
  std::uint64_t seed = 0;               // of the tiling sums; equal on all ranks
  Stores& stores;                       // afterwards with room for calls by this schedule
  trace::Counters& counters;
};

// A schedule whose messages are larger than the plan says (plan::window_for_messages), or that has found out that
// merging is to be left (plan::settled_merging), is good for nothing but its numbers.
// COLLECTIVE: every rank gets its schedule, or all the same failure; one rank's lack of memory is such a failure.
// REQUIRES plan.method == kTwoPhase.
Result<Schedule> inspect(const InspectInput& input);

}  // namespace weir::exec
