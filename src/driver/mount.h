// Which file system a file lies on: the lines of /proc/self/mountinfo.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace weir::driver {

// One mount. Only `type` is known where /proc does not tell more.
struct MountEntry {
  int id = -1;
  unsigned device_major = 0;
  unsigned device_minor = 0;
  std::string root;  // the part of the file system that is mounted, usually "/"
  std::string mount_point;
  std::string options;        // of this mount, e.g. "rw,relatime"
  std::string type;           // e.g. "ext4", "fuse.ceph-fuse"
  std::string source;         // e.g. "/dev/sda1", "server:/export", "mfs#master:9421"
  std::string super_options;  // of the file system

  bool operator==(const MountEntry&) const = default;
};

// The entries of a mountinfo text, in its order; octal escapes are decoded. Lines that are not entries are left out.
std::vector<MountEntry> parse_mountinfo(std::string_view text);

// The entry with this id; or the last one of this device, since a later mount hides an earlier one.
std::optional<MountEntry> find_mount(const std::vector<MountEntry>& mounts, int id);
std::optional<MountEntry> find_mount(const std::vector<MountEntry>& mounts, unsigned device_major,
                                     unsigned device_minor);

// The mount of an open file: by its mount id, else by its device, else only the type from statfs.
Result<MountEntry> mount_of(int fd);

// Mounts of files that were asked about before. Thread-safe.
class MountTable {
 public:
  // As mount_of(). The same mount as before where the kernel gives the file the same numbers of mount and device: the
  // system's table of mounts is read once for each, not by every rank for every file.
  Result<MountEntry> of(int fd);

 private:
  struct Numbers {
    std::uint64_t mount;
    unsigned device_major;
    unsigned device_minor;
    bool operator==(const Numbers&) const = default;
  };
  struct Known {
    Numbers numbers;
    MountEntry mount;
  };
  static std::optional<Numbers> numbers_of(int fd);

  std::mutex mutex_;
  std::vector<Known> known_;
};

// The mount of a file or directory; of the nearest existing parent directory where the path does not exist (yet).
Result<MountEntry> mount_of(const std::string& path);

// The name mountinfo would give a file system whose statfs says `magic`; "unknown" for those not in the table.
const char* type_of_magic(long magic);

}  // namespace weir::driver
