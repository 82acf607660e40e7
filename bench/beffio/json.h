// The result for programs: one JSON object.
#pragma once

#include <string>

#include "result.h"

namespace beffio {

// On one line. Values that were not measured are left out.
std::string json_text(const Report& report);

}  // namespace beffio
