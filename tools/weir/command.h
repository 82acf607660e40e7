// A command line that starts an MPI program, understood: its launcher, its programs, their MPI.
#pragma once

#include <string>
#include <vector>

#include "apply.h"
#include "base/status.h"
#include "launcher.h"
#include "program.h"
#include "words.h"

namespace weir::tool {

struct Command {
  Words words;  // as the user would run it without weir
  LaunchLine line;
  ProgramMpi program;
};

// The command line that a launcher, found along PATH, understands. Failure: not there, or of a kind unknown here.
Result<LauncherKind> kind_of_launcher(const std::string& name);

// `mpi` is "openmpi", "mpich" or "abi" when the user says it; empty: found out from the program. Failure: the message
// for the user, with what to do.
Result<Command> read_command(const Words& words, const std::string& mpi = "");

// The places to look for libweir.so in, in order: `override_directory`/MPI when given (WEIR_LIBRARY_DIR); else,
// seen from the directory of the command's own binary, the build tree's ../lib/MPI and an
// installation's ../LIBDIR/weir/MPI.
std::vector<std::string> library_candidates(MpiFamily family, const std::string& binary_directory,
                                            const std::string& override_directory);

// The first candidate that exists, as an absolute path; empty when weir was not built for this MPI.
std::string find_library(MpiFamily family);

// The libweir.so for the program. Failure: there is none, or it was made for an MPI library of another name, which it
// would bring into the process as a second MPI.
Result<std::string> library_for(const ProgramMpi& program);

// The command with variables set for its programs, by the means of its launcher.
Invocation with_variables(const Command& command, const std::vector<Variable>& variables);

// The value of an environment variable; empty when it is not set.
std::string environment(const char* name);

}  // namespace weir::tool
