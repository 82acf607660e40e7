// How a file lies on its file system, asked of the operating system.
#pragma once

#include <mutex>
#include <string>

#include "driver/file_driver.h"
#include "driver/systems/file_system.h"

namespace weir::driver {

// The file system of an open file, as its mount tells.
struct Home {
  std::string type;                     // of the mount; empty where it cannot be found out
  const FileSystem* system = &kPlain;   // that serves the file: `forced` (may be null) where that is good for it
  const FileSystem* mounted = &kPlain;  // that it is on, whoever serves it
};

// Never fails, and asks no server.
Home home_of(Syscalls& system, int fd, const FileSystem* forced);

// What is known of an open file's storage.
struct Storage {
  StorageLayout layout;
  Home home;
};

// The lock granularity from st_blksize; the rest as the file system's driver knows. What cannot be found out keeps the
// default of StorageLayout; never fails.
Storage storage_of(Syscalls& system, int fd, const FileSystem* forced);

// That of one open file, asked for when it is first wanted, and kept. Thread-safe.
class KnownStorage {
 public:
  KnownStorage(Syscalls& system, int fd, const FileSystem* forced) : system_(system), fd_(fd), forced_(forced) {}
  const StorageLayout& get() const {
    std::call_once(layout_asked_, [this] { layout_ = storage_of(system_, fd_, forced_).layout; });
    return layout_;
  }
  const FileSystem& system() const { return *home().system; }
  const FileSystem& mounted() const { return *home().mounted; }
  const std::string& mount_type() const { return home().type; }

 private:
  const Home& home() const {
    std::call_once(home_asked_, [this] { home_ = home_of(system_, fd_, forced_); });
    return home_;
  }

  Syscalls& system_;
  const int fd_;
  const FileSystem* const forced_;
  mutable std::once_flag home_asked_;
  mutable std::once_flag layout_asked_;
  mutable Home home_;
  mutable StorageLayout layout_;
};

}  // namespace weir::driver
