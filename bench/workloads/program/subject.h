// One file and what this rank does with it: what is timed.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workloads/program/mpi_type.h"
#include "workloads/program/options.h"
#include "workloads/program/values.h"
#include "workloads/share.h"

namespace bench {

struct FileUse {
  std::string path;
  Direction direction = Direction::kWrite;
  MPI_Info hints = MPI_INFO_NULL;
};

// Seconds that one repeat took.
struct Stopwatch {
  double calls = 0;  // only the calls that move data
  double whole = 0;  // from open to close
};

class Subject {
 public:
  // COLLECTIVE. Makes the datatypes, touches the memory, removes an old file. `share_of_rank` tells what the other
  // ranks do: bytes that none of them writes have to stay as they are.
  Subject(FileUse use, Share share, const std::function<Share(int)>& share_of_rank);
  // COLLECTIVE. Gives memory (to be written) or the file (to be read) the values of `salt`; memory to be read into is
  // cleared.
  void prepare(std::uint32_t salt);

  // COLLECTIVE. One repeat.
  Stopwatch run();

  // COLLECTIVE. True on all ranks if the file (written) or memory (read) has the values of `salt` on all ranks.
  bool is_right(std::uint32_t salt);

  // COLLECTIVE. Removes the file, if there is one.
  void remove_file() const;

  // In force when the file was first opened.
  const std::map<std::string, std::string>& hints() const { return hints_; }

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
  FilePart part_of(int rank) const;
  void write_file(std::uint32_t salt) const;

  FileUse use_;
  Share share_;
  std::vector<Types> types_;  // one per access
  std::vector<std::byte> memory_;
  Coverage coverage_;  // of the part that this rank looks at
  std::map<std::string, std::string> hints_;
};

}  // namespace bench
