// GlusterFS: a file lies on one brick.
#include "driver/systems/file_system.h"

namespace weir::driver {

constinit const FileSystem kGluster = {
    .name = "gluster",
    .prefixes = "gluster glusterfs",
    .types = "fuse.glusterfs",
    .shared = true,
    .keeps_writes = true,
    .believes_caches = true,
};

}  // namespace weir::driver
