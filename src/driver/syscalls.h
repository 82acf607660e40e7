// Syscalls: the system calls that the POSIX driver makes on a file. The class itself is the kernel; tests override
// what they want to fail, shorten or count.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>

#include "driver/mount.h"
#include "driver/ring.h"

namespace weir::driver {

// What calls past the page cache (O_DIRECT) must keep to, in bytes; zeros where the file takes none.
struct DirectAlignment {
  std::int64_t file = 0;    // of offsets and lengths; whole pages
  std::int64_t memory = 0;  // of addresses
};

// Every call returns what the system call of that name returns, or -errno.
class Syscalls {
 public:
  virtual ~Syscalls() = default;

  virtual int open(const char* path, int flags, mode_t permissions);
  virtual int close(int fd);
  virtual ssize_t preadv(int fd, const iovec* parts, int part_count, off_t offset);
  virtual ssize_t pwritev(int fd, const iovec* parts, int part_count, off_t offset);
  virtual int advise_willneed(int fd, off_t offset, off_t bytes);  // posix_fadvise
  virtual int advise_dontneed(int fd, off_t offset, off_t bytes);
  virtual int renew_attributes(int fd);  // statx, from the servers
  virtual int ftruncate(int fd, off_t bytes);
  virtual int fallocate(int fd, off_t offset, off_t bytes);
  virtual int fallocate_inside(int fd, off_t offset, off_t bytes);  // the size stays
  virtual int fsync(int fd);
  virtual int set_lock(int fd, const flock& lock);       // fcntl(F_OFD_SETLK)
  virtual int set_lock_wait(int fd, const flock& lock);  // fcntl(F_OFD_SETLKW)
  virtual int get_lock(int fd, flock& lock);             // fcntl(F_OFD_GETLK)
  virtual ssize_t fgetxattr(int fd, const char* name, void* value, std::size_t bytes);
  virtual int fsetxattr(int fd, const char* name, const void* value, std::size_t bytes);
  virtual int ioctl(int fd, unsigned long request, void* argument);
  virtual int gpfs_fcntl(int fd, void* argument);    // of libgpfs, where there is one; else -ENOSYS
  virtual Result<MountEntry> mount(int fd);          // MountTable::of()
  virtual DirectAlignment direct_alignment(int fd);  // statx, where the kernel tells; else what all are content with
  virtual std::unique_ptr<Ring> make_ring(int& error_number) { return make_kernel_ring(error_number); }
  virtual std::chrono::nanoseconds now();  // from some moment on
  virtual void pause(std::chrono::microseconds duration);

 private:
  MountTable mounts_;
};

// Repeats `call` while it is interrupted (at once) or told to come back later (after a pause that grows); gives up on
// the latter, with -EAGAIN, after half a minute of pauses. Returns what the last call returned.
template <typename Call>
auto retried(Syscalls& system, Call call) -> decltype(call()) {
  using std::chrono::microseconds;
  constexpr microseconds kLongestPause{10'000};
  constexpr microseconds kPatience{30'000'000};
  microseconds pause{50};
  microseconds waited{0};
  for (;;) {
    auto returned = call();
    if (returned == -EINTR) continue;
    if (returned != -EAGAIN || waited >= kPatience) return returned;
    system.pause(pause);
    waited += pause;
    pause = std::min(pause * 2, kLongestPause);
  }
}

}  // namespace weir::driver
