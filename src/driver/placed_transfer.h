// PlacedTransfer: File::transfer() of the POSIX driver, with large requests for badly placed memory going through a
// bounce buffer.
#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "driver/bounce_buffer.h"
#include "driver/placement.h"
#include "driver/vectored.h"

namespace weir::driver {

// Requests below this are not worth a second copy: they hardly leave the caches.
inline constexpr std::int64_t kLeastBounced = 64 << 10;

// Of one file. Thread-safe.
class PlacedTransfer {
 public:
  PlacedTransfer(std::shared_ptr<Syscalls> system, std::shared_ptr<PlacementTable> placements)
      : system_(std::move(system)), placements_(std::move(placements)) {}

  // As transfer_vectored(); what goes through a bounce buffer goes by calls of BounceShelf::kBytes. Without memory for
  // one, bytes go directly; and so they do where a transfer is not the kernel's copy from and to its page cache.
  IoOutcome move(const OpenDescriptor& file, Direction direction, std::span<const IoRequest> requests,
                 CounterBoard& counters);

 private:
  bool bounces(const OpenDescriptor& file, Direction direction, const IoRequest& request);
  bool copies_pages(int fd);
  IoOutcome move_in_parts(const OpenDescriptor& file, Direction direction, std::span<const IoRequest> requests,
                          CounterBoard& counters);
  IoOutcome move_bounced(const OpenDescriptor& file, Direction direction, const IoRequest& request,
                         CounterBoard& counters);

  std::shared_ptr<Syscalls> system_;
  std::shared_ptr<PlacementTable> placements_;
  BounceShelf shelf_;
  std::once_flag asked_;
  bool copies_pages_ = false;  // once asked
};

}  // namespace weir::driver
