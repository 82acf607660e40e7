// Runs programs with ranks as threads on exec::OpenFile, a memory driver and, where the program has faults, a driver
// that fails.
#pragma once

#include <string>
#include <vector>

#include "programs/program.h"

namespace weir::programs {

struct ThreadOptions {
  volatile int* steps = nullptr;  // by rank, the step that runs; may be null
  // For tests of the shrinker: a collective write of more than this many bytes of one rank loses its last byte.
  std::int64_t lose_byte_above = -1;
};

// What is wrong, in words; nothing when all is well. Does not return when the program hangs.
std::vector<std::string> run_as_threads(const Program& program, const ThreadOptions& options = {});

}  // namespace weir::programs
