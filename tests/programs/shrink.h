// Makes a program that fails as small as it can be and still fail.
#pragma once

#include <functional>

#include "programs/program.h"

namespace weir::programs {

struct ShrinkOptions {
  int most_runs = 4000;                                   // of `fails`
  std::function<void(const Program& smaller)> tell = {};  // of each step forward; may be empty
  std::function<bool()> enough = [] { return false; };    // whether to stop now
};

// REQUIRES: fails(program). `fails` is asked about legal programs only.
Program shrink(const Program& program, const std::function<bool(const Program&)>& fails,
               const ShrinkOptions& options = {});

}  // namespace weir::programs
