// What every driver refuses before it touches the file: nonsense ranges, and calls the open mode does not allow.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "driver/file_driver.h"

namespace weir::driver {

// No negative number, and an end that is an offset.
inline bool is_byte_range(const IoRequest& request) {
  return request.offset >= 0 && request.bytes >= 0 &&
         request.bytes <= std::numeric_limits<std::int64_t>::max() - request.offset;
}

// kArgument when an offset or byte count is negative, or a request ends beyond the largest offset.
Status check_requests(std::span<const IoRequest> requests, const std::string& path);

// kArgument when the byte count is negative; `what` names the call.
Status check_file_bytes(std::int64_t bytes, const char* what, const std::string& path);

// kAmode unless the mode reads or writes; kBadFile for a path with a NUL inside (the system would open another file).
Status check_open(const OpenMode& mode, const std::string& path);

// kAccess when reading a file that is open for writing only; kReadOnly when changing one open for reading only.
Status check_allowed(const OpenMode& mode, Direction direction, const char* what, const std::string& path);

// kArgument for a negative offset; kReadOnly and kAccess where the operating system would refuse the lock: an exclusive
// one needs the file open for writing, a shared one for reading.
Status check_lock(Extent range, LockKind kind, const OpenMode& mode, const std::string& path);

}  // namespace weir::driver
