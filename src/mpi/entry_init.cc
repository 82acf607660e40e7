// MPI_Init, MPI_Init_thread and sessions: the program gets the thread level it asks for, unless nonblocking calls could
// not move then (thread_level.h).

#include <optional>
#include <string>
#include <utility>

#include "comm/mpi/host.h"
#include "comm/mpi/host_life.h"
#include "mpi/entry.h"
#include "mpi/host_check.h"
#include "mpi/info.h"
#include "mpi/library.h"
#include "mpi/raise.h"
#include "mpi/thread_level.h"
#include "sys/environment.h"

namespace {

using weir::comm::HostLife;
using weir::host::Session;

// As MPI starts: the level to ask for.
int level_for(int asked) {
  using weir::mpi::LevelChoice;
  weir::mpi::check_host();
  const LevelChoice choice = weir::mpi::choose_level(asked, weir::comm::find_progress_hook(), weir::sys::environment);
  weir::mpi::Library::get().level_choice = choice;
  return choice.level;
}

// What MPI_Finalize undoes first was set last: files are closed after what others, such as HDF5, do with them there.
int after_init(int error) {
  if (error != MPI_SUCCESS) return error;
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  HostLife::get().world_began(level);
  weir::mpi::Library& library = weir::mpi::Library::get();
  library.close_files_at_finalize();
  library.tell(library.recording.start());
  return error;
}

constexpr const char* kLevelKey = "thread_level";

constexpr std::pair<const char*, int> kLevelNames[] = {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                                                       {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                                                       {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                                                       {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};

// The level that an info object of a session names; the lowest when it names none.
int level_in(MPI_Info info) {
  if (info == MPI_INFO_NULL) return MPI_THREAD_SINGLE;
  const std::optional<std::string> name = weir::mpi::value_of(info, kLevelKey);
  for (const auto& [known, level] : kLevelNames) {
    if (name == known) return level;
  }
  return MPI_THREAD_SINGLE;
}

// An info object like `info` with this level, to be freed by the caller.
MPI_Info with_level(MPI_Info info, int level) {
  MPI_Info raised = MPI_INFO_NULL;
  if (info == MPI_INFO_NULL) {
    PMPI_Info_create(&raised);
  } else {
    PMPI_Info_dup(info, &raised);
  }
  for (const auto& [name, known] : kLevelNames) {
    if (known == level) PMPI_Info_set(raised, kLevelKey, name);
  }
  return raised;
}

// What the host gives; what was asked for where it does not tell.
int level_of(Session session, int asked) {
  MPI_Info info = MPI_INFO_NULL;
  const auto get_info = weir::host::extras().Session_get_info;
  if (get_info == nullptr || get_info(session, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return asked;
  const int level = level_in(info);
  PMPI_Info_free(&info);
  return level;
}

int no_sessions() {
  return weir::mpi::raise(nullptr, weir::Status(weir::ErrorClass::kUnsupportedOperation, "this MPI has no sessions"));
}

}  // namespace

WEIR_ENTRY(int, MPI_Session_init, MPI_Info info, MPI_Errhandler errhandler, Session* session) {
  const auto init = weir::host::extras().Session_init;
  if (init == nullptr) return no_sessions();
  const int asked = level_in(info);
  const int level = level_for(asked);
  MPI_Info raised = level > asked ? with_level(info, level) : MPI_INFO_NULL;
  const int error = init(level > asked ? raised : info, errhandler, session);
  if (raised != MPI_INFO_NULL) PMPI_Info_free(&raised);
  if (error == MPI_SUCCESS) HostLife::get().session_began(*session, level_of(*session, level));
  return error;
}

WEIR_ENTRY(int, MPI_Session_finalize, Session* session) {
  const auto finalize = weir::host::extras().Session_finalize;
  if (finalize == nullptr) return no_sessions();
  if (session == nullptr) return finalize(session);
  const Session ending = *session;
  if (HostLife::get().last_alive(ending)) weir::mpi::Library::get().close_open_files();
  const int error = finalize(session);
  if (error == MPI_SUCCESS) HostLife::get().session_ended(ending);
  return error;
}

WEIR_ENTRY(int, MPI_Init, int* argc, char*** argv) {
  const int level = level_for(MPI_THREAD_SINGLE);
  if (level == MPI_THREAD_SINGLE) return after_init(weir::host::next().Init(argc, argv));
  int provided = MPI_THREAD_SINGLE;
  return after_init(weir::host::next().Init_thread(argc, argv, level, &provided));
}

WEIR_ENTRY(int, MPI_Init_thread, int* argc, char*** argv, int required, int* provided) {
  return after_init(weir::host::next().Init_thread(argc, argv, level_for(required), provided));
}
