// Hints on the command line: checked against the one table, printed from it.
#pragma once

#include <string>

#include "base/status.h"
#include "words.h"

namespace weir::tool {

// Checks "key=value" words. Failure: the first that is no known hint (with the nearest name) or
// whose value is bad. Values that weir will adjust or ignore are told on standard error.
Status check_hints(const Words& hints);

// weir explain KEY: prints the hint's row. 2 when there is no such hint.
int explain_hint(const std::string& key);

// weir hints: prints one line per hint.
int list_hints();

}  // namespace weir::tool
