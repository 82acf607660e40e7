// b_eff_io: which cells it has, and its results for people and for a results document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/cell.h"
#include "compare/options.h"

namespace weir::tool::compare {

inline constexpr const char* kBeffio = "b_eff_io";

// For each host and number of ranks, its peers, and with --methods shipping the sets of hints. What is left out, and
// why, is told in `left_out`. Failure: another comparison, or hints from two sides.
Result<std::vector<Group>> beffio_groups(const BenchOptions& options, const std::vector<Host>& hosts, Words& left_out);

// The tables that b_eff_io printed in each cell, the values side by side, and the sets of hints.
std::string beffio_tables(const std::vector<Group>& groups);

// The entries of "b_eff_io" in a results document.
nlohmann::json beffio_json(const std::vector<Group>& groups);

}  // namespace weir::tool::compare
