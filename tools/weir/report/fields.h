// The fields of results that the page reads: their names, kinds, and which of them must be there.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weir::tool::report {

// What is wrong with the first field that is missing or of the wrong kind, naming its place, e.g.
// "cells[3].seconds[0] should be a number"; empty when all is well. Fields that nobody knows are no fault.
std::string first_fault(const nlohmann::ordered_json& document);

}  // namespace weir::tool::report
