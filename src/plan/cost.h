// The cost model: what each method would take, in nanoseconds. Rough on purpose: it has to tell methods apart that
// differ much, and every term can be read off the inputs.
#pragma once

#include <cstdint>

#include "plan/facts.h"
#include "plan/summary.h"

namespace weir::plan {

// Every rank reaches the file for itself, a call per piece.
std::int64_t independent_cost(const Facts& facts, const Totals& totals);

// `aggregators` serve the whole region in windows of `window_bytes`.
std::int64_t two_phase_cost(const Facts& facts, const Totals& totals, int aggregators, std::int64_t window_bytes);

}  // namespace weir::plan
