// How a node comes to see what other nodes wrote to a file.
#pragma once

#include "base/extent.h"
#include "driver/file_driver.h"
#include "driver/syscalls.h"
#include "driver/systems/file_system.h"

namespace weir::driver {

// An open file of which this node may keep bytes and the size: on a network file system they may be older than what is
// on its servers.
struct KeptFile {
  Syscalls& system;
  int fd = -1;
  const FileSystem& mounted;
  bool reads = false;  // the descriptor is open for reading
  bool writes = false;
  std::int64_t number = 0;  // of this opener, less than 2^61; another one has another
};

// What others wrote and flushed before is read from now on, and seen in the size. Does nothing on file systems of one
// node. There is no failure: what the system refuses to forget it reads as it would have. Thread-safe.
void refresh(const KeptFile& file);

// The same, but for the size where asking for it is dear.
void refresh_bytes(const KeptFile& file);

// As refresh(), of a range, for ranks that opened the file together.
void refresh_range(const KeptFile& file, Extent range);

}  // namespace weir::driver
