// The file error handlers a program made, and what is done when a file call fails.
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <mutex>

#include "base/status.h"

namespace weir::mpi {

// A handle's file and Fortran's view of it are the same number (see handle_table.h), so one callback type serves C
// and, on little-endian machines, Fortran.
using ErrorFunction = void (*)(MPI_File*, int*, ...);
// How weir calls a handler, whatever its language.
using ErrorCall = std::function<void(MPI_File*, int*)>;

// The handlers made by MPI_File_create_errhandler. The host makes the handle (so that its other functions know it);
// weir keeps the function and counts who uses the handle: the program that has not freed it, and every file it is
// set on. Thread-safe.
class ErrorHandlers {
 public:
  int create(ErrorFunction function, MPI_Errhandler* handler);
  int create(ErrorFunction function, ErrorCall call, MPI_Errhandler* handler);
  // One more user of `handler`. A predefined handler needs no counting. False when `handler` is no file handler.
  bool retain(MPI_Errhandler handler);
  // One user less; the last one frees the host's handle. False when `handler` is not weir's: the caller frees it.
  bool release(MPI_Errhandler handler, int* error);
  // Empty for predefined handlers.
  ErrorCall call_of(MPI_Errhandler handler);

  // Hands a handler that the caller has retained to the program, which may free it.
  void give(MPI_Errhandler handler);
  // The program frees a handler. False when it did not get it from weir: then the host's own function is right.
  bool take_back(MPI_Errhandler handler, int* error);

 private:
  struct Entry {
    ErrorCall call;
    int users = 0;
  };
  std::mutex mutex_;
  std::map<MPI_Errhandler, Entry> entries_;
  std::map<MPI_Errhandler, int> predefined_given_;  // to the program; hosts count these too
};

bool is_predefined(MPI_Errhandler handler);

}  // namespace weir::mpi
