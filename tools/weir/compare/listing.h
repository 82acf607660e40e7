// What there is to choose from.
#pragma once

namespace weir::tool::compare {

// Prints workloads with their parameters, peers and comparisons.
int list_all();

}  // namespace weir::tool::compare
