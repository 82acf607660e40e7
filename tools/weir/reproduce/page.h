// The claims as one HTML page.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "reproduce/text.h"

namespace weir::tool::reproduce {

// Failure: no page to fill in, or it cannot be written; says what to do.
Status check_page(const std::string& path);
Status write_page(const std::string& path, const std::vector<Shown>& all);

}  // namespace weir::tool::reproduce
