// One data access call, from its arguments to its outcome.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "exec/file/open_file.h"
#include "mpi/mpi_file.h"

namespace weir::mpi {

// Which of the read and write functions was called.
struct Call {
  Direction direction;
  exec::Positioning positioning;
  bool collective = false;
};

// The access a call asks for. Arguments that cannot be served make it a refused one: the other ranks of a collective
// call must not wait in vain.
exec::Access make_access(MpiFile& file, Call call, MPI_Offset offset, const Buffer& buffer);

// The three ways such a function can go about it. Each is the whole body of an entry point. `offset` counts only for
// explicit positioning.
int access_blocking(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer, MPI_Status* status);
int access_nonblocking(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer, MPI_Request* request);
int access_begin(MPI_File handle, Call call, MPI_Offset offset, Buffer buffer);
int access_end(MPI_File handle, Call call, MPI_Status* status);

}  // namespace weir::mpi
