#include "driver/syscalls.h"

#include <sys/stat.h>
#include <unistd.h>

#include "sys/waiting.h"

namespace weir::driver {

static_assert(sizeof(off_t) == 8, "weir needs 64-bit file offsets");

namespace {

template <typename T>
T or_errno(T returned) {
  return returned < 0 ? static_cast<T>(-errno) : returned;
}

}  // namespace

int Syscalls::open(const char* path, int flags, mode_t permissions) {
  return or_errno(::open(path, flags, permissions));
}

int Syscalls::close(int fd) { return or_errno(::close(fd)); }

// The kernel is quicker with one part when it need not look for more.
ssize_t Syscalls::preadv(int fd, const iovec* parts, int part_count, off_t offset) {
  if (part_count == 1) return or_errno(::pread(fd, parts->iov_base, parts->iov_len, offset));
  return or_errno(::preadv(fd, parts, part_count, offset));
}

ssize_t Syscalls::pwritev(int fd, const iovec* parts, int part_count, off_t offset) {
  if (part_count == 1) return or_errno(::pwrite(fd, parts->iov_base, parts->iov_len, offset));
  return or_errno(::pwritev(fd, parts, part_count, offset));
}

int Syscalls::advise_willneed(int fd, off_t offset, off_t bytes) {
  return -::posix_fadvise(fd, offset, bytes, POSIX_FADV_WILLNEED);  // returns the error instead of setting errno
}

int Syscalls::advise_dontneed(int fd, off_t offset, off_t bytes) {
  return -::posix_fadvise(fd, offset, bytes, POSIX_FADV_DONTNEED);
}

int Syscalls::renew_attributes(int fd) {
  struct statx attributes = {};
  return or_errno(::statx(fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_SIZE | STATX_MTIME, &attributes));
}

int Syscalls::ftruncate(int fd, off_t bytes) { return or_errno(::ftruncate(fd, bytes)); }

int Syscalls::fallocate(int fd, off_t offset, off_t bytes) { return or_errno(::fallocate(fd, 0, offset, bytes)); }

int Syscalls::fallocate_inside(int fd, off_t offset, off_t bytes) {
  return or_errno(::fallocate(fd, FALLOC_FL_KEEP_SIZE, offset, bytes));
}

int Syscalls::fsync(int fd) { return or_errno(::fsync(fd)); }

int Syscalls::set_lock_wait(int fd, const flock& lock) { return or_errno(::fcntl(fd, F_OFD_SETLKW, &lock)); }

int Syscalls::get_lock(int fd, flock& lock) { return or_errno(::fcntl(fd, F_OFD_GETLK, &lock)); }

void Syscalls::pause(std::chrono::microseconds duration) { sys::sleep_for(duration); }

}  // namespace weir::driver
