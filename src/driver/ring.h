// Ring: calls that the kernel carries out while others are under way (io_uring).
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>

#include "base/extent.h"

namespace weir::driver {

// Calls of one ring that may be under way at a time.
inline constexpr unsigned kMostInFlight = 64;

// A read or write of a file, as preadv and pwritev have it. The parts, and their memory, stay until it has ended.
struct RingCall {
  Direction direction = Direction::kRead;
  int fd = -1;
  std::span<const iovec> parts;
  std::int64_t offset = 0;
  std::uint64_t number = 0;  // comes back with its end
};

struct RingEnd {
  std::uint64_t number = 0;
  std::int64_t returned = 0;  // bytes, or -errno
};

// Used by one thread at a time. REQUIRES: nothing is under way when it is destroyed.
class Ring {
 public:
  virtual ~Ring() = default;
  // REQUIRES: fewer than kMostInFlight calls were put that have not ended.
  virtual void put(const RingCall& call) = 0;
  // Starts what was put and waits until a call has ended. Fills `ends` and returns how many, at least one; or -errno
  // where nothing is under way and nothing can be started: then the ring is of no use any more.
  // REQUIRES: a call was put that has not ended.
  virtual int await(std::span<RingEnd> ends) = 0;
};

// A ring of the kernel's; or none, and its errno: EPERM where it is forbidden (seccomp, a sysctl), ENOSYS where the
// kernel has none, ENOMEM, EMFILE. A child that was forked may not use it, only destroy it.
std::unique_ptr<Ring> make_kernel_ring(int& error_number);

}  // namespace weir::driver
