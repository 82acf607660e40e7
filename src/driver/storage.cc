#include "driver/storage.h"

#include <sys/stat.h>
#include <sys/xattr.h>

#include <array>
#include <charconv>
#include <limits>

#include "driver/mount.h"

namespace weir::driver {

namespace {

// The number an extended attribute holds as text; 0 where there is none.
std::int64_t number_attribute(int fd, const char* name) {
  std::array<char, 32> text;
  ssize_t length = ::fgetxattr(fd, name, text.data(), text.size());
  std::int64_t number = 0;
  if (length > 0) std::from_chars(text.data(), text.data() + length, number);
  return number;
}

bool is_ceph(const std::string& file_system) {
  return file_system == "ceph" || file_system == "fuse.ceph-fuse" || file_system == "fuse.ceph";
}

void ask_ceph(int fd, StorageLayout& layout) {
  std::int64_t stripe_bytes = number_attribute(fd, "ceph.file.layout.stripe_unit");
  std::int64_t stripe_count = number_attribute(fd, "ceph.file.layout.stripe_count");
  if (stripe_bytes <= 0 || stripe_count <= 0) return;
  if (stripe_count > std::numeric_limits<int>::max()) return;
  layout.stripe_bytes = stripe_bytes;
  layout.stripe_count = static_cast<int>(stripe_count);
}

}  // namespace

StorageLayout storage_of(int fd) {
  StorageLayout layout;
  struct stat attributes = {};
  if (::fstat(fd, &attributes) == 0 && attributes.st_blksize > 0) {
    layout.lock_bytes = attributes.st_blksize;
  }
  Result<MountEntry> mount = mount_of(fd);
  if (!mount.ok()) return layout;
  // mfsmount gives no type of its own.
  layout.file_system = mount.value().source.starts_with("mfs#") ? "fuse.mfs" : mount.value().type;
  layout.network = is_network(mount.value());
  if (is_ceph(layout.file_system)) ask_ceph(fd, layout);
  if (layout.file_system == "lustre") layout.lock_protocol = LockProtocol::kServer;
  if (layout.file_system == "gpfs") layout.lock_protocol = LockProtocol::kToken;
  return layout;
}

}  // namespace weir::driver
