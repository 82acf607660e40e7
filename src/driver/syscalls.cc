#include "driver/syscalls.h"

#include <dlfcn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
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

// The kernel is quicker with one part when it need not look for more. By the C library, though a call by number takes
// 15 ns less in a process with threads: tools that stand in front of it (profilers, burst buffers) have to see weir's
// calls.
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

int Syscalls::set_lock(int fd, const flock& lock) { return or_errno(::fcntl(fd, F_OFD_SETLK, &lock)); }

int Syscalls::set_lock_wait(int fd, const flock& lock) { return or_errno(::fcntl(fd, F_OFD_SETLKW, &lock)); }

int Syscalls::get_lock(int fd, flock& lock) { return or_errno(::fcntl(fd, F_OFD_GETLK, &lock)); }

ssize_t Syscalls::fgetxattr(int fd, const char* name, void* value, std::size_t bytes) {
  return or_errno(::fgetxattr(fd, name, value, bytes));
}

int Syscalls::fsetxattr(int fd, const char* name, const void* value, std::size_t bytes) {
  return or_errno(::fsetxattr(fd, name, value, bytes, 0));
}

int Syscalls::ioctl(int fd, unsigned long request, void* argument) { return or_errno(::ioctl(fd, request, argument)); }

// The library stays loaded: others may use it, and have started threads.
int Syscalls::gpfs_fcntl(int fd, void* argument) {
  using Function = int (*)(int, void*);
  static const auto function = []() -> Function {
    void* library = ::dlopen("libgpfs.so", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr ? reinterpret_cast<Function>(::dlsym(library, "gpfs_fcntl")) : nullptr;
  }();
  return function != nullptr ? or_errno(function(fd, argument)) : -ENOSYS;
}

Result<MountEntry> Syscalls::mount(int fd) { return mounts_.of(fd); }

// The page cache and calls past it never meet in one page. The kernel tells since 6.1.
DirectAlignment Syscalls::direct_alignment(int fd) {
  const std::int64_t page_bytes = ::sysconf(_SC_PAGESIZE);
#ifdef STATX_DIOALIGN
  struct statx told = {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &told) == 0 && (told.stx_mask & STATX_DIOALIGN) != 0) {
    if (told.stx_dio_offset_align == 0) return {};
    return {std::max<std::int64_t>(page_bytes, told.stx_dio_offset_align), told.stx_dio_mem_align};
  }
#endif
  struct statfs file_system = {};
  if (::fstatfs(fd, &file_system) != 0) return {page_bytes, page_bytes};
  return {std::max<std::int64_t>(page_bytes, file_system.f_bsize), page_bytes};
}

std::chrono::nanoseconds Syscalls::now() { return std::chrono::steady_clock::now().time_since_epoch(); }

void Syscalls::pause(std::chrono::microseconds duration) { sys::sleep_for(duration); }

}  // namespace weir::driver
