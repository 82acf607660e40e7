// FileSystem: what is known of one kind of file system. Each has one value, in a file of its own beside this one; bytes
// are moved by one POSIX implementation for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/extent.h"
#include "base/lock_protocol.h"
#include "driver/file_driver.h"
#include "driver/striping.h"
#include "driver/syscalls.h"

namespace weir::driver {

// A file that is to be created in a directory that is open.
struct NewFile {
  int directory = -1;
  std::string path;
  std::string name;  // in its directory
  int flags = 0;     // of open(), for reading and writing as asked
  unsigned permissions = 0666;
};

// What became of it.
struct Creation {
  int fd = -1;          // or -errno: there is no new file
  std::string refused;  // why it is not striped as asked; empty where it is, as far as the file system said
};

// What a directory has in store for a new file.
struct Inheritance {
  bool has_layout = false;  // somebody has chosen one here: it is not weir's to choose another
  int servers = 0;          // there are; 0: unknown
};

// The file system's own way of advice ahead of reads.
struct Advice {
  Syscalls& system;
  int fd;
  std::int64_t block_bytes;
};

struct FileSystem {
  std::string_view name;           // of the driver, as in weir_driver
  std::string_view prefixes = {};  // that name it before a path, separated by spaces
  std::string_view types = {};     // of the mount, separated by spaces
  std::string_view source = {};    // what the source of the mount begins with, where the type does not tell
  bool shared = false;             // other nodes may have the same files open
  bool keeps_writes = false;       // until a sync, other nodes may not see what one has written
  bool believes_caches = false;  // for a second, whoever asks; forgets them when it allocates space in the file itself
  bool fills_pages = false;      // who has a page sends all of it when a part is written, unless the node has a lock
  bool keeps_own_size = false;   // who wrote sees another node's resize only after one of its own
  bool sizes_are_dear = false;   // whoever asks for the size makes all nodes that write give up their right to it first
  bool misplaces_bytes = false;  // below FUSE: bytes read ahead may be others, while another node makes the file longer
  LockProtocol lock_protocol = LockProtocol::kNone;  // of files whose striping could be read, where read_striping is

  // What an open file says of its striping; nothing where it does not.
  Striping (*read_striping)(Syscalls& system, int fd) = nullptr;

  // Both or none: the file system lets a new file be striped.
  Inheritance (*inherits)(Syscalls& system, int directory) = nullptr;
  // Makes the file, which must not exist. Where the striping is refused the file is made without it.
  Creation (*create)(Syscalls& system, const NewFile& file, const Striping& striping) = nullptr;

  // Both or none, as File::prefetch() and File::release(); prefetch returns -1 where advice has to go another way.
  std::int64_t (*prefetch)(const Advice& advice, std::span<const Extent> ranges) = nullptr;
  void (*release)(const Advice& advice, std::span<const Extent> ranges) = nullptr;
};

// Opens the file that must not exist, as it comes.
Creation create_plain(Syscalls& system, const NewFile& file);

extern const FileSystem kBeegfs;
extern const FileSystem kCeph;
extern const FileSystem kGluster;
extern const FileSystem kGpfs;
extern const FileSystem kLocal;
extern const FileSystem kLustre;
extern const FileSystem kMoosefs;
extern const FileSystem kNfs;
extern const FileSystem kOtherShared;  // known to be shared by nodes, and no more
extern const FileSystem kPlain;        // nothing is known

}  // namespace weir::driver
