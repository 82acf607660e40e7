// Plans of workloads without running them: every rank's first call, on nodes with equally many ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout/layout.h"
#include "plan/facts.h"
#include "plan/plan.h"
#include "workloads/workload.h"

namespace weir::tool::reproduce {

// REQUIRES: a workload that works with so many ranks; the claims name such.
bench::Settled settled(const std::string& text, int ranks, std::int64_t bytes = 1);

// What each rank asks for in the first call of its first access.
std::vector<layout::Layout> first_requests(const bench::Settled& workload);

plan::Plan plan_of(const plan::Facts& facts, const std::vector<layout::Layout>& requests);

}  // namespace weir::tool::reproduce
