// Jobs in a child process with a time limit: what hangs or crashes does so there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "programs/program.h"

namespace weir::programs {

// What the child and its parent both see.
struct Progress {
  volatile std::uint64_t job = 0;        // the one that runs
  volatile std::uint64_t jobs_done = 0;  // how many went well
  volatile int steps[kMostRanks] = {};   // by rank, the step that runs; -1: none
};

struct ChildResult {
  std::uint64_t jobs_done = 0;
  bool failed = false;
  bool hung = false;
  std::uint64_t job = 0;  // the one that failed
  std::string text;       // what was wrong
};

// Runs job(first), job(first + 1), ... in a child, until one does not return "", `count` were run, or `total_seconds`
// have passed. A job that takes more than `seconds` is a failure: the child is killed. REQUIRES a process of one
// thread.
struct ChildLimits {
  unsigned seconds = 20;
  double total_seconds = 1e9;
};
ChildResult run_in_child(std::uint64_t first, std::uint64_t count, const ChildLimits& limits,
                         const std::function<std::string(std::uint64_t job, Progress& progress)>& job);

}  // namespace weir::programs
