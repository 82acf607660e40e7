#include "mpi/library.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "comm/mpi/courier.h"
#include "comm/mpi/host_life.h"
#include "exec/file/left_services.h"
#include "mpi/mpi_file.h"
#include "sys/waiting.h"

namespace weir::mpi {

namespace {

// MPICH's launcher drops what it has not passed on yet when a job is aborted: the reason should be seen.
constexpr std::chrono::microseconds kBeforeAbort = std::chrono::seconds(1);

// Called first in MPI_Finalize, as MPI_COMM_SELF's attributes are deleted. Where sessions live on, files may be theirs.
int end_world(MPI_Comm, int, void*, void*) {
  comm::HostLife& life = comm::HostLife::get();
  if (!life.sessions_alive()) Library::get().close_open_files();
  Library::get().tell(Library::get().recording.finish());
  life.world_ended();
  return MPI_SUCCESS;
}

}  // namespace

Library& Library::get() {
  static Library& library = *new Library;
  return library;
}

MPI_Errhandler Library::hold_default_handler() {
  std::scoped_lock lock(mutex_);
  error_handlers.retain(default_handler_);
  return default_handler_;
}

bool Library::set_default_handler(MPI_Errhandler handler) {
  if (!error_handlers.retain(handler)) return false;
  std::unique_lock lock(mutex_);
  std::swap(default_handler_, handler);
  lock.unlock();
  int error = MPI_SUCCESS;
  error_handlers.release(handler, &error);
  return true;
}

bool Library::serves_messages() const { return comm::HostLife::get().level() == MPI_THREAD_MULTIPLE; }

trace::ThreadLevel Library::thread_level() const {
  return describe(level_choice, comm::HostLife::get().level(), comm::find_progress_hook());
}

// These may have opened the same files in another order: nobody waits for other ranks.
void Library::close_open_files() {
  for (const std::shared_ptr<MpiFile>& file : files.all()) {
    file->close_at_finalize();
    files.remove(file->handle());
  }
  exec::left_services().end();
  comm::Courier::get().run_errands();  // also for requests that the program freed before they were complete
}

void Library::close_files_at_finalize() {
  std::scoped_lock lock(mutex_);
  if (finalize_hooked_ || !comm::HostLife::get().world()) return;
  int key = MPI_KEYVAL_INVALID;
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &end_world, &key, nullptr) != MPI_SUCCESS) return;
  finalize_hooked_ = PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  PMPI_Comm_free_keyval(&key);
}

exec::Voice Library::voice() {
  const auto abort = [this] {
    sys::sleep_for(kBeforeAbort);
    end_job(1);
  };
  return {[this](const std::string& text) { tell({text}); }, abort};
}

void Library::end_job(int code) {
  if (comm::HostLife::get().world()) PMPI_Abort(MPI_COMM_WORLD, code);
  for (const std::shared_ptr<MpiFile>& file : files.all()) PMPI_Abort(file->communicator(), code);
  std::abort();
}

void Library::tell(const std::vector<std::string>& lines) {
  std::scoped_lock lock(mutex_);
  for (const std::string& line : lines) {
    if (told_.insert(line).second) std::fprintf(stderr, "weir: %s\n", line.c_str());
  }
}

}  // namespace weir::mpi
