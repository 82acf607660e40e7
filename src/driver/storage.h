// How a file lies on its file system, asked of the operating system.
#pragma once

#include <mutex>

#include "driver/file_driver.h"
#include "driver/systems/file_system.h"

namespace weir::driver {

// What is known of an open file's storage.
struct Storage {
  StorageLayout layout;
  const FileSystem* system = &kPlain;   // that serves it
  const FileSystem* mounted = &kPlain;  // that it is on, whoever serves it
};

// The file system from the mount, or `forced` (may be null) where that is good for it; the lock granularity from
// st_blksize; the rest as the file system's driver knows. What cannot be found out keeps the default of StorageLayout;
// never fails.
Storage storage_of(Syscalls& system, int fd, const FileSystem* forced);

// That of one open file, asked for when it is first wanted, and kept. Thread-safe.
class KnownStorage {
 public:
  KnownStorage(Syscalls& system, int fd, const FileSystem* forced) : system_(system), fd_(fd), forced_(forced) {}
  const StorageLayout& get() const { return all().layout; }
  const FileSystem& system() const { return *all().system; }
  const FileSystem& mounted() const { return *all().mounted; }

 private:
  const Storage& all() const {
    std::call_once(asked_, [this] { storage_ = storage_of(system_, fd_, forced_); });
    return storage_;
  }

  Syscalls& system_;
  const int fd_;
  const FileSystem* const forced_;
  mutable std::once_flag asked_;
  mutable Storage storage_;
};

}  // namespace weir::driver
