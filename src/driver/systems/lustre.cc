// Lustre: striping from the extended attribute lustre.lov or the ioctl, set by the ioctl on a file that has no objects
// yet. Each server grants locks on its own stripes.
#include <sys/ioctl.h>
#include <unistd.h>

#include <vector>

#include "driver/systems/file_system.h"
#include "driver/systems/lustre_layout.h"

namespace weir::driver {

namespace {

constexpr const char* kLayout = "lustre.lov";
constexpr std::size_t kMostLayoutBytes = 64 << 10;  // of an extended attribute

constexpr unsigned long kSetStripe = _IOW('f', 154, long);
constexpr unsigned long kGetStripe = _IOW('f', 155, long);
constexpr unsigned long kGetServerCount = _IOR('f', 168, long);

// Makes no objects at the open; both the flag of old clients and that of new ones, which means nothing to a file
// elsewhere.
constexpr int kDelayCreate = 0100000000 | O_NOCTTY | O_ASYNC;

Striping read_striping(Syscalls& system, int fd) {
  std::vector<std::byte> bytes(kMostLayoutBytes);
  const ssize_t length = system.fgetxattr(fd, kLayout, bytes.data(), bytes.size());
  if (length > 0) return parse_lustre_layout(std::span(bytes).first(static_cast<std::size_t>(length)));
  const LustreRequest plain = lustre_request({});
  std::copy(plain.begin(), plain.end(), bytes.begin());
  return system.ioctl(fd, kGetStripe, bytes.data()) < 0 ? Striping() : parse_lustre_layout(bytes);
}

Inheritance inherits(Syscalls& system, int directory) {
  std::vector<std::byte> bytes(kMostLayoutBytes);
  int servers = 0;  // asks for those of data
  if (system.ioctl(directory, kGetServerCount, &servers) < 0) servers = 0;
  return {system.fgetxattr(directory, kLayout, bytes.data(), bytes.size()) > 0, servers};
}

// A file that was refused a striping gets its objects at the next open.
Creation create(Syscalls& system, const NewFile& file, const Striping& striping) {
  if (!fits_lustre_request(striping)) {
    Creation plain = create_plain(system, file);
    plain.refused = "a number is larger than any of Lustre's";
    return plain;
  }
  NewFile without_objects = file;
  without_objects.flags |= kDelayCreate;
  Creation made = create_plain(system, without_objects);
  if (made.fd < 0) return made;
  LustreRequest request = lustre_request(striping);
  const int set = retried(system, [&] { return system.ioctl(made.fd, kSetStripe, request.data()); });
  if (set >= 0) return made;
  made.refused = Status::from_errno(-set, "setting the striping", file.path).text();
  system.close(made.fd);
  made.fd = retried(system, [&] { return system.open(file.path.c_str(), file.flags, file.permissions); });
  if (made.fd < 0) ::unlink(file.path.c_str());
  return made;
}

}  // namespace

constinit const FileSystem kLustre = {
    .name = "lustre",
    .prefixes = "lustre",
    .types = "lustre",
    .shared = true,
    .lock_protocol = LockProtocol::kServer,
    .read_striping = &read_striping,
    .inherits = &inherits,
    .create = &create,
};

}  // namespace weir::driver
