#include "driver/create.h"

#include <fmt/format.h>

#include <filesystem>

#include "driver/systems/registry.h"

namespace weir::driver {

namespace {

// The directory that a file is made in, open for as long.
class Directory {
 public:
  Directory(Syscalls& system, const std::filesystem::path& path) : system_(system) {
    fd_ = system.open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    if (fd_ >= 0) system_.close(fd_);
  }
  int fd() const { return fd_; }

 private:
  Syscalls& system_;
  int fd_ = -1;
};

Creation create_striped(Syscalls& system, const NewFile& file, const OpenMode& mode) {
  const Result<MountEntry> mount = system.mount(file.directory);
  const FileSystem& file_system = mount.ok() ? serving(mount.value(), mode.forced) : kPlain;
  if (file_system.create == nullptr) {
    Creation made = create_plain(system, file);
    const std::string type = mount.ok() ? mount.value().type : "the file system";
    made.refused = fmt::format("weir cannot stripe files on {} (driver {})", type, file_system.name);
    return made;
  }
  if (!mode.striping.automatic()) return file_system.create(system, file, mode.striping.asked);
  const Inheritance inheritance = file_system.inherits(system, file.directory);
  if (inheritance.has_layout) return create_plain(system, file);
  const Striping chosen = {.servers = servers_that_pay(mode.striping.sharers, inheritance.servers)};
  return file_system.create(system, file, chosen);
}

}  // namespace

Creation create_plain(Syscalls& system, const NewFile& file) {
  const int flags = file.flags | O_CREAT | O_EXCL;
  return {retried(system, [&] { return system.open(file.path.c_str(), flags, file.permissions); }), {}};
}

Creation create_file(Syscalls& system, const std::string& path, int flags, const OpenMode& mode) {
  NewFile file = {-1, path, {}, flags, mode.permissions};
  if (!mode.striping.wants_anything()) return create_plain(system, file);
  const std::filesystem::path whole = path;
  const Directory directory(system, whole.parent_path());
  if (directory.fd() < 0) {
    Creation made = create_plain(system, file);
    made.refused = Status::from_errno(-directory.fd(), "opening the directory", path).text();
    return made;
  }
  file.directory = directory.fd();
  file.name = whole.filename().string();
  return create_striped(system, file, mode);
}

}  // namespace weir::driver
