// MPI_Init and MPI_Init_thread: the host is asked for MPI_THREAD_MULTIPLE, so that a helper thread can drive
// nonblocking collective calls while the program computes. WEIR_THREADS=keep leaves the level alone.
#include <cstring>

#include "comm/mpi/host.h"
#include "exec/environment.h"
#include "mpi/entry.h"
#include "mpi/library.h"

namespace {

bool keep_thread_level() {
  const char* wish = weir::exec::environment("WEIR_THREADS");
  return wish != nullptr && std::strcmp(wish, "keep") == 0;
}

// What MPI_Finalize undoes first was set last: files are closed after what others, such as HDF5, do with them there.
int after_init(int error) {
  if (error == MPI_SUCCESS) weir::mpi::Library::get().close_files_at_finalize();
  return error;
}

}  // namespace

WEIR_EXPORT int PMPI_Init(int* argc, char*** argv) {
  if (keep_thread_level()) return after_init(weir::host::next().Init(argc, argv));
  int provided = MPI_THREAD_SINGLE;
  return after_init(weir::host::next().Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided));
}

WEIR_EXPORT int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int level = keep_thread_level() ? required : MPI_THREAD_MULTIPLE;
  return after_init(weir::host::next().Init_thread(argc, argv, level, provided));
}

WEIR_ALIAS(MPI_Init);
WEIR_ALIAS(MPI_Init_thread);
