// Error handlers of files.
#include "comm/mpi/host.h"
#include "mpi/entry.h"
#include "mpi/library.h"
#include "mpi/raise.h"

namespace {

using weir::ErrorClass;
using weir::Status;
using weir::mpi::Library;
using weir::mpi::MpiFile;
using weir::mpi::on_file;
using weir::mpi::raise;

Status set_default(MPI_Errhandler handler) {
  if (Library::get().set_default_handler(handler)) return {};
  return {ErrorClass::kArgument, "this is no error handler for files"};
}

// The caller may free what it gets. REQUIRES a handler that is held.
Status give(MPI_Errhandler held, MPI_Errhandler* to) {
  Library::get().error_handlers.give(held);
  *to = held;
  return {};
}

}  // namespace

WEIR_ENTRY(int, MPI_File_create_errhandler, MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  return Library::get().error_handlers.create(reinterpret_cast<weir::mpi::ErrorFunction>(function), errhandler);
}

WEIR_ENTRY(int, MPI_File_set_errhandler, MPI_File fh, MPI_Errhandler errhandler) {
  if (fh == MPI_FILE_NULL) return raise(nullptr, set_default(errhandler));
  return on_file(fh, [&](MpiFile& file) -> Status {
    if (file.set_error_handler(errhandler)) return {};
    return {ErrorClass::kArgument, "this is no error handler for files"};
  });
}

WEIR_ENTRY(int, MPI_File_get_errhandler, MPI_File fh, MPI_Errhandler* errhandler) {
  if (fh == MPI_FILE_NULL) return raise(nullptr, give(Library::get().hold_default_handler(), errhandler));
  return on_file(fh, [&](MpiFile& file) { return give(file.hold_error_handler(), errhandler); });
}

WEIR_ENTRY(int, MPI_File_call_errhandler, MPI_File fh, int errorcode) {
  std::shared_ptr<MpiFile> file = weir::mpi::find_file(fh);
  if (file == nullptr && fh != MPI_FILE_NULL) {
    return raise(nullptr, Status(ErrorClass::kFile, "the file handle names no open file"));
  }
  weir::mpi::raise_code(file.get(), errorcode);
  return MPI_SUCCESS;
}

WEIR_ENTRY(int, MPI_Errhandler_free, MPI_Errhandler* errhandler) {
  int error = MPI_SUCCESS;
  if (errhandler == nullptr || !Library::get().error_handlers.take_back(*errhandler, &error)) {
    return weir::host::next().Errhandler_free(errhandler);
  }
  *errhandler = MPI_ERRHANDLER_NULL;
  return error;
}
