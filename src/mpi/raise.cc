#include "mpi/raise.h"

#include <cstdio>

#include "mpi/library.h"

namespace weir::mpi {

namespace {

// The handler in force, kept alive while it is called: another thread may give the file a new one meanwhile.
class HeldHandler {
 public:
  explicit HeldHandler(const MpiFile* file)
      : handler_(file != nullptr ? file->hold_error_handler() : Library::get().hold_default_handler()) {}
  HeldHandler(const HeldHandler&) = delete;
  HeldHandler& operator=(const HeldHandler&) = delete;
  ~HeldHandler() {
    int error = MPI_SUCCESS;
    Library::get().error_handlers.release(handler_, &error);
  }
  MPI_Errhandler get() const { return handler_; }

 private:
  MPI_Errhandler handler_;
};

}  // namespace

int raise_code(MpiFile* file, int code) {
  const HeldHandler handler(file);
  if (handler.get() == MPI_ERRORS_RETURN) return code;
  if (ErrorCall call = Library::get().error_handlers.call_of(handler.get())) {
    MPI_File handle = file != nullptr ? file->handle() : MPI_FILE_NULL;
    call(&handle, &code);
    return code;
  }
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(code, text, &length);
  std::fprintf(stderr, "weir: a file call failed and its error handler is fatal: %s\n", text);
  if (file != nullptr) PMPI_Abort(file->communicator(), code);
  Library::get().end_job(code);
}

int raise(MpiFile* file, const Status& status) {
  if (status.ok()) return MPI_SUCCESS;
  return raise_code(file, Library::get().error_codes.code_of(status));
}

}  // namespace weir::mpi
