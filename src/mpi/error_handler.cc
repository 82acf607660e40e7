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
  return create(
      function, [function](MPI_File* file, int* code) { function(file, code); }, handler);
}

int ErrorHandlers::create(ErrorFunction function, ErrorCall call, MPI_Errhandler* handler) {
  int error = host::next().File_create_errhandler(reinterpret_cast<MPI_File_errhandler_function*>(function), handler);
  if (error != MPI_SUCCESS) return error;
  std::scoped_lock lock(mutex_);
  entries_[*handler] = Entry{std::move(call), 1};
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
  Entry ended;  // goes without the lock: what belongs to it may call MPI
  std::scoped_lock lock(mutex_);
  auto entry = entries_.find(handler);
  if (entry == entries_.end()) return false;
  if (--entry->second.users > 0) return true;
  ended = std::move(entry->second);
  entries_.erase(entry);
  *error = host::next().Errhandler_free(&handler);
  return true;
}

ErrorCall ErrorHandlers::call_of(MPI_Errhandler handler) {
  std::scoped_lock lock(mutex_);
  auto entry = entries_.find(handler);
  return entry == entries_.end() ? ErrorCall() : entry->second.call;
}

void ErrorHandlers::give(MPI_Errhandler handler) {
  if (!is_predefined(handler)) return;  // the caller's use of it is the program's from now on
  std::scoped_lock lock(mutex_);
  ++predefined_given_[handler];
}

bool ErrorHandlers::take_back(MPI_Errhandler handler, int* error) {
  if (!is_predefined(handler)) return release(handler, error);
  *error = MPI_SUCCESS;
  std::scoped_lock lock(mutex_);
  auto given = predefined_given_.find(handler);
  if (given == predefined_given_.end() || given->second == 0) return false;
  --given->second;
  return true;
}

}  // namespace weir::mpi
