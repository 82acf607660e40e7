// Shares: what a request has in each window of a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/stage/schedule.h"
#include "layout/request_list.h"
#include "layout/tiling.h"
#include "plan/plan.h"

namespace weir::exec {

// The part of a window that a request has. `tiling` may be null: then there is no sum.
Share share_of(const layout::RequestList& requests, const plan::Window& window, const layout::Tiling* tiling);

// The sum of all bytes of the window.
std::uint64_t full_sum(const plan::Window& window, const layout::Tiling& tiling);

// For every aggregator and round. REQUIRES an ascending request.
RoundTable<Share> shares_of(const layout::RequestList& requests, const plan::Plan& plan, const layout::Tiling* tiling);

// The rounds of each aggregator.
std::vector<std::int64_t> rounds_of(const plan::Plan& plan);

}  // namespace weir::exec
