// The kinds of programs that are measured.
#pragma once

#include <string>

#include "compare/options.h"
#include "compare/session.h"

namespace weir::tool::compare {

// Where programs of weir's own put things.
struct Places {
  std::string data;               // the files that are measured
  std::string private_directory;  // what programs print and report
};

// The program `workloads`, which measures one workload and Block I/O of the same bytes. Keeps references.
CellProgram workload_program(const BenchOptions& options, const StartOptions& start, const Places& places);

// The program `replay`, which runs a captured program again. Keeps references.
CellProgram replay_program(const BenchOptions& options, const StartOptions& start, const Places& places);

// The program `b_eff_io`: one start each. Its result becomes the outcome's fact "result", the tables it prints "text".
CellProgram beffio_program(const BenchOptions& options, const StartOptions& start, const Places& places);

// Seconds after which a b_eff_io that should take options.time has failed: types 3 and 4 take as long as their data do.
int beffio_timeout(const BenchOptions& options);

// A program of the user's: the time of the whole command. `command` is as the user would run it without weir.
CellProgram user_program(const Command& command, const BenchOptions& options, const Places& places);

}  // namespace weir::tool::compare
