// A plan in a few short lines for people. plan::print() says everything in one line for tests.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace weir::trace {

// `node_of` is the node of each rank; where it is empty, nodes are not told. Lines without newlines.
std::vector<std::string> lines_of(const plan::Plan& plan, std::span<const int> node_of);

}  // namespace weir::trace
