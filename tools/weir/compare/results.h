// The results of a run as JSON: what was measured and all that is needed to repeat it. docs/benchmarks.md documents it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/cell.h"
#include "compare/options.h"

namespace weir::tool::compare {

// The document around the cells: versions, machine, options, time of the call.
nlohmann::json new_document(const BenchOptions& options);

// One cell. Numbers that could not be measured are null.
nlohmann::json cell_json(const Cell& cell, const BenchOptions& options);

// Replaces the file at once: whoever reads it finds the old document or the new one.
Status write_document(const nlohmann::json& document, const std::string& path);

}  // namespace weir::tool::compare
