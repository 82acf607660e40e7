// One rank's calls of a program, as MPI calls.
#pragma once

#include <mpi.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "programs/interpret.h"
#include "programs/mpi_types.h"

namespace weir::programs {

// How a call ended, from its code and its status.
Outcome mpi_outcome(int code);
Outcome mpi_outcome(int code, const MPI_Status& status);

class MpiBackend final : public Backend {
 public:
  // COLLECTIVE over MPI_COMM_WORLD, and so is the end: makes the program's communicators. Files are in `directory`.
  // Datatypes are freed when a call has returned, also where the access goes on, unless `keep_types`.
  MpiBackend(const Program& program, std::string directory, bool keep_types);
  ~MpiBackend() override;
  MpiBackend(const MpiBackend&) = delete;
  MpiBackend& operator=(const MpiBackend&) = delete;

  Outcome open(const Step& step) override;
  Outcome close(int file) override;
  Outcome set_view(int file, const View& view) override;
  Outcome seek(int file, std::int64_t offset, Whence whence) override;
  Outcome seek_shared(int file, std::int64_t offset) override;
  Outcome sync(int file) override;
  Outcome set_size(int file, std::int64_t bytes) override;
  Outcome preallocate(int file, std::int64_t bytes) override;
  Outcome set_atomic(int file, bool atomic) override;
  Outcome size(int file) override;
  Outcome position(int file) override;
  Outcome shared_position(int file) override;
  Outcome access(const Step& step, Buffer& buffer) override;
  Outcome end(const Step& step) override;
  std::map<int, Outcome> complete(const Step& step) override;
  void barrier(int communicator) override;
  void isend(int id, const Buffer& data) override;
  void irecv(int id, Buffer& data) override;
  void send(int id, const Buffer& data) override;
  void recv(int id, Buffer& data) override;

 private:
  std::string path(int file) const;
  MPI_File& at(int file) { return files_.at(file); }

  const Program& program_;
  std::string directory_;
  bool keep_types_;
  std::vector<MpiType> kept_types_;
  int rank_ = 0;
  std::vector<MPI_Comm> communicators_;
  std::map<int, MPI_File> files_;
  std::map<int, std::int64_t> etypes_;   // by file
  std::map<int, MPI_Request> accesses_;  // by id
  std::map<int, MPI_Request> messages_;  // by id
  std::map<int, void*> split_buffers_;   // by id
};

}  // namespace weir::programs
