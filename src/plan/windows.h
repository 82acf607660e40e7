// How much of its domain an aggregator serves in one round. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "plan/cost.h"
#include "plan/facts.h"
#include "plan/summary.h"

namespace weir::plan {

// The bytes of a window, where access has this shape but for them: on one node as much as its caches hold; across nodes
// or a network what is predicted to take least, with so many rounds at least that the exchange of one is under way
// beside the file access of another. A number that was asked for is kept across nodes, and is the most on one.
std::int64_t window_bytes(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape);

// Why it is that many.
std::string window_reason(const Facts& facts, const Totals& totals, const TwoPhaseShape& shape);

// Rounds under way at once.
int rounds_in_flight(const Facts& facts);

}  // namespace weir::plan
