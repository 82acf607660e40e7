// Where the libweir.so for each MPI is.
#pragma once

#include <string>
#include <vector>

#include "mpi_use.h"

namespace weir::tool {

// The places to look in, in order: `override_directory`/MPI when given (WEIR_LIBRARY_DIR); else,
// seen from the directory of the command's own binary, the build tree's ../lib/MPI and an
// installation's ../LIBDIR/weir/MPI.
std::vector<std::string> library_candidates(MpiFamily family, const std::string& binary_directory,
                                            const std::string& override_directory);

// The first candidate that exists, as an absolute path; empty when weir was not built for this MPI.
std::string find_library(MpiFamily family);

}  // namespace weir::tool
