// The directory that holds the benchmark's files and goes away with them.
#pragma once

#include <mpi.h>

#include <string>

#include "base/status.h"
#include "guard.h"

namespace beffio {

class Scratch {
 public:
  // COLLECTIVE. Makes a directory of a new name in `parent`. The guard of rank 0 removes it if this program cannot; the
  // others are dismissed.
  static weir::Result<Scratch> make(const std::string& parent, Guard& guard, MPI_Comm comm);

  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  // LOCAL. Removes it and all that is in it.
  void remove() const;

  // LOCAL. Removes the files in it whose names begin with `prefix`.
  void remove_files(const std::string& prefix) const;

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace beffio
