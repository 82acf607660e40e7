// What MPICH adds to the file chapter.
#include "mpi/entry.h"

#ifdef MPICH_VERSION

#include <memory>

#include "mpi/library.h"

namespace {

// As MPICH 5 declares them.
using FunctionWithState = void(MPI_File file, int code, void* state);
using Destructor = void(void* state);

// The host wants a function for its handle; weir calls the program's own.
void never_called(MPI_File*, int*, ...) {}

}  // namespace

WEIR_ENTRY(int, MPIX_File_create_errhandler_x, FunctionWithState* function, Destructor* destructor, void* state,
           MPI_Errhandler* errhandler) {
  const std::shared_ptr<void> kept(state, [destructor](void* ended) {
    if (destructor != nullptr) destructor(ended);
  });
  const auto call = [function, kept](MPI_File* file, int* code) { function(*file, *code, kept.get()); };
  return weir::mpi::Library::get().error_handlers.create(&never_called, call, errhandler);
}

#endif
