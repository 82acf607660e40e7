// A workload by the MPI-IO that stands behind MPI_File_*.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workloads/program/mpi_type.h"
#include "workloads/program/subject.h"

namespace bench {

class MpiSubject : public Subject {
 public:
  // COLLECTIVE. Makes the datatypes. `share_of_rank` tells what the other ranks do: bytes that none of them writes have
  // to stay as they are. Keeps `hints`.
  MpiSubject(FileUse use, MPI_Info hints, const std::function<Share(int)>& share_of_rank, const Meeting& meeting);

  Stopwatch run() override;

  // In force when the file was first opened.
  const std::map<std::string, std::string>& hints() const { return found_hints_; }

 private:
  struct Types {
    MpiType etype;
    MpiType file;
    MpiType memory;
  };

  MPI_File open() const;
  void set_view(MPI_File file, std::size_t access) const;
  void call(MPI_File file, std::size_t access, int number, std::byte* memory) const;
  double timed_calls(MPI_File file, std::size_t access, std::byte* memory) const;

  MPI_Info hints_;
  std::vector<Types> types_;  // one per access
  std::map<std::string, std::string> found_hints_;
};

}  // namespace bench
