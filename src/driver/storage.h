// How a file lies on its file system, asked of the operating system.
#pragma once

#include <mutex>

#include "driver/file_driver.h"

namespace weir::driver {

// The layout of an open file: the file system from its mount, the lock granularity from st_blksize, the striping of
// CephFS from extended attributes, the lock protocol of Lustre and GPFS from their names. What cannot be
// found out keeps the default of StorageLayout; never fails.
StorageLayout storage_of(int fd);

// That of one open file, asked for when it is first wanted, and kept. Thread-safe.
class KnownStorage {
 public:
  explicit KnownStorage(int fd) : fd_(fd) {}
  const StorageLayout& get() const {
    std::call_once(asked_, [this] { layout_ = storage_of(fd_); });
    return layout_;
  }

 private:
  const int fd_;
  mutable std::once_flag asked_;
  mutable StorageLayout layout_;
};

}  // namespace weir::driver
