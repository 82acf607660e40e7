// The one place where a batch of requests becomes system calls, and where short transfers are continued.
#pragma once

#include <span>
#include <string>

#include "driver/counters.h"
#include "driver/file_driver.h"
#include "driver/syscalls.h"

namespace weir::driver {

// Most bytes asked of one system call: a round number below what Linux moves in one (0x7ffff000), so that a cut keeps
// the alignment of the request.
inline constexpr std::int64_t kMostBytesPerCall = std::int64_t{1} << 30;

// Most memory parts of one system call (Linux: IOV_MAX).
inline constexpr int kMostPartsPerCall = 1024;

struct OpenDescriptor {
  int fd = -1;
  std::string path;  // for messages
};

// Where requests go: the calls that reach an open file, and who counts them. All of them outlive the transfers.
struct Port {
  Syscalls& system;
  const OpenDescriptor& file;
  CounterBoard& counters;
};

// File::transfer() by preadv and pwritev. Requests that touch in the file share calls. EINTR and EAGAIN are retried; a
// write that moves nothing several times in a row fails with kIo.
// REQUIRES: the requests passed check_requests().
IoOutcome transfer_vectored(const Port& port, Direction direction, std::span<const IoRequest> requests);

// For ways that make their own calls: each makes one, and leaves what that did not move to transfer_vectored(), unless
// it is a failure to be told. `returned` is -errno: not those that mean to try again, or that only this way is barred.
bool is_failure(std::int64_t returned);
// The status of a call that returned -errno at the offset.
Status call_failure(const Port& port, Direction direction, std::int64_t returned, std::int64_t offset);
// One call (repeated when interrupted or told to wait) for parts that lie at the offset: bytes, or -errno.
std::int64_t call_vectored(const Port& port, Direction direction, std::span<const iovec> parts, std::int64_t offset);

}  // namespace weir::driver
