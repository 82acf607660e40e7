// MooseFS: chunks of 64 MiB, which the master places. It has no fallocate; the kernel says so at the first call.
#include "driver/systems/file_system.h"

namespace weir::driver {

constinit const FileSystem kMoosefs = {
    .name = "moosefs",
    .prefixes = "moosefs mfs",
    .types = "fuse.mfs fuse.moosefs",
    .source = "mfs#",
    .shared = true,
    .keeps_writes = true,
    .keeps_own_size = true,
};

}  // namespace weir::driver
