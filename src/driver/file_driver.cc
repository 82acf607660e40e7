#include "driver/file_driver.h"

namespace weir::driver {

Result<bool> File::locked_by_other(Extent) {
  return Status(ErrorClass::kUnsupportedOperation, "this driver cannot tell what others have locked");
}

}  // namespace weir::driver
