#include "driver/file_driver.h"

namespace weir::driver {

bool IoOutcome::add(IoOutcome part, std::int64_t asked_bytes) {
  bytes_moved += part.bytes_moved;
  status = std::move(part.status);
  return status.ok() && part.bytes_moved == asked_bytes;
}

std::int64_t bytes_of(std::span<const IoRequest> requests) {
  std::int64_t bytes = 0;
  for (const IoRequest& request : requests) bytes += request.bytes;
  return bytes;
}

std::int64_t File::prefetch(std::span<const Extent>) { return 0; }

void File::refresh() {}

void File::refresh_bytes() { refresh(); }

void File::refresh_range(Extent) { refresh(); }

Status File::resized(std::int64_t) {
  refresh();
  return {};
}

void File::release(std::span<const Extent>) {}

Result<bool> File::locked_by_other(Extent) {
  return Status(ErrorClass::kUnsupportedOperation, "this driver cannot tell what others have locked");
}

}  // namespace weir::driver
