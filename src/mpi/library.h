// Library: everything of weir that lives as long as the process.
#pragma once

#include <mpi.h>

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "driver/posix.h"
#include "exec/call/watchdog.h"
#include "mpi/datarep.h"
#include "mpi/error_code.h"
#include "mpi/error_handler.h"
#include "mpi/handle_table.h"
#include "mpi/recording.h"
#include "mpi/request_table.h"
#include "mpi/thread_level.h"

namespace weir::mpi {

class Library {
 public:
  // The one instance. Never destroyed: helper threads and the host may call in until the process is gone.
  static Library& get();

  HandleTable files;
  ErrorCodes error_codes;
  ErrorHandlers error_handlers;
  RequestTable requests;
  Datareps datareps;
  driver::PosixDriver driver;
  exec::WatchRoom watch_room;
  LevelChoice level_choice;  // set when MPI is started
  Recording recording;       // likewise

  // The handler of MPI_FILE_NULL: used when a call has no file, and given to every file at open. Retained: the caller
  // is one more user of it, and releases it.
  MPI_Errhandler hold_default_handler();
  // False when `handler` is no file handler.
  bool set_default_handler(MPI_Errhandler handler);

  // Whether messages move whatever the program does.
  bool serves_messages() const;
  // For the report.
  trace::ThreadLevel thread_level() const;

  // From now on, MPI_Finalize closes the files that are still open. Does nothing where only sessions are alive.
  void close_files_at_finalize();
  // Closes what is still open, as the host is about to end.
  void close_open_files();

  // Ends the whole job, as far as one process can: sessions alone have no communicator of all processes.
  [[noreturn]] void end_job(int code);

  // How watchdogs make themselves heard: standard error, and MPI_Abort.
  exec::Voice voice();

  // Prints each line once in the life of the process.
  void tell(const std::vector<std::string>& lines);

 private:
  Library() = default;
  std::mutex mutex_;
  MPI_Errhandler default_handler_ = MPI_ERRORS_RETURN;
  bool finalize_hooked_ = false;
  std::set<std::string> told_;
};

}  // namespace weir::mpi
