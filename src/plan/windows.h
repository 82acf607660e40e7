// How much of its domain an aggregator serves in one round. Pure.
#pragma once

#include <cstdint>

#include "plan/facts.h"

namespace weir::plan {

// The bytes of a window where domains have at most `domain_bytes`: on one node as much as its caches hold; across nodes
// or a network so little that several rounds are under way at once, the exchange of one beside the file access of
// another. A number that was asked for is kept across nodes, and is the most on one.
std::int64_t window_bytes(const Facts& facts, std::int64_t domain_bytes);

// Rounds under way at once.
int rounds_in_flight(const Facts& facts);

}  // namespace weir::plan
