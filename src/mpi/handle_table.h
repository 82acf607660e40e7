// MPI_File handles as numbers: (generation, slot). A freed or invented handle is recognised without touching memory
// it might point to. The C handle and the Fortran handle of a file are the same number. None is below 65 536: small
// numbers are constants of MPI in the standard ABI, where MPI_FILE_NULL is 280.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace weir::mpi {

class MpiFile;

class HandleTable;

// An open file during one call: it is not destroyed meanwhile, also when another thread closes it.
class FileUse {
 public:
  FileUse() = default;
  FileUse(FileUse&& other) noexcept
      : table_(other.table_), slot_(other.slot_), file_(std::exchange(other.file_, nullptr)) {}
  FileUse& operator=(FileUse&&) = delete;
  ~FileUse();

  MpiFile* get() const { return file_; }  // null where there is none

 private:
  friend class HandleTable;
  FileUse(HandleTable& table, std::uintptr_t slot, MpiFile* file) : table_(&table), slot_(slot), file_(file) {}

  HandleTable* table_ = nullptr;
  std::uintptr_t slot_ = 0;
  MpiFile* file_ = nullptr;
};

// Thread-safe. Using a file takes no lock: its slot counts users.
class HandleTable {
 public:
  HandleTable() = default;
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;
  ~HandleTable();

  // Null when every slot is taken (65 535 files open at once).
  MPI_File add(std::shared_ptr<MpiFile> file);
  bool full() const;
  // Null when the handle names no open file.
  std::shared_ptr<MpiFile> find(MPI_File handle) const;
  FileUse use(MPI_File handle);
  // Makes the handle invalid; returns the file it named, or null.
  std::shared_ptr<MpiFile> remove(MPI_File handle);
  // All open files, in the order of their slots.
  std::vector<std::shared_ptr<MpiFile>> all() const;

  static int to_fortran(MPI_File handle);
  static MPI_File from_fortran(int handle);

 private:
  friend class FileUse;
  // Where files are; never moves. The file's place is read by users, all else changes with the lock held.
  struct Slot {
    std::atomic<std::uint64_t> state = 0;  // users | open | generation, from the lowest bit on
    MpiFile* place = nullptr;              // of `file`, while open
    std::shared_ptr<MpiFile> file;         // stays until the last user has left
  };
  static constexpr std::size_t kSlotsOfBlock = 256;
  static constexpr std::size_t kBlocks = 256;
  using Block = std::array<Slot, kSlotsOfBlock>;

  static MPI_File encode(std::uint64_t state, std::uintptr_t slot);
  // Slots are counted from 1; null where there is none yet.
  Slot* slot_at(std::uintptr_t slot) const;
  // The slot of an open file that a handle names, or null; call with the lock held.
  Slot* slot_of(MPI_File handle) const;
  // The first free slot; 0 when there is none. Call with the lock held.
  std::uintptr_t free_slot();
  void leave(std::uintptr_t slot);

  mutable std::mutex mutex_;
  std::array<std::atomic<Block*>, kBlocks> blocks_ = {};
};

inline FileUse::~FileUse() {
  if (file_ != nullptr) table_->leave(slot_);
}

}  // namespace weir::mpi
