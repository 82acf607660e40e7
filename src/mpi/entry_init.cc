// MPI_Init and MPI_Init_thread: the program gets the thread level it asks for, unless nonblocking calls could not move
// then (thread_level.h).

#include "comm/mpi/host.h"
#include "mpi/entry.h"
#include "mpi/library.h"
#include "mpi/thread_level.h"
#include "sys/environment.h"

namespace {

int level_for(int asked) {
  using weir::mpi::LevelChoice;
  const LevelChoice choice = weir::mpi::choose_level(asked, weir::comm::find_progress_hook(), weir::sys::environment);
  weir::mpi::Library::get().level_choice = choice;
  return choice.level;
}

// What MPI_Finalize undoes first was set last: files are closed after what others, such as HDF5, do with them there.
int after_init(int error) {
  if (error != MPI_SUCCESS) return error;
  weir::mpi::Library& library = weir::mpi::Library::get();
  library.close_files_at_finalize();
  library.tell(library.recording.start());
  return error;
}

}  // namespace

WEIR_ENTRY(int, MPI_Init, int* argc, char*** argv) {
  const int level = level_for(MPI_THREAD_SINGLE);
  if (level == MPI_THREAD_SINGLE) return after_init(weir::host::next().Init(argc, argv));
  int provided = MPI_THREAD_SINGLE;
  return after_init(weir::host::next().Init_thread(argc, argv, level, &provided));
}

WEIR_ENTRY(int, MPI_Init_thread, int* argc, char*** argv, int required, int* provided) {
  return after_init(weir::host::next().Init_thread(argc, argv, level_for(required), provided));
}
