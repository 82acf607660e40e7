// CephFS: the layout of a file is in extended attributes, which a file without data takes.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <numeric>

#include "driver/systems/file_system.h"

namespace weir::driver {

namespace {

// The number that a field of the layout holds as text; 0 where there is none.
std::int64_t read_field(Syscalls& system, int fd, const char* name) {
  std::array<char, 32> text;
  const ssize_t length = system.fgetxattr(fd, name, text.data(), text.size());
  std::int64_t number = 0;
  if (length > 0) std::from_chars(text.data(), text.data() + length, number);
  return number;
}

constexpr const char* kUnit = "ceph.file.layout.stripe_unit";
constexpr const char* kServers = "ceph.file.layout.stripe_count";
constexpr const char* kObject = "ceph.file.layout.object_size";

Striping read_striping(Syscalls& system, int fd) {
  const std::int64_t unit = read_field(system, fd, kUnit);
  const std::int64_t servers = read_field(system, fd, kServers);
  if (unit <= 0 || servers <= 0 || servers > std::numeric_limits<int>::max()) return {};
  return {unit, static_cast<int>(servers), -1};
}

int write_field(Syscalls& system, int fd, const char* name, std::int64_t number) {
  const std::string text = fmt::format("{}", number);
  return system.fsetxattr(fd, name, text.data(), text.size());
}

// After every step the objects must hold whole units: those that do not are made to hold old and new ones first.
int write_unit(Syscalls& system, int fd, std::int64_t unit) {
  const std::int64_t object = read_field(system, fd, kObject);
  const std::int64_t old_unit = read_field(system, fd, kUnit);
  if (object <= 0 || old_unit <= 0) return -ENODATA;
  if (object % unit != 0) {
    const int enlarged = write_field(system, fd, kObject, std::lcm(object, unit));
    if (enlarged < 0) return enlarged;
  }
  return write_field(system, fd, kUnit, unit);
}

Creation create(Syscalls& system, const NewFile& file, const Striping& striping) {
  Creation made = create_plain(system, file);
  if (made.fd < 0) return made;
  int returned = striping.unit_bytes > 0 ? write_unit(system, made.fd, striping.unit_bytes) : 0;
  if (returned >= 0 && striping.servers > 0) returned = write_field(system, made.fd, kServers, striping.servers);
  if (returned < 0) made.refused = Status::from_errno(-returned, "setting the layout", file.path).text();
  if (made.refused.empty() && striping.first_server >= 0) made.refused = "CephFS places the first stripe itself";
  return made;
}

// Objects of a file go to all servers whatever its layout is: there is nothing to choose without being asked.
Inheritance inherits(Syscalls&, int) { return {.has_layout = true}; }

}  // namespace

constinit const FileSystem kCeph = {
    .name = "ceph",
    .prefixes = "ceph",
    .types = "ceph fuse.ceph-fuse fuse.ceph",
    .shared = true,
    .sizes_are_dear = true,
    .misplaces_bytes = true,
    .read_striping = &read_striping,
    .inherits = &inherits,
    .create = &create,
};

}  // namespace weir::driver
