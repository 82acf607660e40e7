// Where reports go: what WEIR_REPORT says.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "trace/report.h"

namespace weir::trace {

// False for "", "0", "no", "off" and "false".
bool report_wanted(std::string_view where);

// To standard error as text for "1", "yes", "on" and "true"; else as JSON to the file that `where` names. Never throws.
// REQUIRES report_wanted(where).
Status deliver(const FileReport& report, const std::string& where);

}  // namespace weir::trace
