// MPI_Info as pairs, and the hints that stand outside the program.
#pragma once

#include <mpi.h>

#include "exec/settle_hints.h"
#include "hints/hint_set.h"

namespace weir::mpi {

// The pairs of an info object, in its order; none for MPI_INFO_NULL.
hints::Pairs pairs_of(MPI_Info info);

// A new info object with these pairs.
MPI_Info info_of(const hints::Pairs& pairs);

// `info` beside ROMIO_HINTS, WEIR_HINTS and WEIR_REPORT of this rank's environment.
exec::HintSources hint_sources(MPI_Info info);

}  // namespace weir::mpi
