// The host's named types and the basic kinds they are.
#pragma once

#include <mpi.h>

#include <optional>

#include "layout/basic_kind.h"

namespace weir::mpi {

std::optional<layout::BasicKind> kind_of(MPI_Datatype named);

// MPI_DATATYPE_NULL where the host has none.
MPI_Datatype named_type(layout::BasicKind kind);

// The sizes this host's named types have in memory.
const layout::Representation& native_representation();

// The bytes of a named type that has no gaps, inside or between instances; 0 for every other type. Quick: for each
// call.
std::int64_t gapless_bytes(MPI_Datatype type);

}  // namespace weir::mpi
