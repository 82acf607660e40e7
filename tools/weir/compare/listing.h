// What there is to choose from, and b_eff_io's results for a terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compare/cell.h"

namespace weir::tool::compare {

// Prints workloads with their parameters, peers and comparisons.
int list_all();

// The tables that b_eff_io printed under each peer, and the values side by side.
std::string beffio_tables(const std::vector<Group>& groups);

// The entries of "b_eff_io" in a results document.
nlohmann::json beffio_json(const std::vector<Group>& groups);

}  // namespace weir::tool::compare
