// What happens when a file call fails: the file's error handler decides.
#pragma once

#include "base/guarded.h"
#include "base/status.h"
#include "mpi/mpi_file.h"

namespace weir::mpi {

// MPI_SUCCESS for an ok status. Otherwise calls the error handler of `file` (null: of MPI_FILE_NULL) with a code for
// the status, and returns that code if the handler returns.
int raise(MpiFile* file, const Status& status);
// The same for a code that exists already.
int raise_code(MpiFile* file, int code);

// Runs the body of an entry point. Nothing crosses into C.
using weir::guarded;

// The whole of an entry point that works on an open file: `body` gets the file; a handle that names none is kFile.
template <typename Body>
int on_file(MPI_File handle, Body body) {
  const FileUse file = use_file(handle);
  if (file.get() == nullptr) return raise(nullptr, Status(ErrorClass::kFile, "the file handle names no open file"));
  const Status status = guarded([&] { return body(*file.get()); });
  return status.ok() ? MPI_SUCCESS : raise(file.get(), status);
}

}  // namespace weir::mpi
