// PlannedCall: everything the stages of one collective access have in common.
#pragma once

#include <cstdint>
#include <limits>

#include "comm/comm.h"
#include "exec/stage/buffers.h"
#include "exec/stage/schedule.h"
#include "exec/stage/share_group.h"
#include "exec/stage/stores.h"
#include "layout/request_list.h"
#include "plan/plan.h"
#include "trace/counters.h"

namespace weir::exec {

inline constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

struct PlannedCall {
  const plan::Plan& plan;
  const Schedule& schedule;
  const layout::RequestList& requests;  // in the plan's offsets; ascending
  comm::Comm& comm;
  ShareGroup& group;
  Buffers buffers;
  Stores& stores;
  trace::Counters& counters;
  std::int64_t distance = 0;  // from offsets of plan and requests to those of the file

  int rank() const { return comm.rank(); }
  bool writing() const { return plan.direction == Direction::kWrite; }
  int local_aggregator() const { return plan.local_aggregator_of[static_cast<std::size_t>(rank())]; }
};

}  // namespace weir::exec
