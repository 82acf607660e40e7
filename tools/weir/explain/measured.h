// What `weir bench` measured of weir, as questions.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "explain/explain.h"

namespace weir::tool::explain {

struct Measured {
  ExplainOptions asked;
  double seconds = 0;  // the median; 0 where it failed
};

// What weir did in a file of results, each case once, on the machine that is asked for. Failure: it is no such file, or
// weir is not in it.
Result<std::vector<Measured>> measured_in(const std::string& path, const std::string& machine);

}  // namespace weir::tool::explain
