// Results as bars of text. Pure.
#pragma once

#include <string>
#include <vector>

#include "bench/cell.h"

namespace weir::tool::bench {

// For each group a bar per peer or way, as long as its time, with Block I/O last; failed ones say so.
std::string bars(const std::vector<Group>& groups);

}  // namespace weir::tool::bench
