#include "driver/posix_open.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "driver/create.h"

namespace weir::driver {

namespace {

constexpr int kMostRaces = 100;  // files that vanish between finding and opening them
constexpr const char* kWasThere = "the file was there before";

int try_open(Syscalls& system, const std::string& path, int flags, unsigned permissions) {
  return retried(system, [&] { return system.open(path.c_str(), flags, permissions); });
}

// 0, or the errno that says why the path cannot be opened as a file. Asked before the open, because opening a FIFO
// waits for a peer and a directory can be opened for reading.
int look(const std::string& path) {
  struct stat attributes = {};
  if (::stat(path.c_str(), &attributes) != 0) return errno;
  if (S_ISDIR(attributes.st_mode)) return EISDIR;
  if (S_ISFIFO(attributes.st_mode) || S_ISSOCK(attributes.st_mode)) return ENXIO;
  return 0;
}

bool is_symlink(const std::string& path) {
  struct stat attributes = {};
  return ::lstat(path.c_str(), &attributes) == 0 && S_ISLNK(attributes.st_mode);
}

// A descriptor of a file that exists, or -errno.
int open_existing(Syscalls& system, const std::string& path, const OpenMode& mode) {
  int refused = look(path);
  return refused != 0 ? -refused : try_open(system, path, access_flags(mode), mode.permissions);
}

Status open_failure(int error_number, const std::string& path) {
  if (error_number != ENXIO) return Status::from_errno(error_number, "open", path);
  return Status(ErrorClass::kBadFile,
                fmt::format("open of '{}': ENXIO (a FIFO, a socket or a missing device: not seekable)", path));
}

// Some file systems refuse to create (EACCES, EROFS) before they look whether the file exists.
bool may_exist(int create_error) {
  return create_error == EEXIST || create_error == EACCES || create_error == EROFS || create_error == EPERM;
}

Result<Opened> create_or_open(Syscalls& system, const std::string& path, const OpenMode& mode) {
  for (int race = 0; race < kMostRaces; ++race) {
    Creation made = create_file(system, path, access_flags(mode), mode);
    const int created = made.fd;
    if (created >= 0) return Opened{created, true, std::move(made.refused)};
    if (mode.exclusive || !may_exist(-created)) return open_failure(-created, path);

    int existing = open_existing(system, path, mode);
    if (existing >= 0) return Opened{existing, false, kWasThere};
    if (existing != -ENOENT) return open_failure(-existing, path);
    if (created != -EEXIST) return open_failure(-created, path);

    // It exists for O_EXCL but not for open: a dangling link, or somebody has just removed it.
    if (!is_symlink(path)) continue;
    int target = try_open(system, path, access_flags(mode) | O_CREAT, mode.permissions);
    return target >= 0 ? Result<Opened>(Opened{target, true, "it was made through a symbolic link"})
                       : open_failure(-target, path);
  }
  return Status(ErrorClass::kIo, fmt::format("open of '{}': the file kept being removed while it was opened", path));
}

}  // namespace

int access_flags(const OpenMode& mode) {
  int access = !mode.write ? O_RDONLY : !mode.read ? O_WRONLY : O_RDWR;
  return access | O_CLOEXEC;
}

Result<Opened> open_descriptor(Syscalls& system, const std::string& path, const OpenMode& mode) {
  if (mode.create) return create_or_open(system, path, mode);
  int fd = open_existing(system, path, mode);
  return fd >= 0 ? Result<Opened>(Opened{fd, false, kWasThere}) : open_failure(-fd, path);
}

}  // namespace weir::driver
