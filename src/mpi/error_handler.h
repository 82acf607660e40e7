// The file error handlers a program made, and what is done when a file call fails.
#pragma once

#include <mpi.h>

#include <map>
#include <mutex>

#include "base/status.h"

namespace weir::mpi {

// A handle's file and Fortran's view of it are the same number (see handle_table.h), so one callback type serves C
// and, on little-endian machines, Fortran.
using ErrorFunction = void (*)(MPI_File*, int*, ...);

// The handlers made by MPI_File_create_errhandler. The host makes the handle (so that its other functions know it);
// weir keeps the function and counts who uses the handle: the program that has not freed it, and every file it is
// set on. Thread-safe.
class ErrorHandlers {
 public:
  int create(ErrorFunction function, MPI_Errhandler* handler);
  // One more user of `handler`. A predefined handler needs no counting. False when `handler` is no file handler.
  bool retain(MPI_Errhandler handler);
  // One user less; the last one frees the host's handle. False when `handler` is not weir's: the caller frees it.
  bool release(MPI_Errhandler handler, int* error);
  // Null for predefined handlers.
  ErrorFunction function_of(MPI_Errhandler handler);

 private:
  struct Entry {
    ErrorFunction function;
    int users;
  };
  std::mutex mutex_;
  std::map<MPI_Errhandler, Entry> entries_;
};

bool is_predefined(MPI_Errhandler handler);

}  // namespace weir::mpi
