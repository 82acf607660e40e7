// What happens when a file call fails: the file's error handler decides.
#pragma once

#include <exception>
#include <new>

#include "base/status.h"
#include "mpi/mpi_file.h"

namespace weir::mpi {

// MPI_SUCCESS for an ok status. Otherwise calls the error handler of `file` (null: of MPI_FILE_NULL) with a code for
// the status, and returns that code if the handler returns.
int raise(MpiFile* file, const Status& status);
// The same for a code that exists already.
int raise_code(MpiFile* file, int code);

// Runs the body of an entry point; what it throws (out of memory) becomes a status. Nothing crosses into C.
template <typename Body>
Status guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return {ErrorClass::kNoMemory, "out of memory"};
  } catch (const std::exception& error) {
    return {ErrorClass::kInternal, error.what()};
  }
}

// The whole of an entry point that works on an open file: `body` gets the file; a handle that names none is kFile.
template <typename Body>
int on_file(MPI_File handle, Body body) {
  std::shared_ptr<MpiFile> file = find_file(handle);
  if (file == nullptr) return raise(nullptr, Status(ErrorClass::kFile, "the file handle names no open file"));
  return raise(file.get(), guarded([&] { return body(*file); }));
}

}  // namespace weir::mpi
