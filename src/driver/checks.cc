#include "driver/checks.h"

#include <fmt/format.h>

namespace weir::driver {

Status check_requests(std::span<const IoRequest> requests, const std::string& path) {
  for (const IoRequest& request : requests) {
    if (is_byte_range(request)) continue;
    return Status(ErrorClass::kArgument,
                  fmt::format("transfer of '{}': a request for {} bytes at offset {} is not a byte range", path,
                              request.bytes, request.offset));
  }
  return {};
}

Status check_file_bytes(std::int64_t bytes, const char* what, const std::string& path) {
  if (bytes >= 0) return {};
  return Status(ErrorClass::kArgument, fmt::format("{} of '{}': {} bytes is negative", what, path, bytes));
}

Status check_open(const OpenMode& mode, const std::string& path) {
  if (!mode.read && !mode.write) {
    return Status(ErrorClass::kAmode, fmt::format("open of '{}': neither for reading nor writing", path));
  }
  std::size_t nul = path.find('\0');
  if (nul != std::string::npos) {
    return Status(ErrorClass::kBadFile,
                  fmt::format("open of '{}': the path has a NUL byte inside, at {}", path.c_str(), nul));
  }
  return {};
}

Status check_allowed(const OpenMode& mode, Direction direction, const char* what, const std::string& path) {
  if (direction == Direction::kRead && !mode.read) {
    return Status(ErrorClass::kAccess, fmt::format("{} of '{}': the file is open for writing only", what, path));
  }
  if (direction == Direction::kWrite && !mode.write) {
    return Status(ErrorClass::kReadOnly, fmt::format("{} of '{}': the file is open for reading only", what, path));
  }
  return {};
}

Status check_lock(Extent range, LockKind kind, const OpenMode& mode, const std::string& path) {
  if (range.begin < 0) {
    return Status(ErrorClass::kArgument, fmt::format("lock of '{}': offset {} is negative", path, range.begin));
  }
  return kind == LockKind::kExclusive ? check_allowed(mode, Direction::kWrite, "exclusive lock", path)
                                      : check_allowed(mode, Direction::kRead, "shared lock", path);
}

}  // namespace weir::driver
