// A program as a plain MPI program in C that checks what it reads, to be kept, sent and run without weir's tests.
#pragma once

#include <string>

#include "programs/program.h"

namespace weir::programs {

// REQUIRES a legal program. Faults of drivers are left out.
std::string print_c(const Program& program);

// What every such program begins with.
const char* c_prelude();

}  // namespace weir::programs
