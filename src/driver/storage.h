// How a file lies on its file system, asked of the operating system.
#pragma once

#include "driver/file_driver.h"

namespace weir::driver {

// The layout of an open file: the file system from its mount, the lock granularity from st_blksize, the striping of
// CephFS from extended attributes, the lock protocol of Lustre and GPFS from their names. What cannot be found out keeps the default of StorageLayout; never fails.
StorageLayout storage_of(int fd);

}  // namespace weir::driver
