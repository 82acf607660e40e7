// MpiFile: an OpenFile with the MPI objects that belong to it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "comm/mpi/mpi_comm.h"
#include "exec/file/open_file.h"
#include "mpi/datarep.h"
#include "mpi/datatype.h"
#include "mpi/handle_table.h"

namespace weir::mpi {

class MpiFile {
 public:
  // `report` is WEIR_REPORT of rank 0.
  MpiFile(std::unique_ptr<exec::OpenFile> open_file, std::shared_ptr<comm::CommGroup> group, std::string report);
  ~MpiFile();

  exec::OpenFile& open_file() { return *open_file_; }
  MPI_Comm communicator() const { return group_->handle(); }
  int amode = 0;

  MPI_File handle() const { return handle_; }
  void set_handle(MPI_File handle) { handle_ = handle; }

  // Retained: the caller is one more user of it, and releases it.
  MPI_Errhandler hold_error_handler() const;
  // Keeps the handler alive until it is replaced or the file is gone. False when it is no file handler.
  bool set_error_handler(MPI_Errhandler handler);

  // COLLECTIVE.
  Status set_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep,
                  MPI_Info info);
  Status set_info(MPI_Info info);
  // Delivers the report where one is wanted; whether that works or not changes nothing else.
  Status close();

  // LOCAL.
  void get_view(MPI_Offset* displacement, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep) const;
  std::shared_ptr<const Datarep> datarep() const;
  bool converts() const { return converts_; }  // whether the data representation does
  void close_at_finalize();

 private:
  void deliver_report();
  struct View {
    KeptType etype;
    KeptType filetype;
    std::shared_ptr<const Datarep> datarep;
  };
  // This rank's view in the engine's terms, or why it cannot be.
  Result<layout::FileView> make_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                                     const Datarep* datarep);

  std::unique_ptr<exec::OpenFile> open_file_;
  std::shared_ptr<comm::CommGroup> group_;
  std::string report_;  // WEIR_REPORT of rank 0
  MPI_File handle_ = MPI_FILE_NULL;
  mutable std::mutex mutex_;
  MPI_Errhandler error_handler_;
  View view_;
  std::atomic<bool> converts_ = false;  // as view_ says
};

// The open file a handle names, or null: to be kept, or for one call.
std::shared_ptr<MpiFile> find_file(MPI_File handle);
FileUse use_file(MPI_File handle);

}  // namespace weir::mpi
