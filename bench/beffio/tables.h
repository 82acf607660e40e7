// The result for people: the tables of the paper.
#pragma once

#include <string>

#include "result.h"

namespace beffio {

// Everything: settings, a table per partition and access method, averages, the value, and whether it is comparable.
std::string tables(const Report& report);

}  // namespace beffio
