#include "mpi/error_handler.h"

#include "comm/mpi/host.h"

namespace weir::mpi {

bool is_predefined(MPI_Errhandler handler) {
#ifdef MPI_ERRORS_ABORT
  if (handler == MPI_ERRORS_ABORT) return true;
#endif
  return handler == MPI_ERRORS_RETURN || handler == MPI_ERRORS_ARE_FATAL;
}

int ErrorHandlers::create(ErrorFunction function, MPI_Errhandler* handler) {
  int error = host::next().File_create_errhandler(reinterpret_cast<MPI_File_errhandler_function*>(function), handler);
  if (error != MPI_SUCCESS) return error;
  std::scoped_lock lock(mutex_);
  entries_[*handler] = Entry{function, 1};
  return MPI_SUCCESS;
}

bool ErrorHandlers::retain(MPI_Errhandler handler) {
  if (is_predefined(handler)) return true;
  std::scoped_lock lock(mutex_);
  auto entry = entries_.find(handler);
  if (entry == entries_.end()) return false;
  ++entry->second.users;
  return true;
}

bool ErrorHandlers::release(MPI_Errhandler handler, int* error) {
  *error = MPI_SUCCESS;
  std::scoped_lock lock(mutex_);
  auto entry = entries_.find(handler);
  if (entry == entries_.end()) return false;
  if (--entry->second.users > 0) return true;
  entries_.erase(entry);
  *error = host::next().Errhandler_free(&handler);
  return true;
}

ErrorFunction ErrorHandlers::function_of(MPI_Errhandler handler) {
  std::scoped_lock lock(mutex_);
  auto entry = entries_.find(handler);
  return entry == entries_.end() ? nullptr : entry->second.function;
}

}  // namespace weir::mpi
