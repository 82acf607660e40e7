// PlacedTransfer: File::transfer() of the POSIX driver, with large requests for badly placed memory going through a
// bounce buffer.
#pragma once

#include <memory>
#include <span>

#include "driver/bounce_buffer.h"
#include "driver/placement.h"
#include "driver/storage.h"
#include "driver/vectored.h"

namespace weir::driver {

// Requests below this are not worth a second copy: they hardly leave the caches.
inline constexpr std::int64_t kLeastBounced = 64 << 10;

// Of one file. Thread-safe.
class PlacedTransfer {
 public:
  // REQUIRES that the storage outlives this.
  PlacedTransfer(const Port& port, const KnownStorage& storage, std::shared_ptr<PlacementTable> placements)
      : port_(port), storage_(storage), placements_(std::move(placements)) {}

  // As transfer_vectored(); what goes through a bounce buffer goes by calls of BounceShelf::kBytes. Without memory for
  // one, bytes go directly; and so they do where a transfer is not the kernel's copy from and to its page cache.
  IoOutcome move(Direction direction, std::span<const IoRequest> requests) {
    const bool small = requests.size() == 1 && requests.front().bytes < kLeastBounced;
    if (small || !any_bounces(direction, requests)) return transfer_vectored(port_, direction, requests);
    return move_in_parts(direction, requests);
  }

 private:
  bool bounces(Direction direction, const IoRequest& request);
  bool any_bounces(Direction direction, std::span<const IoRequest> requests);
  bool copies_pages() const;
  IoOutcome move_in_parts(Direction direction, std::span<const IoRequest> requests);
  IoOutcome move_bounced(Direction direction, const IoRequest& request);

  const Port port_;
  const KnownStorage& storage_;
  std::shared_ptr<PlacementTable> placements_;
  BounceShelf shelf_;
};

}  // namespace weir::driver
