// The directory that holds the benchmark's files and goes away with them, however the run ends.
#pragma once

#include <mpi.h>

#include <string>

#include "base/status.h"

namespace beffio {

class Scratch {
 public:
  // COLLECTIVE. Makes a directory of a new name in `parent`. From then on a signal that ends this process (hangup,
  // interrupt, terminate) removes it. At most one in a process.
  static weir::Result<Scratch> make(const std::string& parent, MPI_Comm comm);

  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  // LOCAL. For a rank that failed: unless the process ends before `seconds` have passed, prints the text, removes the
  // directory and ends with code 3. Other ranks may be waiting in a call that never returns.
  static void give_up_after(unsigned seconds, const std::string& text);

  // LOCAL. Removes all files in it, and itself.
  void remove() const;

  // LOCAL. Removes the files in it whose names begin with `prefix`.
  void remove_files(const std::string& prefix) const;

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace beffio
