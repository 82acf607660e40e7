// Commands that start another command: env, timeout, numactl and the like. Pure.
#pragma once

#include <cstddef>

#include "base/status.h"
#include "words.h"

namespace weir::tool {

// The index of the word in [begin, end) that names the command which finally runs, after any number
// of wrappers; `begin` itself when it is not a wrapper. Failure, with what to do: a wrapper that
// starts nothing, uses an option unknown here, or takes LD_PRELOAD away from what it starts (env
// -i, env -u LD_PRELOAD, env LD_PRELOAD=...).
Result<std::size_t> skip_wrappers(const Words& words, std::size_t begin, std::size_t end);

}  // namespace weir::tool
