// MemoryDriver: files that live in this process, for tests and for runs that want no storage underneath.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "driver/file_driver.h"

namespace weir::driver {

struct MemoryOptions {
  // The sum of all file sizes may not exceed this: beyond it writes stop short with ENOSPC, as on a full disk.
  std::int64_t capacity_bytes = std::numeric_limits<std::int64_t>::max();
  // The most ranges that an open file holds at a time of those prefetch() took; 0: it cannot prefetch.
  std::int64_t prefetch_slots = 0;
  // Whether locked_by_other() can tell; there are file systems where it cannot.
  bool tells_locks = true;
  // What storage() answers, e.g. a striped file system to plan for.
  StorageLayout storage = {.file_system = "memory"};
};

// Files by path, shared by every open through the same driver object; an open file keeps its contents when it is
// removed, and outlives the driver. Holes cost no memory. Locks keep out other opens and other threads alike.
// Thread-safe. Concurrent transfers are served one after the other: no byte is ever torn.
class MemoryDriver final : public FileDriver {
 public:
  explicit MemoryDriver(MemoryOptions options = {});

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode, bool* created) override;
  Status remove(const std::string& path) override;

  // From now on, opening the file for writing fails with EACCES. kNoSuchFile when there is none.
  Status make_read_only(const std::string& path);

  // All bytes of the file; kNoSuchFile when there is none.
  Result<std::vector<std::byte>> contents(const std::string& path);

 private:
  struct Shared;
  class OpenMemoryFile;
  std::shared_ptr<Shared> shared_;
};

}  // namespace weir::driver
