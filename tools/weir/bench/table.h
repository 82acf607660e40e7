// Results as tables for a terminal. Pure.
#pragma once

#include <string>
#include <vector>

#include "bench/cell.h"

namespace weir::tool::bench {

// A table for each host and number of ranks: bandwidth of every peer, how much faster weir is than the best other
// peer, and weir's time as a multiple of Block I/O's. Then one for each comparison of weir's own ways. Groups without
// any start are left out. Times take the place of bandwidths for programs of the user's.
std::string tables(const std::vector<Group>& groups);

// How much faster weir is than the fastest other peer of the group; 0 where one of them is missing.
double gain_of(const Group& group);

}  // namespace weir::tool::bench
