// The choices of a collective call that goes through aggregators. Pure.
#pragma once

#include <span>
#include <string>

#include "plan/facts.h"
#include "plan/plan.h"
#include "plan/steps.h"
#include "plan/summary.h"

namespace weir::plan {

// What the plan has of them: REQUIRES its region, bytes, pieces and active ranks.
Totals totals_of(const Plan& plan);

// How many aggregators there are where nobody wished for a number, and why. REQUIRES: the plan's region, bytes, pieces
// and kind of domains.
int default_aggregators(const Facts& facts, const Plan& plan, std::string& reason);

// What the call would take through aggregators, before anything of that is planned. REQUIRES: as above, but for the
// kind of domains.
Steps predict_two_phase(const Facts& facts, const Totals& totals, const Plan& plan);

// What it will take as it is planned.
Steps predict(const Facts& facts, const Totals& totals, const Plan& plan);

// Fills in everything that two-phase access needs: exchange, aggregators, domains, groups, rounds.
// Wishes that cannot be followed are named in plan.replaced. REQUIRES: the plan's region.
void plan_two_phase(const Facts& facts, std::span<const AccessSummary> summaries, Plan& plan);

}  // namespace weir::plan
