#include "driver/storage.h"

#include <sys/stat.h>

#include "driver/systems/registry.h"

namespace weir::driver {

namespace {

// A protocol of locks on stripes is of no use to those who do not know the stripes.
void read_layout(Syscalls& system, int fd, const FileSystem& file_system, StorageLayout& layout) {
  if (file_system.read_striping == nullptr) {
    layout.lock_protocol = file_system.lock_protocol;
    return;
  }
  const Striping striping = file_system.read_striping(system, fd);
  layout.stripe_bytes = striping.unit_bytes;
  layout.first_server = striping.first_server;
  if (striping.servers == 0) return;
  layout.stripe_count = striping.servers;
  layout.lock_protocol = file_system.lock_protocol;
}

}  // namespace

Home home_of(Syscalls& system, int fd, const FileSystem* forced) {
  const Result<MountEntry> mount = system.mount(fd);
  if (!mount.ok()) return {};
  return {mount.value().type, &serving(mount.value(), forced), &file_system_of(mount.value())};
}

Storage storage_of(Syscalls& system, int fd, const FileSystem* forced) {
  Storage storage = {{}, home_of(system, fd, forced)};
  StorageLayout& layout = storage.layout;
  const Home& home = storage.home;
  struct stat attributes = {};
  if (::fstat(fd, &attributes) == 0 && attributes.st_blksize > 0) layout.lock_bytes = attributes.st_blksize;
  if (home.type.empty()) return storage;
  layout.file_system = home.type;
  layout.network = home.mounted->shared;
  layout.keeps_writes = home.mounted->keeps_writes;
  layout.driver = home.system->name;
  read_layout(system, fd, *home.system, layout);
  return storage;
}

}  // namespace weir::driver
