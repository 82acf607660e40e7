// Ways to make a program smaller. None promises that the outcome is legal.
#pragma once

#include "programs/program.h"

namespace weir::programs {

Program without_steps(const Program& program, std::size_t first, std::size_t count);
// The access, and all that completes it.
Program without_access(const Program& program, int id);
Program without_message(const Program& program, int id);
Program without_file(const Program& program, int file);
// REQUIRES: more than one rank.
Program without_rank(const Program& program, int rank);
// Blocking, and so without steps that complete it.
Program with_blocking(const Program& program, int id);
// Without communicators and messages that nothing uses.
Program without_unused(const Program& program);

}  // namespace weir::programs
