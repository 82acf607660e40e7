// How a file that does not exist is made, striped as it was wished for.
#pragma once

#include <string>

#include "driver/file_driver.h"
#include "driver/systems/file_system.h"

namespace weir::driver {

// Makes the file, with `flags` of open() and the permissions, driver and striping of the mode; fails with EEXIST where
// there is one. A striping that cannot be had is no failure.
Creation create_file(Syscalls& system, const std::string& path, int flags, const OpenMode& mode);

}  // namespace weir::driver
