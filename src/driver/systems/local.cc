// File systems of one node, and those of which nothing is known.
#include "driver/systems/file_system.h"

namespace weir::driver {

constinit const FileSystem kLocal = {
    .name = "local",
    .prefixes = "xfs",
    .types = "ext2 ext3 ext4 xfs btrfs f2fs zfs tmpfs ramfs overlay",
};

// Also for those who want nothing known: locks between nodes and striping do not count then.
constinit const FileSystem kPlain = {.name = "ufs", .prefixes = "ufs"};

}  // namespace weir::driver
