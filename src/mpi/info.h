// MPI_Info as pairs, and the hints that stand outside the program.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "exec/file/settle_hints.h"
#include "hints/hint_set.h"

namespace weir::mpi {

// The value of a key; nothing when the info object has none.
std::optional<std::string> value_of(MPI_Info info, const char* key);

// The pairs of an info object, in its order; none for MPI_INFO_NULL. kInfo when the host does not know the object.
Result<hints::Pairs> pairs_of(MPI_Info info);

// A new info object with these pairs.
MPI_Info info_of(const hints::Pairs& pairs);

// `info` beside ROMIO_HINTS, WEIR_HINTS and WEIR_REPORT of this rank's environment. What is wrong with this rank's
// arguments (`refused`, or the info) is in the sources too: all ranks learn of it when they settle the hints.
exec::HintSources hint_sources(MPI_Info info, Status refused = {});
// The same for a file that is open already, without what is read but once.
exec::HintSources changed_hints(MPI_Info info);

}  // namespace weir::mpi
