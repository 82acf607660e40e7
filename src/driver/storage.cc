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

Storage storage_of(Syscalls& system, int fd, const FileSystem* forced) {
  Storage storage;
  struct stat attributes = {};
  if (::fstat(fd, &attributes) == 0 && attributes.st_blksize > 0) storage.layout.lock_bytes = attributes.st_blksize;
  const Result<MountEntry> mount = system.mount(fd);
  if (!mount.ok()) return storage;
  storage.system = &serving(mount.value(), forced);
  storage.layout.file_system = mount.value().type;
  storage.mounted = &file_system_of(mount.value());
  storage.layout.network = storage.mounted->shared;
  storage.layout.keeps_writes = storage.mounted->keeps_writes;
  storage.layout.driver = storage.system->name;
  read_layout(system, fd, *storage.system, storage.layout);
  return storage;
}

}  // namespace weir::driver
