#include "driver/file_driver.h"

namespace weir::driver {

std::int64_t File::prefetch(std::span<const Extent>) { return 0; }

void File::refresh() {}

Status File::resized(std::int64_t) {
  refresh();
  return {};
}

void File::release(std::span<const Extent>) {}

Result<bool> File::locked_by_other(Extent) {
  return Status(ErrorClass::kUnsupportedOperation, "this driver cannot tell what others have locked");
}

}  // namespace weir::driver
