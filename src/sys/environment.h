// The environment variables by which users speak to weir: WEIR_*, ROMIO_HINTS.
#pragma once

namespace weir::sys {

// The value of a variable; null when it is unset or empty. Also null in a program that runs with other rights than
// those of whoever started it (set-uid, set-gid, capabilities): its environment is in the hands of somebody who may not
// read or write what it can, and variables name files.
const char* environment(const char* name);

}  // namespace weir::sys
