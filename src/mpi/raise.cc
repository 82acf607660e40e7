#include "mpi/raise.h"

#include <cstdio>

#include "mpi/library.h"

namespace weir::mpi {

int raise_code(MpiFile* file, int code) {
  Library& library = Library::get();
  MPI_Errhandler handler = file != nullptr ? file->error_handler() : library.default_handler();
  if (handler == MPI_ERRORS_RETURN) return code;
  if (ErrorCall call = library.error_handlers.call_of(handler)) {
    MPI_File handle = file != nullptr ? file->handle() : MPI_FILE_NULL;
    call(&handle, &code);
    return code;
  }
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(code, text, &length);
  std::fprintf(stderr, "weir: a file call failed and its error handler is fatal: %s\n", text);
  PMPI_Abort(file != nullptr ? file->communicator() : MPI_COMM_WORLD, code);
  return code;
}

int raise(MpiFile* file, const Status& status) {
  if (status.ok()) return MPI_SUCCESS;
  return raise_code(file, Library::get().error_codes.code_of(status));
}

}  // namespace weir::mpi
