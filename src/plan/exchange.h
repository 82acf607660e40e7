// The choice of the exchange: how data travel between ranks and aggregators, and who meets in memory. Pure.
#pragma once

#include <span>
#include <vector>

#include "plan/facts.h"
#include "plan/plan.h"
#include "plan/summary.h"

namespace weir::plan {

// Sets exchange and sharing_of, with the reason. Pairwise exchange is chosen where local aggregators
// (without shared memory: all ranks) would send so many and so small parcels that trades are fewer by half at least,
// and where no wish stands against it. REQUIRES: the plan's region, bytes and kind of domains.
void choose_exchange(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan);

// The ranks that send and receive in the plan, ascending: its local aggregators.
std::vector<int> parties_of(const Plan& plan);

}  // namespace weir::plan
