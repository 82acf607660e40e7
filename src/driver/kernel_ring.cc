#include <liburing.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "driver/ring.h"

namespace weir::driver {

namespace {

class KernelRing final : public Ring {
 public:
  KernelRing() = default;
  KernelRing(const KernelRing&) = delete;
  KernelRing& operator=(const KernelRing&) = delete;
  ~KernelRing() override;

  int open();  // 0 or -errno
  void put(const RingCall& call) override;
  int await(std::span<RingEnd> ends) override;

 private:
  unsigned under_way() const { return unended_ - io_uring_sq_ready(&ring_); }
  int take(std::span<RingEnd> ends);

  io_uring ring_ = {};
  pid_t owner_ = -1;      // whose memory it is mapped into; -1: not open
  unsigned unended_ = 0;  // calls that were put and have not ended
};

// A fork leaves the child a descriptor, and other memory where the ring was.
KernelRing::~KernelRing() {
  if (owner_ < 0) return;
  if (owner_ == ::getpid()) {
    io_uring_queue_exit(&ring_);
  } else {
    ::close(ring_.ring_fd);
  }
}

// Files that cannot tell whether a call would wait get a thread of the kernel's for each. Without a word it has few of
// them, by the number of cores; older kernels know no such word.
int KernelRing::open() {
  const int failed = io_uring_queue_init(kMostInFlight, &ring_, 0);
  if (failed != 0) return failed;
  owner_ = ::getpid();
  if (const int exposed = io_uring_ring_dontfork(&ring_); exposed != 0) return exposed;
  std::array<unsigned, 2> most_threads = {kMostInFlight, 0};
  io_uring_register_iowq_max_workers(&ring_, most_threads.data());
  return 0;
}

void KernelRing::put(const RingCall& call) {
  io_uring_sqe* entry = io_uring_get_sqe(&ring_);
  const auto parts = static_cast<unsigned>(call.parts.size());
  const auto offset = static_cast<std::uint64_t>(call.offset);
  if (call.direction == Direction::kRead) {
    io_uring_prep_readv(entry, call.fd, call.parts.data(), parts, offset);
  } else {
    io_uring_prep_writev(entry, call.fd, call.parts.data(), parts, offset);
  }
  io_uring_sqe_set_data64(entry, call.number);
  ++unended_;
}

// Whatever keeps the kernel from starting more, what is under way ends.
int KernelRing::await(std::span<RingEnd> ends) {
  for (;;) {
    const int started = io_uring_submit_and_wait(&ring_, 1);
    if (const int taken = take(ends); taken > 0) return taken;
    if (started >= 0 || started == -EINTR) continue;
    if (under_way() == 0) return started;
    io_uring_cqe* first = nullptr;
    io_uring_wait_cqe(&ring_, &first);
  }
}

int KernelRing::take(std::span<RingEnd> ends) {
  std::array<io_uring_cqe*, kMostInFlight> found;
  const auto room = static_cast<unsigned>(std::min(ends.size(), found.size()));
  const unsigned count = io_uring_peek_batch_cqe(&ring_, found.data(), room);
  for (unsigned i = 0; i < count; ++i) ends[i] = {io_uring_cqe_get_data64(found[i]), found[i]->res};
  io_uring_cq_advance(&ring_, count);
  unended_ -= count;
  return static_cast<int>(count);
}

}  // namespace

std::unique_ptr<Ring> make_kernel_ring(int& error_number) {
  auto ring = std::make_unique<KernelRing>();
  error_number = -ring->open();
  if (error_number != 0) return nullptr;
  return ring;
}

}  // namespace weir::driver
