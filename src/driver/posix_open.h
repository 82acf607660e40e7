// How PosixDriver gets a descriptor.
#pragma once

#include <string>

#include "driver/file_driver.h"
#include "driver/syscalls.h"

namespace weir::driver {

struct Opened {
  int fd = -1;
  bool created = false;
  std::string striping_refused = {};  // as in StorageLayout
};

// For open(): what the mode may do, and closed on exec.
int access_flags(const OpenMode& mode);

// Opens, or creates, as PosixDriver promises. REQUIRES: mode and path passed check_open().
Result<Opened> open_descriptor(Syscalls& system, const std::string& path, const OpenMode& mode);

}  // namespace weir::driver
