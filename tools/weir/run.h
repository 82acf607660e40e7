// weir run: start an MPI program with weir under it.
#pragma once

#include <optional>
#include <string>

#include "apply.h"
#include "base/status.h"
#include "mpi_use.h"
#include "words.h"

namespace weir::tool {

struct RunOptions {
  Words hints;                // "key=value" each
  std::string mpi;            // "openmpi" or "mpich" when the user says it; empty: find out
  bool report = false;        // ask the library for its report (WEIR_REPORT)
  std::string timeline = {};  // the file to write one to (WEIR_TIMELINE); empty: none
  std::string capture = {};   // likewise (WEIR_CAPTURE)
  bool verbose = false;
  bool dry_run = false;
  Words command;  // launcher and program, as the user would run it without weir
};

// What `weir run` will execute, and why; printed by --verbose and --dry-run.
struct RunPlan {
  Invocation invocation;
  MpiFamily family = MpiFamily::kOpenMpi;
  Words reasons;
};

// Decides everything without running the program. Failure: the message for the user; nothing can be
// run.
Result<RunPlan> plan_run(const RunOptions& options);

// Plans and executes; returns only when nothing was run (exit code 2) or for a dry run (0).
int run(const RunOptions& options);

}  // namespace weir::tool
