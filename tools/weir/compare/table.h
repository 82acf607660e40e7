// Results for a terminal, as tables and as bars. Pure.
#pragma once

#include <string>
#include <vector>

#include "compare/cell.h"

namespace weir::tool::compare {

// A table for each host and number of ranks: bandwidth of every peer, how much faster weir is than the best other
// peer, and weir's time as a multiple of Block I/O's. Then one for each comparison of weir's own ways. Groups without
// any start are left out. Times take the place of bandwidths for programs of the user's.
std::string tables(const std::vector<Group>& groups);

// How much faster weir is than the fastest other peer of the group; 0 where one of them is missing.
double gain_of(const Group& group);

// For each group a bar per peer or way, as long as its time, with Block I/O last; failed ones say so.
std::string bars(const std::vector<Group>& groups);

}  // namespace weir::tool::compare
