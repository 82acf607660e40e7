// MPI_File handles as numbers: (generation, slot). A freed or invented handle is recognised without touching memory
// it might point to. The C handle and the Fortran handle of a file are the same number.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace weir::mpi {

class MpiFile;

class HandleTable {
 public:
  // Null when every slot is taken (65 535 files open at once).
  MPI_File add(std::shared_ptr<MpiFile> file);
  bool full() const;
  // Null when the handle names no open file.
  std::shared_ptr<MpiFile> find(MPI_File handle) const;
  // Makes the handle invalid; returns the file it named, or null.
  std::shared_ptr<MpiFile> remove(MPI_File handle);
  // All open files, in the order of their slots.
  std::vector<std::shared_ptr<MpiFile>> all() const;

  static MPI_Fint to_fortran(MPI_File handle);
  static MPI_File from_fortran(MPI_Fint handle);

 private:
  struct Slot {
    std::uint32_t generation = 0;
    std::shared_ptr<MpiFile> file;
  };
  static MPI_File encode(std::uint32_t generation, std::size_t slot);
  // The slot a handle names, or null; call with the lock held.
  const Slot* slot_of(MPI_File handle) const;

  mutable std::shared_mutex mutex_;
  std::vector<Slot> slots_;
};

}  // namespace weir::mpi
