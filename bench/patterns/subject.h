// One file and what this rank does with it: what is timed.

#ifndef WEIR_BENCH_PATTERNS_SUBJECT_H_
#define WEIR_BENCH_PATTERNS_SUBJECT_H_

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "measure.h"
#include "mpi_type.h"
#include "pattern.h"

namespace bench {

class Subject {
 public:
  // LOCAL. Makes the datatypes and touches the memory.
  Subject(std::string path, Workload workload, MPI_Info hints);

  const Workload& workload() const { return workload_; }

  // COLLECTIVE. Gives memory (to be written) or the file (to be read) the values of `salt`; memory to be read into is
  // cleared.
  void prepare(Direction direction, std::uint32_t salt);

  // COLLECTIVE. One repeat; adds its times to `times` unless that is null.
  void run(Direction direction, Times* times);

  // COLLECTIVE. True on all ranks if the file (written) or memory (read) has the values of `salt` on all ranks.
  bool is_right(Direction direction, std::uint32_t salt);

  // COLLECTIVE. Removes the file, if there is one.
  void remove_file() const;

 private:
  struct Types {
    MpiType etype;
    MpiType file;
    MpiType memory;
  };

  MPI_File open(Direction direction) const;
  void set_view(MPI_File file, std::size_t access) const;
  void call(MPI_File file, std::size_t access, int number, std::byte* memory, Direction direction) const;
  double timed_calls(MPI_File file, std::size_t access, std::byte* memory, Direction direction) const;

  std::string path_;
  Workload workload_;
  MPI_Info hints_;
  std::vector<Types> types_;  // one per access
  std::vector<std::byte> memory_;
};

}  // namespace bench

#endif  // WEIR_BENCH_PATTERNS_SUBJECT_H_
