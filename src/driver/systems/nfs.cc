// NFS, and others that nodes share without more being known of them. The client tells its transfer size as the block
// size of a file. A client forgets what it has of a file when it takes a lock in it.
#include "driver/systems/file_system.h"

namespace weir::driver {

constinit const FileSystem kNfs = {
    .name = "nfs",
    .prefixes = "nfs",
    .types = "nfs nfs4",
    .shared = true,
    .keeps_writes = true,
    .fills_pages = true,
};

constinit const FileSystem kOtherShared = {
    .name = "shared",
    .types = "pvfs2 panfs cifs smb3 smbfs 9p afs ocfs2 gfs2 fuse.sshfs fuse.juicefs",
    .shared = true,
    .keeps_writes = true,
};

}  // namespace weir::driver
