// Whether a value may be compared with others of its release, and what a reader should know besides.
#pragma once

#include <string>
#include <vector>

#include "result.h"

namespace beffio {

// Every reason why the value is not comparable, a clause each; empty: it is.
std::vector<std::string> not_comparable_because(const Report& report);

// What does not forbid a comparison but weakens the value: data that fit in memory, patterns cut short. A sentence
// each.
std::vector<std::string> warnings(const Report& report);

}  // namespace beffio
