// The manual page of hints, made from the table.
#pragma once

#include <string>

namespace weir::hints {

// The whole of docs/hints.md.
std::string markdown();

}  // namespace weir::hints
