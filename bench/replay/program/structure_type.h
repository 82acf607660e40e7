// From a layout to an MPI datatype of the same structure.
#pragma once

#include <cstdint>

#include "layout/layout.h"
#include "workloads/program/mpi_type.h"

namespace bench {

// Bytes of the layout, in its order, at its offsets. Throws JobFailure where a list or count is longer than MPI takes.
MpiType structure_type(const weir::layout::Layout& layout);

// The same, with the begin of one instance `extent` bytes before that of the next.
MpiType tile_type(const weir::layout::Layout& layout, std::int64_t extent);

// So many bytes side by side.
MpiType bytes_type(std::int64_t bytes);

}  // namespace bench
