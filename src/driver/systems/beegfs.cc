// BeeGFS: striping by the ioctls of its public header, beegfs/beegfs_ioctl.h.
#include <sys/ioctl.h>

#include <limits>

#include "driver/systems/file_system.h"

namespace weir::driver {

namespace {

struct StripeInfo {
  std::uint32_t pattern = 0;
  std::uint32_t chunk_bytes = 0;
  std::uint16_t targets = 0;
};
static_assert(sizeof(StripeInfo) == 12);

struct StripedFile {
  const char* name = nullptr;     // in the directory that the call is made on
  std::uint32_t permissions = 0;  // the client takes the umask from them
  std::uint32_t targets = 0;      // 0: as the directory has it
  std::uint32_t chunk_bytes = 0;  // a power of two, at least 64 KiB; 0 as above
};
static_assert(sizeof(StripedFile) == 24);

constexpr unsigned long kGetStripeInfo = _IOR('f', 25, StripeInfo);
constexpr unsigned long kMakeStriped = _IOW('f', 27, StripedFile);

Striping read_striping(Syscalls& system, int fd) {
  StripeInfo info;
  if (system.ioctl(fd, kGetStripeInfo, &info) < 0 || info.chunk_bytes == 0 || info.targets == 0) return {};
  return {info.chunk_bytes, info.targets, -1};
}

// Every directory has a striping, and does not tell whether somebody chose it.
Inheritance inherits(Syscalls&, int) { return {.has_layout = true}; }

int make_striped(Syscalls& system, const NewFile& file, const Striping& striping) {
  if (striping.unit_bytes > std::numeric_limits<std::uint32_t>::max()) return -EINVAL;
  StripedFile wanted = {file.name.c_str(), file.permissions, static_cast<std::uint32_t>(striping.servers),
                        static_cast<std::uint32_t>(striping.unit_bytes)};
  return system.ioctl(file.directory, kMakeStriped, &wanted);
}

Creation create(Syscalls& system, const NewFile& file, const Striping& striping) {
  const int made = make_striped(system, file, striping);
  if (made == -EEXIST) return {made, {}};
  if (made < 0) {
    Creation plain = create_plain(system, file);
    plain.refused = Status::from_errno(-made, "striped creation", file.path).text();
    return plain;
  }
  Creation opened = {retried(system, [&] { return system.open(file.path.c_str(), file.flags, file.permissions); }), {}};
  if (striping.first_server >= 0) opened.refused = "BeeGFS places the first stripe itself";
  return opened;
}

}  // namespace

constinit const FileSystem kBeegfs = {
    .name = "beegfs",
    .prefixes = "beegfs",
    .types = "beegfs fuse.beegfs",
    .shared = true,
    .keeps_writes = true,
    .read_striping = &read_striping,
    .inherits = &inherits,
    .create = &create,
};

}  // namespace weir::driver
