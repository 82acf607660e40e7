// The report for programs. docs/report.md says what each field means.
#pragma once

#include <string>

#include "trace/report.h"

namespace weir::trace {

// One JSON object on one line, without a newline. Bytes of names that are not UTF-8 are replaced.
std::string to_json(const FileReport& report);

}  // namespace weir::trace
