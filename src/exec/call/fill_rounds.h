// The rounds of a schedule: what a local aggregator sends and receives, and what an aggregator's windows are made of,
// as the tables of their group and the requests of far ranks tell.
#pragma once

#include <span>

#include "exec/call/member_tables.h"
#include "exec/call/request_merge.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "layout/tiling.h"
#include "plan/plan.h"

namespace weir::exec {

struct RoundsInput {
  const ShareGroup& group;
  int me = 0;
  const plan::Plan& plan;
  const MemberTables& tables;
  const layout::Tiling& tiling;
  const RequestMerge* merge = nullptr;  // REQUIRED where the schedule is merged
  std::span<const int> far_parties;     // of dense exchange: the local aggregators of other groups, ascending
};

// LOCAL: fills in parcels and visits, windows and freight of every round, and the bytes that their buffers need. For
// pairwise exchange also this rank's own part of the trades. REQUIRES that everything else is in place, far ranks too.
void fill_rounds(const RoundsInput& input, Schedule& schedule);

}  // namespace weir::exec
